package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.tail.OrderStatistics;
import org.terrace.analysis.tail.PercentileInterval;
import org.terrace.studies.design.Ledger;

/** Judges the claims on a database server whose clock lags behind its load. */
final class GovernorClaims {
  /** The published number of trends. */
  static final int TRENDS = 3;

  /** Utilisation beyond this is saturation. */
  static final double SATURATED = 0.95;

  /** Congestion in fewer windows than this is not frequent. */
  static final double OFTEN = 0.01;

  /** The throughput that a higher load has to add for the system not to be at its most. */
  static final double STILL_GROWS = 1.05;

  /** Two orders of magnitude. */
  static final double TWO_ORDERS = 100;

  private static final double MEDIAN = 50;
  private static final double TAIL = 99.9;
  private static final double CONFIDENCE = 0.95;
  private static final String LACKS = "the run is missing";
  private static final String NO_GOVERNOR =
      "processor time cannot be limited here, nor the clock controlled, so no governor was at work";
  private static final String NO_POINT =
      "no congestion point of the database could be found, with or without the governor";

  private final Ledger ledger;
  private final Optional<TransientRun> low;
  private final Optional<TransientRun> middle;
  private final Optional<TransientRun> high;
  private final Optional<TransientRun> curedMiddle;
  private final Optional<TransientRun> curedHigh;
  private final @Nullable Double point;
  private final boolean isIdentified;

  GovernorClaims(Ledger ledger, TransientResults results) {
    this.ledger = ledger;
    this.low = results.of(TransientSetting.GOVERNOR_LOW);
    this.middle = results.of(TransientSetting.GOVERNOR_MIDDLE);
    this.high = results.of(TransientSetting.GOVERNOR_HIGH);
    this.curedMiddle = results.of(TransientSetting.FASTEST_MIDDLE);
    this.curedHigh = results.of(TransientSetting.FASTEST_HIGH);
    DatabasePoint found = DatabasePoint.of(results);
    this.point = found.load();
    this.isIdentified = found.isIdentified();
  }

  void judge() {
    judgeDeterioration();
    judgeTail();
    judgeUtilisation();
    judgeMainSequence();
    judgeWindowLength();
    judgeTrends();
    judgeLag();
    judgeCure("governor-cure-middle", middle, curedMiddle);
    judgeCure("governor-cure-high", high, curedHigh);
    judgeCulprit();
  }

  private void cannotTell(String id, String why, String rule) {
    ledger.judge(id, why, Verdict.CANNOT_TELL, rule);
  }

  /** The reason for which nothing can be told of a run with a governor; null where it can. */
  private static @Nullable String obstacle(Optional<TransientRun> run) {
    return run.isEmpty() ? LACKS : run.get().hasGovernor() ? null : NO_GOVERNOR;
  }

  private void judgeDeterioration() {
    String rule =
        text(
            "mean response time at the middle load above that of the low load, intervals apart, while the"
                + " high load still gives %.0f %% more pages a second than the middle one",
            100 * (STILL_GROWS - 1));
    String why = obstacle(middle);
    if (why != null || low.isEmpty() || high.isEmpty()) {
      cannotTell("early-deterioration", why == null ? LACKS : why, rule);
      return;
    }
    TransientRun between = middle.orElseThrow();
    Estimate early = low.get().response();
    Estimate later = between.response();
    double growth = high.get().pagesPerSecond() / between.pagesPerSecond();
    boolean isSlower = early.isBelow(later);
    Verdict verdict =
        growth < STILL_GROWS
            ? Verdict.CANNOT_TELL
            : isSlower
                ? Verdict.REPRODUCED
                : later.isBelow(early) || later.value() <= early.value()
                    ? Verdict.NOT_REPRODUCED
                    : Verdict.CANNOT_TELL;
    ledger.judge(
        "early-deterioration",
        text(
            "%s at %d users, %s at %d; throughput grows by %.2f from there to %d users",
            early.in("ms"),
            low.get().users(),
            later.in("ms"),
            between.users(),
            growth,
            high.get().users()),
        verdict,
        rule);
  }

  private void judgeTail() {
    String rule =
        "the 99.9th percentile of the pages' times as a multiple of the median, at the middle load:"
            + " reproduced if the interval is above 100, partly if above 10";
    String why = obstacle(middle);
    if (why != null) {
      cannotTell("long-tail", why, rule);
      return;
    }
    long[] sorted = middle.orElseThrow().latencyNanos().clone();
    Arrays.sort(sorted);
    if (sorted.length < OrderStatistics.leastCount(TAIL, CONFIDENCE)) {
      cannotTell(
          "long-tail",
          text(
              "%d pages; the interval of that percentile takes %d: run it with --full",
              sorted.length, OrderStatistics.leastCount(TAIL, CONFIDENCE)),
          rule);
      return;
    }
    PercentileInterval tail = OrderStatistics.interval(sorted, TAIL, CONFIDENCE);
    PercentileInterval median = OrderStatistics.interval(sorted, MEDIAN, CONFIDENCE);
    double value = (double) tail.valueNanos() / median.valueNanos();
    double least = (double) orZero(tail.lowNanos()) / median.valueNanos();
    Long highest = tail.highNanos();
    double most =
        highest == null ? Double.POSITIVE_INFINITY : (double) highest / median.valueNanos();
    Verdict verdict =
        least > TWO_ORDERS
            ? Verdict.REPRODUCED
            : least > 10
                ? Verdict.PARTLY
                : most < 10 ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
    ledger.judge(
        "long-tail",
        text(
            "%.0f times the median of %.2f ms (%.0f to %.0f, n = %d pages)",
            value, median.valueNanos() / 1e6, least, most, sorted.length),
        verdict,
        rule);
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  private void judgeUtilisation() {
    String rule =
        text(
            "reproduced if at the middle load the mean of each server's readings at 1 s is below %.0f %% of"
                + " what it may use while the database is congested in more than %.0f %% of windows of 50 ms",
            100 * SATURATED, 100 * OFTEN);
    String why = obstacle(middle);
    if (why != null || point == null) {
      cannotTell("unsaturated-at-seconds", why == null ? NO_POINT : why, rule);
      return;
    }
    TransientRun run = middle.orElseThrow();
    Estimate congested = run.congested(point, Windows.PAPER_MILLIS);
    double most =
        run.used().stream().mapToDouble(used -> mean(used.bySecond())).max().orElse(Double.NaN);
    Verdict verdict =
        !congested.isKnown() || Double.isNaN(most)
            ? Verdict.CANNOT_TELL
            : most < SATURATED && congested.low() > OFTEN
                ? Verdict.REPRODUCED
                : most >= SATURATED || congested.high() < OFTEN
                    ? Verdict.NOT_REPRODUCED
                    : Verdict.CANNOT_TELL;
    ledger.judge(
        "unsaturated-at-seconds",
        run.used().stream()
                .map(used -> text("%s %.0f %%", used.server(), 100 * mean(used.bySecond())))
                .collect(Collectors.joining(", "))
            + "; congested in "
            + congested.percent(),
        verdict,
        rule);
  }

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private void judgeMainSequence() {
    String rule =
        "reproduced if the analysis identifies the load N* beyond which the database's throughput grows"
            + " no more at the fastest clock, partly if a knee of the medians or the paper's rule alone"
            + " gives one";
    if (curedHigh.isEmpty() && high.isEmpty()) {
      cannotTell("main-sequence", LACKS, rule);
      return;
    }
    if (point == null) {
      cannotTell("main-sequence", NO_POINT, rule);
      return;
    }
    ledger.judge(
        "main-sequence",
        text(
            "N* = %.2f requests%s",
            point, isIdentified ? "" : ", by the knee of the medians or the paper's rule alone"),
        isIdentified ? Verdict.REPRODUCED : Verdict.PARTLY,
        rule);
  }

  private void judgeWindowLength() {
    String rule =
        "reproduced if the share of windows beyond N* is lower at 1 s than at 50 ms, intervals apart, and"
            + " throughput between half of N* and N* varies more at 20 ms than at 50 ms; partly with one"
            + " of both";
    if (point == null || high.isEmpty()) {
      cannotTell("window-length", high.isEmpty() ? LACKS : NO_POINT, rule);
      return;
    }
    TransientRun run = high.get();
    Estimate atOnce = run.congested(point, Windows.PAPER_MILLIS);
    Estimate aSecond = run.congested(point, 1_000);
    double fine = variation(run.windows().at(20), point);
    double paper = variation(run.paperWindows(), point);
    boolean enough = aSecond.isKnown() && Double.isFinite(fine) && Double.isFinite(paper);
    int good = (aSecond.isBelow(atOnce) ? 1 : 0) + (fine > paper ? 1 : 0);
    ledger.judge(
        "window-length",
        text(
            "beyond N* at 50 ms %s, at 1 s %s; throughput varies by %.0f %% at 20 ms, by %.0f %% at 50 ms",
            atOnce.percent(), aSecond.percent(), 100 * fine, 100 * paper),
        enough ? Ledger.count(good, 2) : Verdict.CANNOT_TELL,
        rule);
  }

  /** The coefficient of variation of throughput where load is between half of N* and N*. */
  static double variation(Windows windows, double point) {
    double[] inside =
        IntStream.range(0, windows.count())
            .filter(i -> windows.load()[i] > point / 2 && windows.load()[i] <= point)
            .mapToDouble(windows::throughput)
            .toArray();
    return inside.length < Trends.LEAST_WINDOWS
        ? Double.NaN
        : TransientRun.deviation(inside) / mean(inside);
  }

  private void judgeTrends() {
    String rule =
        text(
            "medians of the throughput in congested windows of 50 ms, by the clock at that time: reproduced"
                + " if at least %d lie apart with their intervals, partly with two",
            TRENDS);
    String why = obstacle(high);
    if (why != null || point == null) {
      cannotTell("governor-trends", why == null ? NO_POINT : why, rule);
      return;
    }
    Trends trends = Trends.of(high.orElseThrow(), point);
    int apart = trends.apart();
    ledger.judge(
        "governor-trends",
        trends.trends().isEmpty()
            ? text("no clock had %d congested windows", Trends.LEAST_WINDOWS)
            : trends.trends().stream()
                .map(trend ->
                    text("%.0f %% of the clock: ", 100 * trend.clock())
                        + trend.throughput().in("requests/s"))
                .collect(Collectors.joining("; ")),
        trends.trends().isEmpty()
            ? Verdict.CANNOT_TELL
            : apart >= TRENDS
                ? Verdict.REPRODUCED
                : apart == 2 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        rule);
  }

  private void judgeLag() {
    String rule =
        "share of congested windows among those at a slower clock and among those at the fastest:"
            + " reproduced if the former is higher, intervals apart";
    String why = obstacle(high);
    if (why != null || point == null) {
      cannotTell("governor-lag", why == null ? NO_POINT : why, rule);
      return;
    }
    TransientRun run = high.orElseThrow();
    Windows windows = run.paperWindows();
    Estimate slow = share(windows, run.clock(), point, false);
    Estimate fast = share(windows, run.clock(), point, true);
    Verdict verdict =
        !slow.isKnown() || !fast.isKnown()
            ? Verdict.CANNOT_TELL
            : fast.isBelow(slow)
                ? Verdict.REPRODUCED
                : slow.value() <= fast.value() ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
    ledger.judge(
        "governor-lag",
        text("%s at slower clocks, %s at the fastest", slow.percent(), fast.percent()),
        verdict,
        rule);
  }

  private static Estimate share(Windows windows, double[] clock, double point, boolean fastest) {
    int[] chosen =
        IntStream.range(0, Math.min(windows.count(), clock.length))
            .filter(i -> Double.isFinite(clock[i]) && (clock[i] >= 1) == fastest)
            .toArray();
    return Estimate.share(chosen.length, i -> windows.load()[chosen[i]] > point);
  }

  private void judgeCure(String id, Optional<TransientRun> before, Optional<TransientRun> after) {
    String rule =
        text(
            "share of windows of 50 ms beyond N*: reproduced if the interval of what is left is below"
                + " %.0f %% of that before, partly if the intervals are apart",
            100 * CollectorClaims.RESOLVED);
    String why = obstacle(before);
    if (why != null || point == null || after.isEmpty()) {
      cannotTell(id, why != null ? why : point == null ? NO_POINT : LACKS, rule);
      return;
    }
    Estimate was = before.orElseThrow().congested(point, Windows.PAPER_MILLIS);
    Estimate is = after.get().congested(point, Windows.PAPER_MILLIS);
    ledger.judge(
        id,
        text("%s before, %s after", was.percent(), is.percent()),
        CollectorClaims.cure(was, is),
        rule);
  }

  private void judgeCulprit() {
    String rule =
        "reproduced if in all runs with a governor at the middle and the high load the analysis finds the"
            + " database congested for longer than any other server, partly in some";
    String why = obstacle(middle);
    if (why != null || high.isEmpty()) {
      cannotTell("terrace-names-database", why == null ? LACKS : why, rule);
      return;
    }
    String server = TransientSetting.Case.GOVERNOR.server();
    String atMiddle = middle.orElseThrow().mostCongested();
    String atHigh = high.get().mostCongested();
    int good = (server.equals(atMiddle) ? 1 : 0) + (server.equals(atHigh) ? 1 : 0);
    ledger.judge(
        "terrace-names-database",
        text(
            "%s at the middle load, %s at the high load",
            atMiddle == null ? "none" : atMiddle, atHigh == null ? "none" : atHigh),
        atMiddle == null && atHigh == null ? Verdict.CANNOT_TELL : Ledger.count(good, 2),
        rule);
  }
}
