package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.core.Percentiles;
import org.terrace.studies.design.Correlation;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.Share;

/** Judges the claims on an application server whose collector stops it. */
final class CollectorClaims {
  /** A window stands out if its load is so many times the median load of the run. */
  static final double HIGH_LOAD = 2;

  /** And if its throughput is below this part of the run's median throughput. */
  static final double LOW_THROUGHPUT = 0.25;

  /** The weakest correlation that counts as strong. */
  static final double STRONG = 0.3;

  /** The part of the bottlenecks that is left, at most, once they have been resolved. */
  static final double RESOLVED = 0.25;

  private static final double CONFIDENCE = 0.95;
  private static final double GOAL = 0.9;
  private static final String LACKS = "the run is missing";

  private final Ledger ledger;
  private final Optional<TransientRun> low;
  private final Optional<TransientRun> high;
  private final Optional<TransientRun> cured;

  CollectorClaims(Ledger ledger, TransientResults results) {
    this.ledger = ledger;
    this.low = results.of(TransientSetting.COLLECTOR_LOW);
    this.high = results.of(TransientSetting.COLLECTOR_HIGH);
    this.cured = results.of(TransientSetting.COLLECTOR_CURED);
  }

  void judge() {
    judgeStandstills();
    judgePausesAndLoad();
    judgeLoadAndResponse();
    judgeCure();
    judgeCuredResponse();
    judgeCause();
  }

  /** The share of windows with high load and little or no throughput, by the bounds of a run. */
  static Estimate standstills(TransientRun run, TransientRun bounds) {
    Windows windows = run.paperWindows();
    double load = HIGH_LOAD * Percentiles.median(bounds.paperWindows().load());
    double work = LOW_THROUGHPUT * Percentiles.median(bounds.paperWindows().work());
    return Estimate.share(
        windows.count(), i -> windows.load()[i] >= load && windows.work()[i] <= work);
  }

  private void judgeStandstills() {
    String rule =
        text(
            "a window of 50 ms stands out with %.0f times the median load and less than a quarter of the"
                + " median throughput of the higher load: reproduced if the interval of their share is"
                + " above zero and above that of the lower load",
            HIGH_LOAD);
    if (low.isEmpty() || high.isEmpty()) {
      ledger.judge("collector-standstills", LACKS, Verdict.CANNOT_TELL, rule);
      return;
    }
    Estimate few = standstills(low.get(), high.get());
    Estimate many = standstills(high.get(), high.get());
    Verdict verdict =
        !few.isKnown() || !many.isKnown()
            ? Verdict.CANNOT_TELL
            : many.value() == 0
                ? Verdict.NOT_REPRODUCED
                : few.isBelow(many)
                    ? Verdict.REPRODUCED
                    : many.low() > 0 ? Verdict.PARTLY : Verdict.CANNOT_TELL;
    ledger.judge(
        "collector-standstills",
        text(
            "%s of the windows at the higher load, %s at the lower", many.percent(), few.percent()),
        verdict,
        rule);
  }

  private void judgePausesAndLoad() {
    String rule =
        text(
            "correlation of the part of each 50 ms spent in pauses with the load: reproduced if its"
                + " interval is above %.1f, partly if above zero",
            STRONG);
    if (high.isEmpty()) {
      ledger.judge("collector-pauses-load", LACKS, Verdict.CANNOT_TELL, rule);
      return;
    }
    correlation("collector-pauses-load", high.get().pausedShare(), loads(high.get()), rule);
  }

  private void judgeLoadAndResponse() {
    String rule =
        text(
            "correlation of the load with the mean time of the pages that end in each 50 ms: reproduced if"
                + " its interval is above %.1f, partly if above zero",
            STRONG);
    if (high.isEmpty()) {
      ledger.judge("collector-load-response", LACKS, Verdict.CANNOT_TELL, rule);
      return;
    }
    double[] load = loads(high.get());
    double[] response = high.get().responseMillis();
    double[] known =
        IntStream.range(0, Math.min(load.length, response.length))
            .filter(i -> Double.isFinite(response[i]))
            .mapToDouble(i -> load[i])
            .toArray();
    correlation(
        "collector-load-response",
        known,
        Arrays.stream(response).limit(load.length).filter(Double::isFinite).toArray(),
        rule);
  }

  private static double[] loads(TransientRun run) {
    return run.paperWindows().load();
  }

  private void correlation(String id, double[] first, double[] second, String rule) {
    int count = Math.min(first.length, second.length);
    boolean varies = Arrays.stream(first).distinct().count() > 1;
    if (count < Trends.LEAST_WINDOWS || !varies) {
      String why = varies ? "too few windows" : "the collector never stopped the server";
      ledger.judge(id, why, Verdict.CANNOT_TELL, rule);
      return;
    }
    Correlation found =
        Correlation.pearsonOfSeries(
            Arrays.copyOf(first, count), Arrays.copyOf(second, count), CONFIDENCE);
    Verdict verdict =
        found.low() > STRONG
            ? Verdict.REPRODUCED
            : found.low() > 0
                ? Verdict.PARTLY
                : found.high() < STRONG ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
    ledger.judge(
        id,
        text(
            "%.2f (%.2f to %.2f, n = %d windows, worth %.0f that are independent)",
            found.coefficient(), found.low(), found.high(), count, found.independentPairs()),
        verdict,
        rule);
  }

  private void judgeCure() {
    String rule =
        text(
            "reproduced if the interval of what is left of the windows that stand out is below %.0f %% of"
                + " those before, partly if the intervals are apart; cannot tell if none stood out before",
            100 * RESOLVED);
    if (high.isEmpty() || cured.isEmpty()) {
      ledger.judge("collector-cure", LACKS, Verdict.CANNOT_TELL, rule);
      return;
    }
    Estimate before = standstills(high.get(), high.get());
    Estimate after = standstills(cured.get(), high.get());
    ledger.judge(
        "collector-cure",
        text("%s before, %s after", before.percent(), after.percent()),
        cure(before, after),
        rule);
  }

  /** Whether a cure left nearly nothing, less, or no less. */
  static Verdict cure(Estimate before, Estimate after) {
    if (!before.isKnown() || !after.isKnown() || before.low() <= 0) {
      return Verdict.CANNOT_TELL;
    }
    if (after.high() < RESOLVED * before.value()) {
      return Verdict.REPRODUCED;
    }
    return after.isBelow(before)
        ? Verdict.PARTLY
        : before.isBelow(after) || after.value() >= before.value()
            ? Verdict.NOT_REPRODUCED
            : Verdict.CANNOT_TELL;
  }

  private void judgeCuredResponse() {
    String rule =
        "standard deviation of the mean response time from one 50 ms to the next: reproduced if the"
            + " interval after is below half of that before, partly if the intervals are apart";
    if (high.isEmpty() || cured.isEmpty()) {
      ledger.judge("collector-cure-response", LACKS, Verdict.CANNOT_TELL, rule);
      return;
    }
    Estimate before = high.get().fluctuation();
    Estimate after = cured.get().fluctuation();
    Verdict verdict =
        !before.isKnown() || !after.isKnown()
            ? Verdict.CANNOT_TELL
            : after.high() < before.low() / 2
                ? Verdict.REPRODUCED
                : after.isBelow(before)
                    ? Verdict.PARTLY
                    : after.value() >= before.value()
                        ? Verdict.NOT_REPRODUCED
                        : Verdict.CANNOT_TELL;
    ledger.judge(
        "collector-cure-response",
        text("%s before, %s after", before.in("ms"), after.in("ms")),
        verdict,
        rule);
  }

  private void judgeCause() {
    String rule =
        text(
            "of the stalls that Terrace's analysis found at the server by packets, those it put down to"
                + " the server's own collector: reproduced if at least %.0f %% are, partly if any are",
            100 * GOAL);
    int all = high.map(TransientRun::stalls).orElse(0);
    if (all == 0) {
      String why = "no stall was found";
      ledger.judge("terrace-names-collector", why, Verdict.CANNOT_TELL, rule);
      return;
    }
    int part = high.map(TransientRun::explained).orElse(0);
    ledger.judge(
        "terrace-names-collector",
        new Share(part, all).describe(),
        part >= GOAL * all
            ? Verdict.REPRODUCED
            : part > 0 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        rule);
  }
}
