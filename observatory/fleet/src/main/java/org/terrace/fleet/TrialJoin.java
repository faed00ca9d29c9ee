package org.terrace.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.SeparateAnalysis;
import org.terrace.analysis.ServerPart;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.DelayRanking;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/** The findings of a trial from the outcomes of its servers' tasks. Stateless and thread-safe. */
public final class TrialJoin {
  private TrialJoin() {}

  /** The servers of a trial in the order of its findings, the clients among them. */
  static List<Server> servers(FleetStorage storage, String trial, FleetTrial described) {
    return SeparateAnalysis.servers(FleetReader.servers(storage, trial), described.servers());
  }

  /**
   * The findings of a trial: what the analysis of its observation by one process finds, but for
   * what stands beside it there: the capture, the transactions, and the packets of episodes.
   *
   * @param outcomes the outcomes of the tasks of all its servers, in any order
   * @throws TerraceException if a server is missing or there twice, if not all requests of the
   *     trial were read, or if it is replaced meanwhile
   */
  public static Findings findings(
      FleetStorage storage, String trial, List<ServerOutcome> outcomes, AnalysisOptions options) {
    FleetTrial described = FleetReader.trial(storage, trial);
    List<Server> servers = servers(storage, trial, described);
    Map<String, ServerOutcome> byServer = new TreeMap<>();
    long requests = 0;
    long within = 0;
    for (ServerOutcome outcome : outcomes) {
      if (!outcome.revision().equals(described.revision())) {
        throw wrong(storage, trial, "it was replaced after " + outcome.server() + " was read");
      }
      if (byServer.put(outcome.server(), outcome) != null) {
        throw wrong(storage, trial, "there are two outcomes of " + outcome.server());
      }
      requests += outcome.requests();
      within += outcome.within();
    }
    if (requests != described.requests()) {
      throw wrong(
          storage,
          trial,
          requests + " requests were read; expected the " + described.requests() + " that it has");
    }
    Map<String, ServerPart> parts = new HashMap<>();
    SeparateAnalysis.ClientPart clients = null;
    for (Server server : servers) {
      ServerOutcome outcome = byServer.get(server.name());
      if (outcome == null) {
        throw wrong(storage, trial, "there is no outcome of " + server.name());
      }
      if (outcome.part() != null) {
        parts.put(server.name(), outcome.part());
      }
      clients = outcome.clients() == null ? clients : outcome.clients();
    }
    List<Event> events = FleetReader.events(storage, trial);
    Findings joined =
        SeparateAnalysis.join(
            servers, parts, clients, events, described.stretch(), options, requests, within);
    DelayRanking ranking =
        new DelayRanking(
            events,
            joined.servers(),
            described.stretch().startNanos(),
            described.stretch().endNanos());
    List<ServerFindings> called = new ArrayList<>();
    List<ClassResponses> responses = new ArrayList<>(responses(byServer.get(Server.CLIENTS)));
    for (ServerFindings server : joined.servers()) {
      ServerOutcome outcome = byServer.get(server.name());
      called.add(
          outcome == null
              ? server
              : server
                  .withCallers(outcome.callers())
                  .withDelays(ranking.of(server, outcome.cells())));
      responses.addAll(responses(outcome));
    }
    FleetReader.unchanged(storage, trial, described.revision());
    return joined.withDetails(called, joined.stallEpisodes(), responses);
  }

  private static List<ClassResponses> responses(@Nullable ServerOutcome outcome) {
    return outcome == null ? List.of() : outcome.responses();
  }

  private static TerraceException wrong(FleetStorage storage, String trial, String what) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        storage + ": trial " + trial + ": " + what + ". Begin again, or export the trial again.");
  }
}
