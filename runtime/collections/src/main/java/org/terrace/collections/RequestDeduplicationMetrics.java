package org.terrace.collections;

/**
 * Counts of what a {@link RequestDeduplication} holds and has done. Immutable.
 *
 * @param undecided requests run here whose authority is not known yet
 * @param decidedHere requests that this replica was the authority of
 * @param decidedElsewhere requests run here whose effects were dropped for the authority's
 * @param decidedByAge requests of {@code decidedHere} that nobody had decided for long
 * @param repeated requests that had been decided and were given the same reply
 * @param tooOld requests refused because a much later one of their client was decided
 * @param notRun copies that were not run because too many requests were undecided
 * @param decidedTwice requests that two replicas decided, of which this one took back one's effects
 */
public record RequestDeduplicationMetrics(
    long undecided,
    long decidedHere,
    long decidedElsewhere,
    long decidedByAge,
    long repeated,
    long tooOld,
    long notRun,
    long decidedTwice) {}
