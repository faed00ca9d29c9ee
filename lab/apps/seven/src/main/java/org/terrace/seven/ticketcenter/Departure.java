package org.terrace.seven.ticketcenter;

import org.terrace.core.codec.FieldNumber;

/**
 * A bus that leaves.
 *
 * @param number of the departure
 * @param minuteOfDay when it leaves
 * @param cents what a seat costs
 */
public record Departure(
    @FieldNumber(1) int number, @FieldNumber(2) int minuteOfDay, @FieldNumber(3) int cents) {}
