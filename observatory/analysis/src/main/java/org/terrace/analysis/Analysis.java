package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.Episode;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.evidence.PacketEvidence;
import org.terrace.analysis.experience.ClientSeconds;
import org.terrace.analysis.experience.StallEpisodes;
import org.terrace.analysis.experience.UserExperiences;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.statistics.RadixSort;
import org.terrace.analysis.statistics.Strata;
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

  private final Observation observation;
  private final AnalysisOptions options;
  private final Stretch stretch;
  private final List<Server> servers = new ArrayList<>();
  private final List<ServerAnalysis> analyses = new ArrayList<>();
  private final List<List<CallsOut>> callsOut = new ArrayList<>();
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
        List<CallsOut> ofServer = index >= 0 ? calls.get(index) : List.of();
        callsOut.add(ofServer);
        analyses.add(
            ServerAnalysis.of(
                rows,
                ofServer,
                stretch,
                sort,
                PacketEvidence.of(
                    server.name(), observation.events(), stretch.startNanos(), stretch.endNanos()),
                EventGroup.quotaMillis(server.name(), observation.events(), stretch),
                options));
      }
    }
  }

  private AnalysisResult result() {
    Findings.Window window = window();
    int millis = window.millis();
    List<List<Episode>> episodes =
        analyses.stream().map(analysis -> analysis.episodes(millis)).toList();
    List<List<Findings.Stall>> explained = explained(episodes, millis);
    List<ServerFindings> found = new ArrayList<>();
    List<ServerDetail> details = new ArrayList<>();
    List<ServerSeries> series = new ArrayList<>();
    List<ServerSeries> fineSeries = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      ServerAnalysis analysis = analyses.get(i);
      found.add(
          analysis.findings(
              servers.get(i).tier(),
              millis,
              explained.get(i),
              episodes(episodes.get(i), explained.get(servers.size() + i)),
              ShortStalls.of(
                  analysis.server,
                  analysis.messages,
                  analysis.shortestStallNanos,
                  observation.events(),
                  stretch,
                  analysis.lost())));
      details.add(analysis.detail(millis));
      series.add(analysis.series(millis));
      fineSeries.add(analysis.series(WindowLengths.STALL_MILLIS));
    }
    found.replaceAll(server -> server.withSentence(Verdicts.sentence(server, stretch)));
    Findings findings =
        new Findings(
            Findings.FORMAT,
            null,
            window,
            found,
            Findings.Transactions.NONE,
            clientFindings,
            Stretches.validity(observation.requests(), stretch),
            List.of());
    return new AnalysisResult(
        withExperience(findings),
        Verdicts.of(findings, series, stretch),
        stretch,
        series,
        fineSeries,
        details,
        clientSeries);
  }

  private Findings withExperience(Findings findings) {
    ClientSeries series = clientSeries;
    ClientSeconds seconds =
        series == null
            ? null
            : new ClientSeconds(
                series.startNanos(),
                series.intervalNanos(),
                series.requestsPerSecond(),
                series.p99Micros(),
                series.inFlight());
    List<StallEpisode> stalls = StallEpisodes.of(findings.servers());
    return findings.withExperience(
        stalls, UserExperiences.of(findings, stalls, seconds, stretch.startNanos()));
  }

  /** The stalls of each server, then its episodes, all tried together. */
  private List<List<Findings.Stall>> explained(List<List<Episode>> episodes, int millis) {
    List<Server> subjects = new ArrayList<>(servers);
    subjects.addAll(servers);
    List<List<DetectedStall>> spans = new ArrayList<>();
    for (int i = 0; i < analyses.size(); i++) {
      List<DetectedStall> stalls = analyses.get(i).stalls;
      spans.add(ServerStalls.judgeByCalled(stalls, callsOut.get(i), this::stallsOf));
    }
    for (int i = 0; i < analyses.size(); i++) {
      ServerAnalysis analysis = analyses.get(i);
      spans.add(episodes.get(i).stream().map(each -> analysis.span(each, millis)).toList());
    }
    List<Strata> demand = new ArrayList<>();
    analyses.forEach(analysis -> demand.add(analysis.demand()));
    demand.addAll(List.copyOf(demand));
    return Attribution.explain(subjects, spans, demand, observation.events(), stretch, options);
  }

  private List<DetectedStall> stallsOf(String server) {
    return analyses.stream()
        .filter(each -> each.server.equals(server))
        .flatMap(each -> each.stalls.stream())
        .toList();
  }

  private static List<CongestionEpisode> episodes(
      List<Episode> episodes, List<Findings.Stall> explained) {
    List<CongestionEpisode> found = new ArrayList<>();
    for (int i = 0; i < episodes.size(); i++) {
      Episode episode = episodes.get(i);
      Findings.Stall span = explained.get(i);
      found.add(
          new CongestionEpisode(
              span.startNanos(),
              span.endNanos(),
              episode.beyond() ? CongestionEpisode.Kind.BEYOND : CongestionEpisode.Kind.SLOW,
              episode.peakLoad(),
              episode.ofUsual(),
              span.unexplainedShare(),
              span.causes()));
    }
    return found;
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
