package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The causes of the delay of a server's requests in its stalls and congested stretches, ranked by
 * counterfactual replay. Shares may sum to more than one, since of two causes at once either may be
 * the one to remove. Immutable.
 *
 * @param overUsualSeconds the delay over the usual, in request-seconds
 * @param episodes the stretches of disturbance that the delay lies in, of which each counts once
 *     for the intervals
 * @param causes the significant causes, those that delayed most first, and last those that cannot
 *     be replayed
 * @param unexplainedShare the part that would remain without all that can be replayed, 0 to 1
 * @param unexplainedLow the lower end of its 95 % interval; null of too few episodes, and where one
 *     has so much of the delay that all tell as little
 * @param unexplainedHigh the upper end
 * @param largestEpisodeShare the part of the delay in the episodes that the largest has, 0 to 1;
 *     null in files that are older than this field
 */
public record DelayCauses(
    double overUsualSeconds,
    int episodes,
    List<CauseDelay> causes,
    double unexplainedShare,
    @Nullable Double unexplainedLow,
    @Nullable Double unexplainedHigh,
    @Nullable Double largestEpisodeShare) {

  /** Copies the causes. */
  public DelayCauses {
    causes = List.copyOf(causes);
  }
}
