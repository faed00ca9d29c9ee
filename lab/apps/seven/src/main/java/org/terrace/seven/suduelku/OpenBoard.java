package org.terrace.seven.suduelku;

import org.terrace.core.codec.FieldNumber;

/**
 * A board that can be joined or watched.
 *
 * @param number of the board
 * @param players who have joined
 */
public record OpenBoard(@FieldNumber(1) int number, @FieldNumber(2) int players) {}
