package org.terrace.studies.magical;

import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.tail.Ceilings;
import org.terrace.studies.design.Correlation;
import org.terrace.studies.design.Ledger;

/** Judges what the source says of outliers, maxima and the 99th percentile. */
final class TailClaims {
  /** Seven applications less the one exception. */
  private static final double OTHERS = 6.0 / 7;

  private static final double ABOUT_ONE_PERCENT = 0.02;
  private static final double Z_LIMIT = 10;
  private static final double MEANS_LIMIT = 20;
  private static final double TWO_ORDERS = 100;
  private static final double EXTREME_Z = 80;
  private static final double SMALL_Z = 20;
  private static final double VAST_MAJORITY = 0.9;
  private static final double PREDICTABLE_Z = 25;
  private static final int PUBLISHED_WITH_TWO_ORDERS = 4;
  private static final int PUBLISHED_APPLICATIONS = 7;
  private static final int PUBLISHED_CALLS = 10_000;
  private static final int FEW_OUTLIERS = 50;
  private static final double UNEVEN = 2;

  private final Ledger ledger;
  private final Results results;

  TailClaims(Ledger ledger, Results results) {
    this.ledger = ledger;
    this.results = results;
  }

  void judge() {
    aboutOnePercent();
    zBelowTen();
    withinTwentyMeans();
    followsMean();
    maximumDoesNotFollow();
    twoOrders();
    extreme();
    mostBelowTwenty();
    predictable();
    fewerAreLarger();
    allAlong();
  }

  private String each(ToDoubleFunction<ApplicationResult> value, String format) {
    return results.main().stream()
        .map(result ->
            result.subject().title()
                + " "
                + String.format(Locale.ROOT, format, value.applyAsDouble(result)))
        .collect(Collectors.joining(", "));
  }

  private int leastCalls() {
    return results.measurements().stream().mapToInt(Measurement::calls).min().orElse(0);
  }

  private void aboutOnePercent() {
    List<ApplicationResult> main = results.main();
    int within =
        (int) main.stream().filter(each -> each.outlierShare() <= ABOUT_ONE_PERCENT).count();
    ledger.judge(
        "outliers-about-one-percent",
        each(each -> 100 * each.outlierShare(), "%.2f %%"),
        within >= Math.ceil(OTHERS * main.size() - 1e-9)
            ? Verdict.REPRODUCED
            : 2 * within >= main.size() ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        text(
            "At most 2 %% (what all but one of the source's have) in %d of %d applications;"
                + " reproduced with all but one in seven, partly with half.",
            within, main.size()),
        "Of no distribution lies more than 10 % beyond the mean plus 3 sigma (Cantelli); a heavier"
            + " tail raises sigma and so hides outliers from this test.");
  }

  private static int within(
      List<Measurement> all, ToDoubleFunction<Measurement> high, double limit) {
    return (int) all.stream().filter(each -> high.applyAsDouble(each) <= limit).count();
  }

  private static int beyond(
      List<Measurement> all, ToDoubleFunction<Measurement> low, double limit) {
    return (int) all.stream().filter(each -> low.applyAsDouble(each) > limit).count();
  }

  private void interval(
      String id,
      ToDoubleFunction<Measurement> low,
      ToDoubleFunction<Measurement> value,
      ToDoubleFunction<Measurement> high,
      double limit,
      String unit,
      String bound) {
    List<Measurement> all = results.measurements();
    int agree = within(all, high, limit);
    int contradict = beyond(all, low, limit);
    CaseTally tally = new CaseTally(agree, contradict, all.size() - agree - contradict);
    double most = all.stream().mapToDouble(value).max().orElse(0);
    double mostHigh = all.stream().mapToDouble(high).max().orElse(0);
    ledger.judge(
        id,
        text(
            "at most %.2f %s; upper end of the interval at most %s",
            most,
            unit,
            Double.isInfinite(mostHigh) ? "unbounded" : text("%.2f %s", mostHigh, unit)),
        tally.verdict(),
        text(
            "By the 99 %% interval of order statistics of each configuration (%,d calls at least):"
                + " %d of %d lie wholly within %.0f, %d wholly beyond, %d reach across or have no"
                + " upper end. Reproduced if none is beyond and at most a tenth reaches across.",
            leastCalls(), agree, all.size(), limit, contradict, tally.open()),
        bound);
  }

  private void zBelowTen() {
    interval(
        "p99-z-below-ten",
        Measurement::lowZ,
        each -> each.tail().p99Z(),
        Measurement::highZ,
        Z_LIMIT,
        "sigma",
        text(
            "The 99th percentile of any distribution lies at most %.2f sigma above its mean"
                + " (Cantelli): agreement of the estimate is arithmetic, not evidence. Only the"
                + " upper end of the interval could exceed 10.",
            Ceilings.ofPercentile(99)));
  }

  private void withinTwentyMeans() {
    interval(
        "p99-within-twenty-means",
        Measurement::lowOverMean,
        each -> each.tail().p99OverMean(),
        Measurement::highOverMean,
        MEANS_LIMIT,
        "means",
        text(
            "The 99th percentile of latencies is at most %.0f means (Markov).",
            Ceilings.ofPercentileOverMean(99)));
  }

  private void followsMean() {
    Correlation all =
        Results.pearson(
            results.measurements(),
            Measurement::meanMillis,
            each -> each.tail().p99().valueNanos());
    Correlation within =
        results.within(Measurement::meanMillis, each -> each.tail().p99().valueNanos());
    Verdict verdict =
        all.low() > Correlations.STRONG && within.low() > 0
            ? Verdict.REPRODUCED
            : all.isSignificant() && all.coefficient() > 0
                ? Verdict.PARTLY
                : all.isSignificant() ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
    ledger.judge(
        "p99-follows-mean",
        Correlations.text(all)
            + " over all configurations; ranks within applications "
            + Correlations.text(within),
        verdict,
        "Reproduced if the 95 % interval over all lies above 0.5 and that within applications above"
            + " 0; partly if only the correlation over all is positive.",
        "Applications of different speed alone make such a correlation over all: the figure within"
            + " applications is free of that.");
  }

  private void maximumDoesNotFollow() {
    Correlation p99 =
        results.within(Measurement::meanMillis, each -> each.tail().p99().valueNanos());
    Correlation max = results.within(Measurement::meanMillis, each -> each.tail().maxNanos());
    boolean follows = max.isSignificant() && max.coefficient() >= Correlations.STRONG;
    Verdict verdict =
        max.high() < p99.low()
            ? follows ? Verdict.PARTLY : Verdict.REPRODUCED
            : follows ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
    ledger.judge(
        "maximum-does-not-follow-mean",
        "maximum and mean " + Correlations.text(max) + "; p99 and mean " + Correlations.text(p99),
        verdict,
        "Ranks within each application, pooled. Reproduced if the maximum's 95 % interval lies below"
            + " that of the 99th percentile and r is weaker than 0.5; partly if it lies below but r is"
            + " stronger; not if r is stronger and the intervals meet; otherwise the data cannot"
            + " tell.");
  }

  private void twoOrders() {
    int reach =
        (int) results.main().stream().filter(each -> each.maxOverMean() >= TWO_ORDERS).count();
    int enough =
        Math.max(
            1,
            Math.round(
                (float) PUBLISHED_WITH_TWO_ORDERS
                    * results.main().size()
                    / PUBLISHED_APPLICATIONS));
    Verdict verdict = Ledger.atLeast(reach, enough);
    boolean small = leastCalls() < PUBLISHED_CALLS;
    ledger.judge(
        "maxima-two-orders-above-mean",
        each(ApplicationResult::maxOverMean, "%.0f means"),
        verdict == Verdict.REPRODUCED ? verdict : small ? Verdict.CANNOT_TELL : verdict,
        text(
            "%d of %d applications have a maximum of at least 100 means; reproduced from %d on."
                + " Configurations of fewer than 10,000 calls that do not reach it cannot tell: rare"
                + " maxima need many calls.",
            reach, results.main().size(), enough),
        text("A maximum is at most n means: %,d here, 10,000 in the source.", leastCalls()));
  }

  private void extreme() {
    Measurement largest = results.largest();
    double z = largest.tail().maxZ();
    double ceiling = largest.tail().maxZCeiling();
    Verdict verdict =
        z >= EXTREME_Z
            ? Verdict.REPRODUCED
            : ceiling < EXTREME_Z ? Verdict.CANNOT_TELL : Verdict.NOT_REPRODUCED;
    ledger.judge(
        "extreme-z-scores",
        text("at most %.2f, where %.2f is possible", z, ceiling),
        verdict,
        "Reproduced from z = 80 on; cannot be told where arithmetic keeps every z below that.",
        text(
            "No z-score of n values exceeds (n - 1) / sqrt(n): %.2f here, and 99.99 of 10,000 calls."
                + " The source's 98.95 to 99.51 lie on that ceiling, so one call made nearly all of"
                + " sigma; its 101.78 is impossible with 10,000 calls.",
            ceiling));
  }

  private void mostBelowTwenty() {
    List<Measurement> all = results.measurements();
    long outliers = all.stream().mapToLong(each -> each.tail().sigmaOutliers().count()).sum();
    long large =
        all.stream().flatMap(each -> each.outlierZ().stream()).filter(z -> z >= SMALL_Z).count();
    double small = outliers == 0 ? 0 : 1 - (double) large / outliers;
    ledger.judge(
        "most-outliers-below-twenty",
        text("%.1f %% of %,d outliers", 100 * small, outliers),
        outliers == 0 || results.largest().tail().maxZCeiling() < SMALL_Z
            ? Verdict.CANNOT_TELL
            : small >= VAST_MAJORITY ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
        "Reproduced from 90 % on; cannot be told where no z-score can reach 20.",
        text(
            "At most one value in 401 lies 20 sigma or more above the mean (Cantelli), and none of"
                + " fewer than 402 values: little else is possible."));
  }

  private void predictable() {
    ApplicationResult first =
        results.main().stream()
            .filter(each -> each.subject() == Subject.SU_DUEL_KU)
            .findFirst()
            .orElse(null);
    if (first == null) {
      ledger.judge(
          "one-application-predictable",
          "Su-Duel-Ku was not run",
          Verdict.CANNOT_TELL,
          "Needs Su-Duel-Ku.");
      return;
    }
    Correlation follows =
        Results.spearman(first, Measurement::meanMillis, each -> each.tail().maxNanos());
    boolean says = first.maxZCeiling() > PREDICTABLE_Z;
    boolean small = first.maxZ() <= PREDICTABLE_Z;
    boolean up = follows.isSignificant() && follows.coefficient() > 0;
    Verdict verdict =
        says && !small
            ? up ? Verdict.PARTLY : Verdict.NOT_REPRODUCED
            : up ? (says ? Verdict.REPRODUCED : Verdict.PARTLY) : Verdict.CANNOT_TELL;
    ledger.judge(
        "one-application-predictable",
        text("largest z %.2f; maximum and mean ", first.maxZ()) + Correlations.text(follows),
        verdict,
        "Reproduced if no z exceeds 25 where it could, and the maximum rises with the mean; partly"
            + " if only one of the two is shown.",
        text("With these calls no z-score can exceed %.2f.", first.maxZCeiling()));
  }

  private void fewerAreLarger() {
    List<ApplicationResult> main = results.main();
    Correlation found =
        Correlation.spearman(
            main.stream().mapToDouble(ApplicationResult::outlierShare).toArray(),
            main.stream().mapToDouble(ApplicationResult::maxZ).toArray(),
            Results.CONFIDENCE);
    Correlation within = results.within(Measurement::outlierShare, each -> each.tail().maxZ());
    Verdict verdict =
        within.isSignificant()
            ? within.coefficient() < 0 ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED
            : Verdict.CANNOT_TELL;
    ledger.judge(
        "fewer-outliers-are-larger",
        "across applications "
            + Correlations.text(found)
            + "; across configurations "
            + Correlations.text(within),
        verdict,
        "Reproduced if share and largest z of configurations fall together with a 95 % interval"
            + " below 0, ranks within applications.",
        "The squares of all z-scores sum to n - 1, so a larger one leaves less room for others: the"
            + " relation is partly arithmetic.");
  }

  private void allAlong() {
    long[] tenths = new long[10];
    long bursts = 0;
    long outliers = 0;
    double chance = 0;
    for (Measurement each : results.measurements()) {
      for (int tenth = 0; tenth < tenths.length; tenth++) {
        tenths[tenth] += each.outliersByTenth().get(tenth);
      }
      int count = each.tail().sigmaOutliers().count();
      outliers += count;
      bursts += each.outliersInBursts();
      chance += count * (1 - Math.pow(1 - each.outlierShare(), Measurement.NEIGHBOURS));
    }
    double even = outliers / 10.0;
    List<String> shares = new ArrayList<>();
    double most = 0;
    double least = Double.MAX_VALUE;
    for (long tenth : tenths) {
      most = Math.max(most, (double) tenth);
      least = Math.min(least, (double) tenth);
      shares.add(text("%.0f", 100.0 * tenth / Math.max(1, outliers)));
    }
    boolean isEven = most <= UNEVEN * even && least >= even / UNEVEN;
    boolean isBursty = bursts > UNEVEN * chance;
    Verdict verdict =
        outliers < FEW_OUTLIERS
            ? Verdict.CANNOT_TELL
            : isEven && isBursty
                ? Verdict.REPRODUCED
                : isEven || isBursty ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
    ledger.judge(
        "outliers-all-along-in-bursts",
        text(
            "percent of the outliers by tenth of a run: %s; %,d of %,d within 5 calls of another,"
                + " %.0f by chance",
            String.join(" ", shares), bursts, outliers, chance),
        verdict,
        "Even if each tenth of the runs holds half to twice its part; in bursts if twice as many as"
            + " by chance lie within 5 calls of the one before. Both: reproduced; one: partly; fewer"
            + " than 50 outliers cannot tell.");
  }
}
