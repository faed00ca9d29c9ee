package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.RadixSort;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * The way from an observation to its findings: a pure function without I/O, clock or hidden
 * randomness; the same observation and options give the same result. Single-threaded; takes
 * O(requests) time and about 50 bytes of memory a request beyond the observation.
 */
public final class Analysis {
  /** The tier of a server that has requests but is not listed in the observation. */
  public static final String UNKNOWN_TIER = "unknown";

  private final Observation observation;
  private final AnalysisOptions options;
  private final Stretch stretch;
  private final List<Server> servers = new ArrayList<>();
  private final List<ServerAnalysis> analyses = new ArrayList<>();
  private @Nullable ClientSeries clientSeries;
  private Findings.@Nullable Clients clientFindings;

  private Analysis(Observation observation, AnalysisOptions options) {
    this.observation = observation;
    this.options = options;
    stretch = Stretches.of(observation);
  }

  /** Analyses an observation. */
  public static AnalysisResult analyze(Observation observation, AnalysisOptions options) {
    Analysis analysis = new Analysis(observation, options);
    analysis.analyzeServers();
    return analysis.result();
  }

  /** The part of an observation that is analysed, by the rules of {@link Stretches}. */
  public static Stretch stretchOf(Observation observation) {
    return Stretches.of(observation);
  }

  private void analyzeServers() {
    RequestTable table = observation.requests();
    ServerRequests[] split = ServerRequests.split(table);
    List<List<CallsOut>> calls = CallsOut.of(table);
    RadixSort sort = new RadixSort();
    for (Server server : SeparateAnalysis.servers(observation.servers(), table.servers())) {
      int index = table.servers().indexOf(server.name());
      ServerRequests rows =
          index >= 0 ? split[index] : new ServerRequests(server.name(), 0, List.of());
      if (server.name().equals(Server.CLIENTS)) {
        ClientSeries series = ClientAnalysis.of(rows, stretch, sort);
        clientSeries = series;
        clientFindings = ClientAnalysis.findings(series, rows, stretch);
      } else {
        servers.add(server);
        List<CallsOut> ofServer = index >= 0 ? calls.get(index) : List.of();
        analyses.add(
            new ServerAnalysis(rows, ofServer, observation.events(), stretch, sort, options));
      }
    }
  }

  private AnalysisResult result() {
    ClientSeries clients = clientSeries;
    JoinedServers joined =
        new JoinedServers(servers, analyses, observation.events(), stretch, options);
    Findings findings =
        joined.findings(
            clients == null ? null : clients.seconds(),
            clientFindings,
            Stretches.validity(observation.requests(), stretch));
    int millis = joined.window.millis();
    List<ServerSeries> series = analyses.stream().map(analysis -> analysis.series(millis)).toList();
    return new AnalysisResult(
        findings,
        Verdicts.of(findings, series, stretch),
        stretch,
        series,
        analyses.stream().map(each -> each.series(WindowLengths.STALL_MILLIS)).toList(),
        analyses.stream().map(analysis -> analysis.detail(millis)).toList(),
        clients);
  }
}
