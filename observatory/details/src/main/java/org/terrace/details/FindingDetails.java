package org.terrace.details;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.observation.Observation;

/**
 * The details that findings get from the requests and packets behind them, once they are known: a
 * pure function. It is apart from the analysis, whose other users need none of it. Takes
 * O(requests) time, and 8 bytes of memory a request. Stateless.
 */
public final class FindingDetails {
  private FindingDetails() {}

  /**
   * Findings with the callers of each server, the response times of each class, and the packets of
   * the longest episodes.
   *
   * @param observation what the findings are of
   * @param startNanos the start of the analysed stretch, in nanoseconds since the Unix epoch
   * @param endNanos its end
   */
  public static Findings added(
      Findings findings, Observation observation, long startNanos, long endNanos) {
    Map<String, List<Caller>> callers =
        ServerCallers.of(observation.requests(), startNanos, endNanos);
    List<ServerFindings> servers = new ArrayList<>();
    for (ServerFindings server : findings.servers()) {
      servers.add(server.withCallers(callers.getOrDefault(server.name(), List.of())));
    }
    List<StallEpisode> episodes =
        new EpisodePackets(observation, servers).of(findings.stallEpisodes());
    return findings.withDetails(
        servers,
        episodes,
        ServerResponses.of(
            observation.requests(),
            servers.stream().map(ServerFindings::name).toList(),
            startNanos,
            endNanos));
  }
}
