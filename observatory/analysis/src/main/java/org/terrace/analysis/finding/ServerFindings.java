package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings about one server. Immutable.
 *
 * @param name the server's name
 * @param tier the server's tier
 * @param requests the number of its requests in the whole observation, whether they ended or not;
 *     the same for a trial and for its capture alone
 * @param requestsPerSecond completed requests a second over the analysed stretch
 * @param residenceMicros the time between arrival and departure of the requests completed in the
 *     analysed stretch, in microseconds
 * @param congestionPoint the load beyond which throughput grows no more
 * @param stalls stretches of high load with little or no throughput, in order of time
 * @param episodes stretches in which it was congested, in order of time
 * @param shortestStallMillis the shortest stall that its rate of messages tells from chance; null
 *     where none could be told, and in files that are older than this field
 * @param pooled recurring events that are shorter than that, and whether it was silent in them
 * @param lostMillis the part of the analysed stretch in which the capture lost packets of it: such
 *     windows count neither as stalls nor as idle; null in older files
 * @param sentence its stalls, waits and congestion in one to five sentences of plain text; null in
 *     files that are older than this field
 * @param callers who called it in the analysed stretch, those with most calls first; empty in files
 *     that are older than this field
 * @param delays the causes of its requests' delay; null where nothing was over the usual, and in
 *     files that are older than this field
 */
public record ServerFindings(
    String name,
    String tier,
    long requests,
    double requestsPerSecond,
    Findings.Latency residenceMicros,
    CongestionPoint congestionPoint,
    List<Findings.Stall> stalls,
    List<CongestionEpisode> episodes,
    @Nullable Double shortestStallMillis,
    List<PooledEvents> pooled,
    @Nullable Double lostMillis,
    @Nullable String sentence,
    List<Caller> callers,
    @Nullable DelayCauses delays) {

  /** Copies the lists. */
  public ServerFindings {
    callers = List.copyOf(callers);
    stalls = List.copyOf(stalls);
    episodes = List.copyOf(episodes);
    pooled = List.copyOf(pooled);
  }

  /** Findings before the causes of delay are known. */
  public ServerFindings(
      String name,
      String tier,
      long requests,
      double requestsPerSecond,
      Findings.Latency residenceMicros,
      CongestionPoint congestionPoint,
      List<Findings.Stall> stalls,
      List<CongestionEpisode> episodes,
      @Nullable Double shortestStallMillis,
      List<PooledEvents> pooled,
      @Nullable Double lostMillis,
      @Nullable String sentence,
      List<Caller> callers) {
    this(
        name,
        tier,
        requests,
        requestsPerSecond,
        residenceMicros,
        congestionPoint,
        stalls,
        episodes,
        shortestStallMillis,
        pooled,
        lostMillis,
        sentence,
        callers,
        null);
  }

  /** The same findings with a sentence that sums them up. */
  public ServerFindings withSentence(String summary) {
    return with(summary, callers, delays);
  }

  /** The same findings with those who called the server. */
  public ServerFindings withCallers(List<Caller> known) {
    return with(sentence, known, delays);
  }

  /** The same findings with the causes of delay; without them if they are null. */
  public ServerFindings withDelays(@Nullable DelayCauses found) {
    return with(sentence, callers, found);
  }

  private ServerFindings with(
      @Nullable String summary, List<Caller> known, @Nullable DelayCauses found) {
    return new ServerFindings(
        name,
        tier,
        requests,
        requestsPerSecond,
        residenceMicros,
        congestionPoint,
        stalls,
        episodes,
        shortestStallMillis,
        pooled,
        lostMillis,
        summary,
        known,
        found);
  }
}
