package org.terrace.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.study.Validity;
import org.terrace.observation.Event;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/**
 * The findings of a trial, from its packets, samples, events and the clients' own requests.
 * Immutable.
 *
 * @param observation everything observed, on one clock
 * @param result what follows from it, with the trial's validity checks among the findings
 * @param losses what the capture lost, a sentence each; empty without a capture
 */
public record TrialAnalysis(Observation observation, AnalysisResult result, List<String> losses) {

  /** Copies the losses. */
  public TrialAnalysis {
    losses = List.copyOf(losses);
  }

  /** Reads the trial's packets, if it has any, and analyses the requests of all servers. */
  public static TrialAnalysis of(Trial trial) {
    Optional<CaptureAnalysis> capture = CaptureAnalysis.of(trial);
    RequestTable.Builder requests = new RequestTable.Builder();
    requests.addAll(trial.clientRequests());
    List<Sample> samples = new ArrayList<>(trial.samples());
    List<Event> events = new ArrayList<>(trial.events());
    List<ObservedConnection> connections = new ArrayList<>();
    capture.ifPresent(packets -> {
      addKnown(packets.requests(), trial.servers(), requests);
      connections.addAll(known(packets.connections(), trial.servers()));
      samples.addAll(packets.wire().samples());
      events.addAll(packets.wire().events());
    });
    List<Server> servers = new ArrayList<>();
    servers.add(new Server(Server.CLIENTS, Server.CLIENTS, List.of()));
    servers.addAll(trial.servers());
    Observation observation =
        new Observation(servers, requests.build(), samples, events, connections);
    AnalysisResult analysed = Analysis.analyze(observation, AnalysisOptions.defaults());
    Findings findings = analysed.findings().withValidity(validity(trial));
    AnalysisResult result =
        analysed.withFindings(
            capture.map(packets -> findings.withCapture(packets.figures())).orElse(findings));
    return new TrialAnalysis(
        observation, result, capture.map(CaptureAnalysis::losses).orElse(List.of()));
  }

  /**
   * Adds the requests of the trial's servers. What else its processes accept, such as the ports at
   * which replicas exchange their state, is traffic of their own and no request of anybody.
   */
  private static void addKnown(
      RequestTable captured, List<Server> servers, RequestTable.Builder requests) {
    Set<String> known = servers.stream().map(Server::name).collect(Collectors.toSet());
    for (int row = 0; row < captured.size(); row++) {
      if (known.contains(captured.servers().get(captured.server(row)))) {
        requests.accept(captured.request(row));
      }
    }
  }

  private static List<ObservedConnection> known(
      List<ObservedConnection> captured, List<Server> servers) {
    Set<String> known = servers.stream().map(Server::name).collect(Collectors.toSet());
    return captured.stream().filter(each -> known.contains(each.server())).toList();
  }

  private static List<Validity> validity(Trial trial) {
    return trial.validity().stream()
        .map(check -> new Validity(check.check(), check.passed(), check.detail()))
        .toList();
  }
}
