package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * From an observation to its findings: a pure function without I/O, clock or hidden randomness; the
 * same observation and options give the same result. Single-threaded; takes O(requests) time and
 * about 50 bytes of memory a request beyond the observation.
 */
public final class Analysis {
  /** The tier of a server that has requests but is not listed in the observation. */
  public static final String UNKNOWN_TIER = "unknown";

  /** The part cut off each end of an observation without a run phase: warm-up and ebb. */
  private static final double TRIMMED_PART = 0.05;

  private static final long MOST_TRIMMED_NANOS = 10_000_000_000L;
  private static final long SHORTEST_TRIMMED_NANOS = 5_000_000_000L;

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
    stretch = stretchOf(observation);
  }

  /** Analyses an observation. */
  public static AnalysisResult analyze(Observation observation, AnalysisOptions options) {
    Analysis analysis = new Analysis(observation, options);
    analysis.analyzeServers();
    return analysis.result();
  }

  /**
   * The part of an observation that is analysed: its run phase when it has one, else all of it
   * without a twentieth (at most ten seconds) at each end, or all when it is shorter than five
   * seconds.
   */
  public static Stretch stretchOf(Observation observation) {
    for (Event event : observation.events()) {
      if (event.kind().equals(EventKinds.PHASE_RUN) && event.endNanos() > event.startNanos()) {
        return new Stretch(event.startNanos(), event.endNanos(), EventKinds.PHASE_RUN);
      }
    }
    RequestTable table = observation.requests();
    if (table.size() == 0) {
      return new Stretch(0, 0, "whole");
    }
    long start = table.arrivalNanos(0);
    long end = start;
    for (int row = 0; row < table.size(); row++) {
      end = Math.max(end, table.departureNanos(row));
    }
    if (end - start < SHORTEST_TRIMMED_NANOS) {
      return new Stretch(start, end + 1, "whole");
    }
    long cut = Math.min(MOST_TRIMMED_NANOS, (long) ((end - start) * TRIMMED_PART));
    return new Stretch(start + cut, end - cut, "trimmed");
  }

  private void analyzeServers() {
    RequestTable table = observation.requests();
    ServerRequests[] split = ServerRequests.split(table);
    RadixSort sort = new RadixSort();
    Map<String, Server> known = new TreeMap<>();
    observation.servers().forEach(server -> known.putIfAbsent(server.name(), server));
    List<Server> listed = new ArrayList<>(observation.servers());
    for (String name : table.servers()) {
      if (!known.containsKey(name)) {
        listed.add(new Server(name, UNKNOWN_TIER, List.of()));
      }
    }
    for (Server server : listed) {
      int index = table.servers().indexOf(server.name());
      ServerRequests rows =
          index >= 0 ? split[index] : new ServerRequests(server.name(), 0, List.of());
      if (server.name().equals(Server.CLIENTS)) {
        ClientSeries series = ClientAnalysis.of(rows, stretch, sort);
        clientSeries = series;
        clientFindings = ClientAnalysis.findings(series, rows, stretch);
      } else {
        servers.add(server);
        analyses.add(ServerAnalysis.of(rows, stretch, sort, options));
      }
    }
  }

  private AnalysisResult result() {
    Findings.Window window = window();
    int millis = window.millis();
    List<List<Findings.Stall>> stalls =
        Attribution.explain(
            servers,
            analyses.stream().map(analysis -> analysis.stalls).toList(),
            observation.events(),
            stretch,
            options);
    List<Findings.ServerFindings> found = new ArrayList<>();
    List<ServerDetail> details = new ArrayList<>();
    List<ServerSeries> series = new ArrayList<>();
    List<ServerSeries> fineSeries = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      ServerAnalysis analysis = analyses.get(i);
      found.add(analysis.findings(servers.get(i).tier(), millis, options, stalls.get(i)));
      details.add(analysis.detail(millis));
      series.add(analysis.series(millis));
      fineSeries.add(analysis.series(WindowLengths.STALL_MILLIS));
    }
    Findings findings =
        new Findings(
            Findings.FORMAT,
            null,
            window,
            found,
            Findings.Transactions.NONE,
            clientFindings,
            List.of(),
            List.of());
    return new AnalysisResult(
        findings,
        Verdicts.of(findings, series, stretch),
        stretch,
        series,
        fineSeries,
        details,
        clientSeries);
  }

  private Findings.Window window() {
    Integer given = options.windowMillis();
    if (given != null) {
      return new Findings.Window(given, "given");
    }
    int chosen = WindowChoice.choose(analyses.stream().map(ServerAnalysis::candidate).toList());
    return chosen > 0
        ? new Findings.Window(chosen, "automatic")
        : new Findings.Window(WindowLengths.DEFAULT_MILLIS, "default");
  }
}
