package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.Verdict;

/** Puts findings into a sentence. Stateless. */
final class Verdicts {
  /**
   * The part of its congested time in which a server must see another congested to be its victim.
   */
  private static final double SHARED_CONGESTION = 0.5;

  /** The verdict on servers that were not watched, of which only the clients were. */
  static final String UNWATCHED =
      "The servers' requests were not observed, so nothing can be said of stalls or congestion.";

  private static final int SERVERS_NAMED = 2;
  private static final int CAUSES_NAMED = 3;

  private Verdicts() {}

  static Verdict of(Findings findings, List<ServerSeries> series, Stretch stretch) {
    if (findings.servers().stream().allMatch(server -> server.requests() == 0)) {
      return new Verdict(UNWATCHED, null, List.of());
    }
    List<Verdict.StallSummary> stalls = new ArrayList<>();
    for (ServerFindings server : findings.servers()) {
      List<Findings.Stall> own = own(server);
      if (!own.isEmpty()) {
        stalls.add(summary(server, own, stretch));
      }
    }
    stalls.sort(Comparator.comparingDouble(Verdict.StallSummary::totalMillis).reversed());
    @Nullable Integer first = congestsFirst(findings.servers(), series);
    String sentence =
        stallSentence(stalls, findings)
            + waitSentence(findings)
            + slowSentence(findings)
            + heldUpSentence(findings)
            + congestionSentence(findings, first);
    return new Verdict(
        sentence, first == null ? null : findings.servers().get(first).name(), stalls);
  }

  /** The sentence about one server by itself. */
  static String sentence(ServerFindings server, Stretch stretch) {
    if (server.requests() == 0) {
      return server.name() + " was not observed.";
    }
    List<Findings.Stall> own = own(server);
    boolean waited = own.size() < server.stalls().size();
    List<String> sentences = new ArrayList<>();
    if (!own.isEmpty()) {
      sentences.add(stallWords(summary(server, own, stretch), server));
    }
    if (waited) {
      sentences.add(
          (own.isEmpty() ? server.name() + " only " : "Besides, it ") + waitWords(server));
    }
    if (sentences.isEmpty()) {
      sentences.add(server.name() + " did not stall");
    }
    List<CongestionEpisode> slow = episodes(server, CongestionEpisode.Kind.SLOW);
    if (!slow.isEmpty()) {
      sentences.add("It was slower than usual at its load" + times(slow));
    }
    List<CongestionEpisode> heldUp = heldUp(server);
    if (!heldUp.isEmpty()) {
      sentences.add("It was held up by " + mostAwaited(heldUp) + times(heldUp));
    }
    if (server.congestionPoint().identifiable()) {
      sentences.add("It congests " + congestionWords(server));
    }
    return String.join(". ", sentences) + ".";
  }

  private static List<Findings.Stall> own(ServerFindings server) {
    return server.stalls().stream().filter(stall -> !isWait(stall)).toList();
  }

  private static boolean isWait(Findings.Stall stall) {
    return stall.behaviour() == Findings.Behaviour.WAITED;
  }

  /** The server that waited most, and the one it waited for most often. */
  private static String waitSentence(Findings findings) {
    ServerFindings most = null;
    long waits = 0;
    for (ServerFindings server : findings.servers()) {
      long count = server.stalls().stream().filter(Verdicts::isWait).count();
      if (count > waits) {
        waits = count;
        most = server;
      }
    }
    if (most == null) {
      return "";
    }
    String also = own(most).isEmpty() ? " only " : " also ";
    return " " + most.name() + also + waitWords(most) + ".";
  }

  /** The words about the number of times that a server waited, and for whom most often. */
  private static String waitWords(ServerFindings server) {
    Map<String, Integer> awaited = new LinkedHashMap<>();
    server.stalls().stream()
        .filter(Verdicts::isWait)
        .forEach(stall -> awaited.merge(String.valueOf(stall.waitedFor()), 1, Integer::sum));
    int waits = awaited.values().stream().mapToInt(Integer::intValue).sum();
    return String.format(
        Locale.ROOT,
        "waited %s, %sfor %s",
        waits == 1 ? "once" : waits + " times",
        awaited.size() == 1 ? "" : "mostly ",
        Collections.max(awaited.entrySet(), Map.Entry.comparingByValue()).getKey());
  }

  private static Verdict.StallSummary summary(
      ServerFindings server, List<Findings.Stall> stalls, Stretch stretch) {
    double total = 0;
    Findings.Stall longest = stalls.getFirst();
    Map<String, Verdict.CauseSummary> causes = new LinkedHashMap<>();
    for (Findings.Stall stall : stalls) {
      total += length(stall);
      longest = length(stall) > length(longest) ? stall : longest;
      for (Findings.Cause cause : stall.causes()) {
        if (cause.significant()) {
          causes.merge(
              cause.kind() + '\0' + cause.node(),
              new Verdict.CauseSummary(cause.kind(), cause.node(), 1),
              (a, b) -> new Verdict.CauseSummary(a.kind(), a.node(), a.stalls() + b.stalls()));
        }
      }
    }
    return new Verdict.StallSummary(
        server.name(),
        stalls.size(),
        total,
        length(longest),
        (longest.startNanos() - stretch.startNanos()) / 1e9,
        causes.values().stream()
            .sorted(Comparator.comparingInt(Verdict.CauseSummary::stalls).reversed())
            .toList());
  }

  private static double length(Findings.Stall stall) {
    return (stall.endNanos() - stall.startNanos()) / 1e6;
  }

  private static String stallSentence(List<Verdict.StallSummary> stalls, Findings findings) {
    if (stalls.isEmpty()) {
      return "No server stalled.";
    }
    List<String> parts = new ArrayList<>();
    for (Verdict.StallSummary each : stalls.subList(0, Math.min(SERVERS_NAMED, stalls.size()))) {
      findings.servers().stream()
          .filter(server -> server.name().equals(each.server()))
          .findFirst()
          .ifPresent(server -> parts.add(stallWords(each, server)));
    }
    int more = stalls.size() - parts.size();
    if (more > 0) {
      parts.add(more == 1 ? "One more server stalled" : more + " more servers stalled");
    }
    return String.join(". ", parts) + ".";
  }

  private static String stallWords(Verdict.StallSummary each, ServerFindings server) {
    String times = each.count() == 1 ? "once" : each.count() + " times, longest";
    StringBuilder words =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%s stalled %s%s %.0f ms at +%.1f s",
                each.server(),
                times,
                each.count() == 1 ? ", for" : "",
                each.longestMillis(),
                each.longestStartSeconds()));
    words.append(hostWords(server));
    List<Verdict.CauseSummary> named =
        each.causes().subList(0, Math.min(CAUSES_NAMED, each.causes().size()));
    for (int i = 0; i < named.size(); i++) {
      Verdict.CauseSummary cause = named.get(i);
      words.append(i == 0 ? ", overlapped by " : ", ").append(cause.words());
      if (each.count() > 1) {
        words.append(" (").append(cause.stalls()).append(')');
      }
    }
    return words.toString();
  }

  /** The words about the number of times that not even the server's host gave a sign. */
  private static String hostWords(ServerFindings server) {
    long silent =
        server.stalls().stream()
            .filter(stall -> stall.behaviour() == Findings.Behaviour.HOST_SILENT)
            .count();
    return silent == 0
        ? ""
        : String.format(
            Locale.ROOT,
            ", %s without an acknowledgement of its host (host or network)",
            silent == 1 ? "once" : silent + " times");
  }

  private static String congestionSentence(Findings findings, @Nullable Integer first) {
    if (first == null) {
      return "";
    }
    ServerFindings server = findings.servers().get(first);
    return " " + server.name() + " congests first, " + congestionWords(server) + ".";
  }

  private static String congestionWords(ServerFindings server) {
    CongestionPoint point = server.congestionPoint();
    return String.format(
        Locale.ROOT,
        "beyond %.1f concurrent requests (%.1f to %.1f)%s",
        point.load(),
        point.low(),
        point.high(),
        times(episodes(server, CongestionEpisode.Kind.BEYOND)));
  }

  /** The server that was slower than usual for the longest time. */
  private static String slowSentence(Findings findings) {
    String name = "";
    List<CongestionEpisode> most = List.of();
    for (ServerFindings server : findings.servers()) {
      List<CongestionEpisode> slow = episodes(server, CongestionEpisode.Kind.SLOW);
      if (totalMillis(slow) > totalMillis(most)) {
        most = slow;
        name = server.name();
      }
    }
    return most.isEmpty()
        ? ""
        : " " + name + " was slower than usual at its load" + times(most) + ".";
  }

  private static List<CongestionEpisode> episodes(
      ServerFindings server, CongestionEpisode.Kind kind) {
    return server.episodes().stream().filter(each -> each.isOwn(kind)).toList();
  }

  /** The congested stretches in which a server only waited for another. */
  private static List<CongestionEpisode> heldUp(ServerFindings server) {
    return server.episodes().stream().filter(each -> each.waitedFor() != null).toList();
  }

  private static String mostAwaited(List<CongestionEpisode> heldUp) {
    Map<String, Double> awaited = new LinkedHashMap<>();
    heldUp.forEach(
        each -> awaited.merge(String.valueOf(each.waitedFor()), each.lengthMillis(), Double::sum));
    return Collections.max(awaited.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  /** The server that was held up by another for the longest time. */
  private static String heldUpSentence(Findings findings) {
    return findings.servers().stream()
        .filter(server -> !heldUp(server).isEmpty())
        .max(Comparator.comparingDouble(server -> totalMillis(heldUp(server))))
        .map(server ->
            " %s was held up by %s%s."
                .formatted(server.name(), mostAwaited(heldUp(server)), times(heldUp(server))))
        .orElse("");
  }

  private static double totalMillis(List<CongestionEpisode> episodes) {
    return episodes.stream().mapToDouble(CongestionEpisode::lengthMillis).sum();
  }

  private static String times(List<CongestionEpisode> episodes) {
    return switch (episodes.size()) {
      case 0 -> "";
      case 1 -> String.format(Locale.ROOT, ", once for %.0f ms", totalMillis(episodes));
      default ->
          String.format(
              Locale.ROOT,
              ", %d times for %.1f s in all",
              episodes.size(),
              totalMillis(episodes) / 1e3);
    };
  }

  /**
   * The server congested for the largest part of the time; or, when a later one is congested during
   * most of that, the later one, since the earlier then only waits for it.
   */
  private static @Nullable Integer congestsFirst(
      List<ServerFindings> servers, List<ServerSeries> series) {
    Integer first = null;
    double largest = 0;
    for (int i = 0; i < servers.size(); i++) {
      Double share = servers.get(i).congestionPoint().congestedShare();
      if (share != null && share > largest) {
        largest = share;
        first = i;
      }
    }
    for (int i = first == null ? servers.size() : first + 1; i < servers.size(); i++) {
      if (first != null
          && !servers.get(i).tier().equals(servers.get(first).tier())
          && sharedCongestion(servers, series, first, i) >= SHARED_CONGESTION) {
        first = i;
      }
    }
    return first;
  }

  private static double sharedCongestion(
      List<ServerFindings> servers, List<ServerSeries> series, int earlier, int later) {
    Double earlierLimit = servers.get(earlier).congestionPoint().load();
    Double laterLimit = servers.get(later).congestionPoint().load();
    if (earlierLimit == null || laterLimit == null) {
      return 0;
    }
    double[] earlierLoad = series.get(earlier).load();
    double[] laterLoad = series.get(later).load();
    int congested = 0;
    int both = 0;
    for (int i = 0; i < earlierLoad.length; i++) {
      if (earlierLoad[i] > earlierLimit) {
        congested++;
        both += laterLoad[i] > laterLimit ? 1 : 0;
      }
    }
    return congested == 0 ? 0 : (double) both / congested;
  }
}
