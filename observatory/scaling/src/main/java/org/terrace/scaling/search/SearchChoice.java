package org.terrace.scaling.search;

/**
 * The trial that a search asks for. Immutable.
 *
 * @param candidate the trial
 * @param reason why this one, in a few words; empty where all are run
 */
public record SearchChoice(SearchCandidate candidate, String reason) {}
