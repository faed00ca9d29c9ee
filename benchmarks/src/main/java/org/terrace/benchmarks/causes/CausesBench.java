package org.terrace.benchmarks.causes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.Findings;
import org.terrace.benchmarks.BenchReport;
import org.terrace.benchmarks.OnlyFlag;
import org.terrace.testing.CauseScore;
import org.terrace.testing.HeldBy;
import org.terrace.testing.HeldPlan;
import org.terrace.testing.HeldTiers;
import org.terrace.testing.Holdup;

/**
 * Measures the naming of causes where the truth is known: three servers are really held up by
 * causes of many kinds among events that hold up nobody, the requests and events are analysed as
 * {@code terrace analyze --events} does, and the cause named first for each holdup is compared with
 * the true one.
 *
 * <p>{@code terrace bench causes [--quick] [--only=CAUSE,...] [--json]}.
 */
public final class CausesBench {
  private static final int SECONDS = 60;

  /** Requests a second, in turn from round to round. */
  private static final int[] PER_SECOND = {300, 150, 400, 220};

  private static final int ROUNDS = 12;
  private static final long SEED = 1;
  private static final double RIGHT_GOAL = 0.9;
  private static final double WRONG_GOAL = 0.02;
  private static final double[] PROBABILITIES = {0.05, 0.02, 0.01, 0.005, 0.003};

  /** The causes among which each run has one that nothing tells of. */
  private static final List<HeldBy> UNTOLD = List.of(HeldBy.POOL, HeldBy.STOP);

  private final CauseScore held = new CauseScore();
  private final CauseScore waiting = new CauseScore();
  private final CauseScore released = new CauseScore();
  private final List<BenchReport.Row> rows = new ArrayList<>();

  private CausesBench() {}

  /** Runs the benchmark; {@code --quick}, {@code --only} and {@code --json} are its flags. */
  public static void main(String[] arguments) {
    List<String> flags = List.of(arguments);
    List<String> known =
        Arrays.stream(HeldBy.values())
            .filter(each -> !each.told().isEmpty())
            .map(HeldBy::toString)
            .toList();
    List<String> chosen = OnlyFlag.of(flags, known, known);
    List<HeldBy> causes =
        Arrays.stream(HeldBy.values()).filter(each -> chosen.contains(each.toString())).toList();
    CausesBench bench = new CausesBench();
    System.err.println("Seed " + SEED);
    int rounds = flags.contains("--quick") ? 1 : ROUNDS;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < causes.size(); i++) {
        bench.run(causes, i, round);
      }
    }
    BenchReport report = bench.report();
    report.print(System.out, flags.contains("--json"));
    System.exit(report.conclude(System.err, OnlyFlag.isPart(flags)));
  }

  /** A run in which a cause, another that differs from round to round, and an untold one come. */
  private void run(List<HeldBy> causes, int first, int round) {
    HeldBy other = causes.get((first + 1 + 3 * round) % causes.size());
    HeldBy untold = UNTOLD.get((first + round) % UNTOLD.size());
    List<HeldBy> mixed = List.of(causes.get(first), other, untold);
    System.err.println("Round " + (round + 1) + ": " + mixed);
    HeldPlan plan =
        HeldPlan.drawn(
            SEED + 100L * round + first, SECONDS, PER_SECOND[round % PER_SECOND.length], mixed);
    Findings findings =
        Analysis.analyze(HeldObservation.of(plan, HeldTiers.run(plan)), AnalysisOptions.defaults())
            .findings();
    for (Holdup each : plan.holdups()) {
      held.add(NamedCause.atHeld(findings, each));
      NamedCause.atWaiting(findings, each).forEach(waiting::add);
      if (each.by() == HeldBy.RELEASE) {
        released.add(NamedCause.released(findings, "app1", each));
      }
    }
  }

  private BenchReport report() {
    for (CauseScore score : List.of(held, waiting, released)) {
      score
          .matrix()
          .forEach((truth, named) ->
              named.forEach((name, count) -> row(truth, "named " + name, share(count, named))));
    }
    for (double p : PROBABILITIES) {
      row("p <= " + p, "coverage", held.right(p));
      row("p <= " + p, "precision", held.precision(p));
    }
    return BenchReport.of(
        "causes",
        rows,
        List.of(
            goal("right-of-told", held.right(1), true),
            goal("right-of-bursts", held.of(HeldBy.BURST.toString()).right(1), true),
            goal("right-of-released", released.right(1), true),
            goal("wrong", held.wrong(1), false),
            goal("wrong-of-waits", waiting.wrong(1), false),
            goal("wrong-of-released", released.wrong(1), false)));
  }

  /** A goal with its row; one of a cause that was not chosen is not judged. */
  private BenchReport.Goal goal(String id, CauseScore.Share share, boolean isRight) {
    row("all", id, share);
    BenchReport.Goal goal =
        isRight
            ? BenchReport.Goal.atLeast(id, share.value(), RIGHT_GOAL)
            : BenchReport.Goal.atMost(id, share.value(), WRONG_GOAL);
    String words =
        "%d of %d, %.3f to %.3f".formatted(share.count(), share.of(), share.low(), share.high());
    return share.of() == 0
        ? BenchReport.Goal.notJudged(id, goal.goal(), "there were none")
        : goal.because(words);
  }

  private static CauseScore.Share share(int count, java.util.Map<String, Integer> named) {
    return CauseScore.share(count, named.values().stream().mapToInt(Integer::intValue).sum());
  }

  /** A share with its 95 % interval; its runs are the effects it is a share of. */
  private void row(String subject, String metric, CauseScore.Share share) {
    rows.add(
        new BenchReport.Row(
            subject,
            "",
            metric,
            "",
            share.value(),
            share.low(),
            share.high(),
            share.of(),
            null,
            null));
  }
}
