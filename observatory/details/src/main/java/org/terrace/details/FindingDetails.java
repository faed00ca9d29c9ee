package org.terrace.details;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;

/**
 * The details that findings get from the requests and packets behind them, once they are known: a
 * pure function. It is apart from the analysis, whose other users need none of it. Takes
 * O(requests) time, and 16 bytes of memory a request. Stateless.
 */
public final class FindingDetails {
  private FindingDetails() {}

  /**
   * Findings with the callers of each server and the causes of its delay, the response times of
   * each class, and the packets of the longest episodes.
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
    DelayRanking ranking =
        new DelayRanking(observation.events(), findings.servers(), startNanos, endNanos);
    Map<String, DelayCells> cells = disturbed(findings, observation, startNanos, endNanos);
    for (ServerFindings server : findings.servers()) {
      servers.add(
          server
              .withCallers(callers.getOrDefault(server.name(), List.of()))
              .withDelays(ranking.of(server, cells.get(server.name()))));
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

  /** The requests of each server that was disturbed, in cells. */
  private static Map<String, DelayCells> disturbed(
      Findings findings, Observation observation, long startNanos, long endNanos) {
    RequestTable table = observation.requests();
    boolean[] waits = RequestClass.thatMayWait(table.requestClasses());
    Map<String, DelayCells> cells = new HashMap<>();
    for (ServerFindings server : findings.servers()) {
      if (DelayRanking.isDisturbed(server)) {
        int index = table.servers().indexOf(server.name());
        DelayCells.Tally tally = new DelayCells.Tally(startNanos, endNanos);
        for (int row = 0; row < table.size(); row++) {
          if (table.server(row) == index && !waits[table.requestClass(row)]) {
            tally.add(table.arrivalNanos(row), table.departureNanos(row));
          }
        }
        cells.put(server.name(), tally.cells());
      }
    }
    return cells;
  }
}
