package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.AnalyzedServer.Congestion;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.experience.ClientSeconds;
import org.terrace.analysis.experience.StallEpisodes;
import org.terrace.analysis.experience.UserExperiences;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.study.Validity;
import org.terrace.core.Strata;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/** The servers of an observation that were analysed one by one, seen together. Immutable. */
final class JoinedServers {
  private final List<Server> servers;
  private final List<? extends AnalyzedServer> analyses;
  private final List<Event> events;
  private final Stretch stretch;
  private final AnalysisOptions options;

  /** The window length that they agree on. */
  final Findings.Window window;

  /**
   * Joins servers.
   *
   * @param servers the servers without the clients, from the users' side to the database
   * @param analyses the analysis of each, in the same order
   */
  JoinedServers(
      List<Server> servers,
      List<? extends AnalyzedServer> analyses,
      List<Event> events,
      Stretch stretch,
      AnalysisOptions options) {
    this.servers = servers;
    this.analyses = analyses;
    this.events = events;
    this.stretch = stretch;
    this.options = options;
    window = window();
  }

  private Findings.Window window() {
    Integer given = options.windowMillis();
    if (given != null) {
      return new Findings.Window(given, "given");
    }
    int chosen = WindowChoice.choose(analyses.stream().map(AnalyzedServer::vote).toList());
    return chosen > 0
        ? new Findings.Window(chosen, "automatic")
        : new Findings.Window(WindowLengths.DEFAULT_MILLIS, "default");
  }

  /** The findings, with what the clients saw if somebody watched from their side. */
  Findings findings(
      @Nullable ClientSeconds seconds,
      Findings.@Nullable Clients clients,
      List<Validity> validity) {
    List<ServerFindings> found = servers();
    Findings findings =
        new Findings(
            Findings.FORMAT,
            null,
            window,
            found,
            Findings.Transactions.NONE,
            clients,
            validity,
            List.of());
    List<StallEpisode> stalls = StallEpisodes.of(found);
    return findings.withExperience(
        stalls, UserExperiences.of(findings, stalls, seconds, stretch.startNanos()));
  }

  private List<ServerFindings> servers() {
    int millis = window.millis();
    List<List<Congestion>> congestions =
        analyses.stream().map(analysis -> analysis.congestions(millis)).toList();
    List<List<Findings.Stall>> explained = explained(congestions);
    List<ServerFindings> found = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      AnalyzedServer.Figures figures = analyses.get(i).figures();
      ServerFindings server =
          new ServerFindings(
              figures.server(),
              servers.get(i).tier(),
              figures.requests(),
              figures.perSecond(),
              figures.residenceMicros(),
              analyses.get(i).congestionPoint(millis),
              explained.get(i),
              episodes(congestions.get(i), explained.get(servers.size() + i)),
              figures.shortestStallMillis(),
              figures.pooled(),
              figures.lostMillis(),
              null,
              List.of());
      found.add(server.withSentence(Verdicts.sentence(server, stretch)));
    }
    return found;
  }

  /** The stalls of each server, then its congested stretches, all tried together. */
  private List<List<Findings.Stall>> explained(List<List<Congestion>> congestions) {
    List<Server> subjects = new ArrayList<>(servers);
    subjects.addAll(servers);
    List<List<DetectedStall>> spans = new ArrayList<>();
    for (AnalyzedServer each : analyses) {
      spans.add(ServerStalls.judgeByCalled(each.stalls(), each.held(), this::stallsOf));
    }
    congestions.forEach(ofServer -> spans.add(ofServer.stream().map(Congestion::span).toList()));
    List<Strata> demand = new ArrayList<>();
    analyses.forEach(analysis -> demand.add(analysis.demand()));
    demand.addAll(List.copyOf(demand));
    return Attribution.explain(subjects, spans, demand, events, stretch, options);
  }

  private List<DetectedStall> stallsOf(String server) {
    return analyses.stream()
        .filter(each -> each.figures().server().equals(server))
        .flatMap(each -> each.stalls().stream())
        .toList();
  }

  private static List<CongestionEpisode> episodes(
      List<Congestion> congestions, List<Findings.Stall> explained) {
    List<CongestionEpisode> found = new ArrayList<>();
    for (int i = 0; i < congestions.size(); i++) {
      Congestion congestion = congestions.get(i);
      Findings.Stall span = explained.get(i);
      found.add(
          new CongestionEpisode(
              span.startNanos(),
              span.endNanos(),
              congestion.beyond() ? CongestionEpisode.Kind.BEYOND : CongestionEpisode.Kind.SLOW,
              congestion.peakLoad(),
              congestion.ofUsual(),
              span.unexplainedShare(),
              span.causes(),
              congestion.waitedFor()));
    }
    return found;
  }
}
