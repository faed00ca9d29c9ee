package org.terrace.evidence.host;

import java.util.List;

/**
 * The account of a watch that ended. Immutable.
 *
 * @param samples how many readings were written
 * @param events how many events
 * @param ticks how often the host was read
 * @param lateTicks how often it was read more than a whole interval late, or not at all
 * @param longestMillis the longest interval that it slowed down to, so as not to cost too much
 * @param seconds how long it was watched
 * @param coreShare the processor time of this process from the first reading to the last, as a
 *     share of one core: not that of its start, nor of what it writes at the end
 * @param steadyShare that share after its first seconds, in which its code is compiled
 * @param notVisible what the host does not show, each with the reason
 */
public record WatchResult(
    long samples,
    long events,
    long ticks,
    long lateTicks,
    long longestMillis,
    double seconds,
    double coreShare,
    double steadyShare,
    List<String> notVisible) {

  /** The most of one core that a watch is to cost. */
  public static final double MOST_CORE_SHARE = 0.01;

  /** Copies the list. */
  public WatchResult {
    notVisible = List.copyOf(notVisible);
  }
}
