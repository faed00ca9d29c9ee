package org.terrace.benchmarks.causes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.testing.Depth;
import org.terrace.testing.HeldBy;
import org.terrace.testing.HeldPlan;
import org.terrace.testing.HeldTiers;
import org.terrace.testing.Holdup;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

/**
 * The findings on servers whose holdups are known: nearly all of them, at the server that was held
 * up, and no stall without one. An analysis that finds nothing, that finds stalls everywhere, or
 * that names whatever event is frequent does not pass.
 */
class HeldFindingsTest {
  private static final int SECONDS = 60;
  private static final int PER_SECOND = 300;
  private static final int RUNS = Depth.of(2, 1);

  /** Holdups of one run have much in common: where the few leave a doubt, more decide. */
  private static final int RUNS_IN_DOUBT = 8;

  /** One an hour is permitted, so that one in the minutes of one cause is no surprise. */
  private static final int STRAYS = 1;

  /** The time that servers of a run may be called slow outside of holdups, and without any. */
  private static final double SLOW_SECONDS = 6;

  private static final double CALM_SLOW_SECONDS = 1.5;

  /** A run of which a calm stretch of 20 ms is called a stall, with and without what is held. */
  private static final long IN_BOTH = -4224398041372849343L >>> 8;

  /** The time in which queues empty after a holdup, and messages are sent again. */
  private static final long AFTER_NANOS = 700_000_000L;

  private static final long BEFORE_NANOS = 20_000_000L;
  private static final double MOST = 0.85;

  /** A pool of which one connection is left holds up little where little is asked for. */
  private static final double MOST_OF_POOL = 0.6;

  /** A stretch in which a server is said to have stalled or to have been congested. */
  private record Span(
      String server,
      long from,
      long to,
      boolean isStall,
      boolean isSlow,
      List<Findings.Cause> causes) {
    long shared(long start, long end) {
      return Math.max(0, Math.min(to, end) - Math.max(from, start));
    }

    boolean isShared(Span other) {
      return server.equals(other.server) && shared(other.from, other.to) > 0;
    }
  }

  private static List<Span> spans(HeldPlan plan) {
    Findings findings =
        Analysis.analyze(HeldObservation.of(plan, HeldTiers.run(plan)), AnalysisOptions.defaults())
            .findings();
    List<Span> spans = new ArrayList<>();
    for (ServerFindings server : findings.servers()) {
      for (Findings.Stall each : server.stalls()) {
        spans.add(
            new Span(
                server.name(), each.startNanos(), each.endNanos(), true, false, each.causes()));
      }
      for (CongestionEpisode each : server.episodes()) {
        spans.add(
            new Span(
                server.name(),
                each.startNanos(),
                each.endNanos(),
                false,
                each.kind() == CongestionEpisode.Kind.SLOW,
                each.causes()));
      }
    }
    return spans;
  }

  private static boolean isFound(Holdup held, List<Span> spans) {
    long shared =
        spans.stream()
            .filter(span -> span.server.equals(held.by().server()))
            .mapToLong(span -> span.shared(held.startNanos(), held.endNanos()))
            .sum();
    return shared > (held.endNanos() - held.startNanos()) / 2;
  }

  private static boolean isOf(Span span, List<Holdup> holdups) {
    return holdups.stream()
        .anyMatch(held ->
            span.shared(held.startNanos() - BEFORE_NANOS, held.endNanos() + AFTER_NANOS) > 0);
  }

  @ParameterizedTest
  @EnumSource(HeldBy.class)
  void whatIsHeldUpIsFoundAndNothingElseStalls(HeldBy cause) {
    long seed = Seeds.next("HeldFindingsTest") >>> 8;
    double most = cause == HeldBy.POOL ? MOST_OF_POOL : MOST;
    int found = 0;
    int all = 0;
    int strays = 0;
    double slow = 0;
    double calmSlow = 0;
    int runs = 0;
    for (int run = 0; run < RUNS || (found <= most * all && run < RUNS_IN_DOUBT); run++) {
      HeldPlan plan = HeldPlan.drawn(seed + run, SECONDS, PER_SECOND, List.of(cause));
      List<Span> spans = spans(plan);
      all += plan.holdups().size();
      found += (int) plan.holdups().stream().filter(held -> isFound(held, spans)).count();
      List<Span> calm = spans(plan.undisturbed());
      strays += strays(plan, spans, calm);
      slow += slowOfNothing(plan.holdups(), spans);
      calmSlow += slowOfNothing(List.of(), calm);
      runs++;
    }

    System.out.printf(
        "%s: found %d of %d, %d stalls of nothing; slow for nothing %.2f s, and %.2f s while calm%n",
        cause, found, all, strays, slow, calmSlow);
    assertThat((double) found / all).as("%s", cause).isGreaterThan(most);
    assertThat(strays).as("%s: stalls of nothing", cause).isLessThanOrEqualTo(STRAYS);
    assertThat(calmSlow).as("%s: slow while calm", cause).isLessThan(runs * CALM_SLOW_SECONDS);
    assertThat(slow).as("%s: slow for nothing", cause).isLessThan(runs * SLOW_SECONDS);
  }

  /** The stalls of nothing: both runs have the same requests, so that what is in both is one. */
  private static int strays(HeldPlan plan, List<Span> spans, List<Span> ofCalm) {
    List<Span> calm = ofCalm.stream().filter(Span::isStall).toList();
    return calm.size()
        + (int)
            spans.stream()
                .filter(span -> span.isStall && !isOf(span, plan.holdups()))
                .filter(span -> calm.stream().noneMatch(span::isShared))
                .count();
  }

  /** The seconds in which servers are called slow though nothing holds anybody up. */
  private static double slowOfNothing(List<Holdup> holdups, List<Span> spans) {
    long stray = 0;
    for (Span span : spans) {
      if (span.isSlow) {
        long held =
            holdups.stream()
                .mapToLong(each ->
                    span.shared(each.startNanos() - BEFORE_NANOS, each.endNanos() + AFTER_NANOS))
                .sum();
        stray += Math.max(0, span.to - span.from - held);
      }
    }
    return stray / 1e9;
  }

  @Test
  void aStallOfBothRunsIsCountedOnce() {
    HeldPlan plan = HeldPlan.drawn(IN_BOTH, SECONDS, PER_SECOND, List.of(HeldBy.STOP));

    assertThat(strays(plan, spans(plan), spans(plan.undisturbed()))).isEqualTo(1);
  }

  @Test
  void eventsThatHoldUpNobodyAreSeldomACause() {
    long seed = Seeds.next("HeldFindingsTest.calm") >>> 8;
    // In 3 of 80 runs one was, at adjusted probabilities of 0.03 to 0.05: in at most 15 % (95 %).
    Trials.failAtMost(0.15, 30, trial -> noneIsACause(seed + trial));
  }

  private static void noneIsACause(long seed) {
    HeldPlan plan = HeldPlan.drawn(seed, SECONDS, PER_SECOND, List.of(HeldBy.LOCK, HeldBy.BURST));

    assertThat(spans(plan.undisturbed()))
        .allMatch(span -> span.causes.stream().noneMatch(Findings.Cause::significant));
  }
}
