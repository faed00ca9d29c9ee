package org.terrace.seven.ejbay;

import org.terrace.core.codec.FieldNumber;

/**
 * An auction in a list.
 *
 * @param number of the auction
 * @param title what is offered, in a few words
 * @param cents the highest bid, or the least that the first must be
 */
public record ListingLine(
    @FieldNumber(1) long number, @FieldNumber(2) String title, @FieldNumber(3) int cents) {}
