package org.terrace.studies.design;

/**
 * A statement of a paper that a study re-runs.
 *
 * @param id unique in its study, in kebab-case
 * @param where the place in the paper, for example {@code Figure 4}
 * @param claim the statement, in one sentence of our own
 * @param published the paper's figures for it
 */
public record PublishedClaim(String id, String where, String claim, String published) {}
