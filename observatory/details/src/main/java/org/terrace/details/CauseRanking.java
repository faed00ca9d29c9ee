package org.terrace.details;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.Verdict;

/**
 * The causes of one server's stalls over all of them. Each stall counts for its first significant
 * cause alone, so that no time counts twice, with the part of it that this cause overlaps; what no
 * significant cause overlaps is unexplained. Immutable.
 *
 * @param server the server's name
 * @param stalls how many stalls it had
 * @param stalledMillis how long they were in all
 * @param causes the causes, those that explain most time first
 * @param unexplainedShare the part of the stalled time that no significant cause overlaps, 0 to 1
 */
public record CauseRanking(
    String server, int stalls, double stalledMillis, List<Ranked> causes, double unexplainedShare) {

  private static final int NAMED = 4;

  /** Copies the causes. */
  public CauseRanking {
    causes = List.copyOf(causes);
  }

  /**
   * A cause with what it explains.
   *
   * @param kind the kind of its events
   * @param node the node they happened on
   * @param stalls how many stalls have it as their first cause
   * @param share the part of the whole stalled time that it explains as such, 0 to 1
   * @param adjustedP the probability of so much overlap by chance, adjusted for all that was tried
   */
  public record Ranked(String kind, String node, int stalls, double share, double adjustedP) {}

  /** The rankings of all servers that stalled, in their order. */
  public static List<CauseRanking> of(Findings findings) {
    List<CauseRanking> rankings = new ArrayList<>();
    for (ServerFindings server : findings.servers()) {
      if (!server.stalls().isEmpty()) {
        rankings.add(of(server));
      }
    }
    return rankings;
  }

  private static CauseRanking of(ServerFindings server) {
    double stalled = 0;
    double unexplained = 0;
    Map<String, Ranked> sums = new LinkedHashMap<>();
    for (Findings.Stall stall : server.stalls()) {
      double millis = (stall.endNanos() - stall.startNanos()) / 1e6;
      stalled += millis;
      unexplained += millis * stall.unexplainedShare();
      stall.causes().stream()
          .filter(Findings.Cause::significant)
          .findFirst()
          .ifPresent(cause ->
              sums.merge(
                  cause.kind() + '\0' + cause.node(),
                  new Ranked(
                      cause.kind(), cause.node(), 1, millis * cause.share(), probability(cause)),
                  CauseRanking::sum));
    }
    double all = Math.max(Double.MIN_NORMAL, stalled);
    List<Ranked> causes =
        sums.values().stream()
            .map(sum ->
                new Ranked(
                    sum.kind(), sum.node(), sum.stalls(), sum.share() / all, sum.adjustedP()))
            .sorted(Comparator.comparingDouble(Ranked::share).reversed())
            .toList();
    return new CauseRanking(
        server.name(), server.stalls().size(), stalled, causes, unexplained / all);
  }

  private static double probability(Findings.Cause cause) {
    Double adjusted = cause.adjustedP();
    Double plain = cause.p();
    return adjusted != null ? adjusted : plain != null ? plain : 1;
  }

  private static Ranked sum(Ranked one, Ranked other) {
    return new Ranked(
        one.kind(),
        one.node(),
        one.stalls() + other.stalls(),
        one.share() + other.share(),
        Math.max(one.adjustedP(), other.adjustedP()));
  }

  /** The ranking as one line: {@code app1: 20 stalls, 1,204 ms: GC pauses of app1 86 % ...}. */
  public String sentence() {
    StringBuilder words = new StringBuilder();
    words.append(
        String.format(
            Locale.ROOT,
            "%s: %,d %s, %,.0f ms:",
            server,
            stalls,
            stalls == 1 ? "stall" : "stalls",
            stalledMillis));
    for (Ranked cause : causes.subList(0, Math.min(NAMED, causes.size()))) {
      words.append(
          String.format(
              Locale.ROOT,
              " %s %.0f %% (p %.2g),",
              new Verdict.CauseSummary(cause.kind(), cause.node(), cause.stalls()).words(),
              100 * cause.share(),
              cause.adjustedP()));
    }
    return words
        .append(String.format(Locale.ROOT, " unexplained %.0f %%", 100 * unexplainedShare))
        .toString();
  }
}
