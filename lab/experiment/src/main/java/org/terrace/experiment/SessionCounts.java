package org.terrace.experiment;

/**
 * The counts of what watching visitors saw. Immutable.
 *
 * @param visitors how many there were
 * @param saves drafts the site said it keeps
 * @param reads pages on which a kept draft was looked for
 * @param signedOut pages on which a visitor who was signed in was a stranger
 * @param lost pages on which a draft was older than the last one said to be kept
 * @param failed requests without a page: connections that broke, errors of the site
 */
public record SessionCounts(
    int visitors, long saves, long reads, long signedOut, long lost, long failed) {

  /** Whether the visitors saw enough to say so, and nothing was lost. */
  public boolean kept() {
    return signedOut == 0 && lost == 0 && saves >= visitors && reads >= visitors;
  }

  /** The counts in a sentence. */
  @Override
  public String toString() {
    return "%,d visitors kept %,d drafts and looked %,d times: %,d times signed out, %,d drafts lost, %,d requests failed"
        .formatted(visitors, saves, reads, signedOut, lost, failed);
  }
}
