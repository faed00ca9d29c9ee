package org.terrace.experiment;

import java.util.List;

/**
 * The counts of what watching visitors saw. Immutable.
 *
 * @param saves drafts the site said it keeps
 * @param reads pages on which a kept draft was looked for
 * @param signedOut pages on which a visitor who was signed in was a stranger
 * @param lost pages on which a draft was older than the last one said to be kept
 * @param failed requests without a page: connections that broke, errors of the site
 * @param foundNanos for each visitor the beginning of the last look that found the last draft said
 *     to be kept, in nanoseconds since the Unix epoch; 0 where none did
 */
public record SessionCounts(
    long saves, long reads, long signedOut, long lost, long failed, List<Long> foundNanos) {

  /** Copies the list. */
  public SessionCounts {
    foundNanos = List.copyOf(foundNanos);
  }

  /**
   * Whether nothing was lost, and every visitor found the last draft from that moment on: nobody
   * knows of a session that cannot be reached.
   *
   * @param sinceNanos a moment in nanoseconds since the Unix epoch
   */
  public boolean kept(long sinceNanos) {
    return signedOut == 0 && lost == 0 && foundSince(sinceNanos) == foundNanos.size();
  }

  /** The number of visitors who found their last draft from that moment on. */
  public long foundSince(long sinceNanos) {
    long first = Math.max(1, sinceNanos); // 0 stands for never
    return foundNanos.stream().filter(found -> found >= first).count();
  }

  /** The counts in a sentence. */
  @Override
  public String toString() {
    return "%,d visitors kept %,d drafts and looked %,d times: %,d times signed out, %,d drafts lost, %,d requests failed"
        .formatted(foundNanos.size(), saves, reads, signedOut, lost, failed);
  }
}
