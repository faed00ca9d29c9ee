package org.terrace.seven.parknpark;

import org.terrace.core.codec.FieldNumber;

/**
 * A lot as a client sees it.
 *
 * @param name its name, for example {@code P07}
 * @param available free spaces, never negative
 */
public record LotLine(@FieldNumber(1) String name, @FieldNumber(2) int available) {}
