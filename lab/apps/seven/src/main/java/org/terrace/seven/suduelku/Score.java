package org.terrace.seven.suduelku;

import org.terrace.core.codec.FieldNumber;

/**
 * A player's place in the ranking of a board.
 *
 * @param seat the player's
 * @param player the name
 * @param points may be below zero
 */
public record Score(
    @FieldNumber(1) int seat, @FieldNumber(2) String player, @FieldNumber(3) int points) {}
