package org.terrace.studies.failover;

import static org.terrace.studies.design.Ledger.holds;
import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.failover.StepResult.maximumMillis;
import static org.terrace.studies.failover.StepResult.medianMillis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.terrace.analysis.ledger.Claim;
import org.terrace.analysis.ledger.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.Study;
import org.terrace.studies.services.FaultedCall;

/** Judges each claim of the study by a rule that the claim's evidence states. */
final class FailOverClaims {
  static final List<String> IDS =
      List.of(
          "spikes-at-kills",
          "waiting-dominates",
          "restoration-second",
          "service-time-small",
          "other-operations-small",
          "one-delay-suffices",
          "order-of-improvements",
          "terrace-crash",
          "terrace-hang",
          "terrace-cut",
          "terrace-active",
          "terrace-redundancy",
          "terrace-nothing-lost");

  private static final double CRASH_P50_MILLIS = 5;
  private static final double CRASH_MAX_MILLIS = 60;
  private static final double HANG_MILLIS = 20;
  private static final double REDUNDANCY_MILLIS = 1_000;
  private static final double SMALL_SHARE = 0.05;
  private static final long DELAY_NANOS = 5_000_000_000L;

  /** How far above the other calls' median a delayed call must lie to stand out. */
  private static final int SPIKE_FACTOR = 10;

  /** Drops below this part of the published delay are taken for no drop. */
  private static final double NOTICEABLE_MILLIS = 1;

  private final Ledger ledger;
  private final List<StepResult> results;
  private final Optional<String> obstacleToCuts;

  /**
   * Judges these results.
   *
   * @param obstacleToCuts why there is no step with a cut of the network, if there is none
   */
  FailOverClaims(Study study, List<StepResult> results, Optional<String> obstacleToCuts) {
    this.ledger = new Ledger(study);
    this.results = results;
    this.obstacleToCuts = obstacleToCuts;
  }

  private StepResult result(String name) {
    return results.stream()
        .filter(result -> result.step().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  List<Claim> judge(boolean invariantsHold) {
    StepResult published = result("improvements-0");
    spikes(published);
    waiting(published);
    restoration(published);
    serviceTime(published);
    otherOperations(published);
    oneDelay(published);
    order();
    crash(result("improvements-6"));
    bound("terrace-hang", result("hang"), HANG_MILLIS);
    cut();
    active(result("active"));
    redundancy(result("improvements-6"));
    nothingLost(invariantsHold);
    return ledger.claims();
  }

  private void spikes(StepResult result) {
    long[] delays = result.delays();
    long[] others = result.otherLatencies();
    double usual = medianMillis(others);
    long above = Arrays.stream(delays).filter(delay -> delay > SPIKE_FACTOR * usual * 1e6).count();
    ledger.judge(
        "spikes-at-kills",
        "%d of %d kills delayed a call to more than %d times the median of the others (%s); delays %s to %s"
            .formatted(
                above,
                delays.length,
                SPIKE_FACTOR,
                millis(usual),
                millis(StepResult.minimumMillis(delays)),
                millis(maximumMillis(delays))),
        delays.length == 0 || others.length == 0
            ? Verdict.CANNOT_TELL
            : holds(above == delays.length),
        "Reproduced if every kill did.");
  }

  private static double share(List<FaultedCall> calls, ToLongFunction<FaultedCall> part) {
    double all = calls.stream().mapToLong(FaultedCall::elapsedNanos).sum();
    return calls.stream().mapToLong(part).sum() / Math.max(1, all);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }

  private void waiting(StepResult result) {
    List<FaultedCall> calls = result.breakdowns();
    double wait = share(calls, FaultedCall::waitNanos);
    double rest =
        Math.max(
            Math.max(
                share(calls, FaultedCall::restoreNanos), share(calls, FaultedCall::connectNanos)),
            Math.max(
                share(calls, FaultedCall::namingNanos), share(calls, FaultedCall::detectNanos)));
    ledger.judge(
        "waiting-dominates",
        percent(wait) + " of the delayed calls' time, the next part " + percent(rest),
        calls.isEmpty() ? Verdict.CANNOT_TELL : holds(wait > rest),
        "Reproduced if waiting is the largest part over %d delayed calls.".formatted(calls.size()));
  }

  private void restoration(StepResult result) {
    List<FaultedCall> calls = result.breakdowns();
    double restore = share(calls, FaultedCall::restoreNanos);
    double naming = share(calls, FaultedCall::namingNanos);
    double connect = share(calls, FaultedCall::connectNanos);
    double reply = share(calls, FaultedCall::replyNanos);
    ledger.judge(
        "restoration-second",
        "restoration %s; naming %s, connecting %s, service %s"
            .formatted(percent(restore), percent(naming), percent(connect), percent(reply)),
        calls.isEmpty()
            ? Verdict.CANNOT_TELL
            : holds(restore > naming && restore > connect && restore > reply),
        "Reproduced if restoration is the largest part after waiting, over %d delayed calls."
            .formatted(calls.size()));
  }

  private void serviceTime(StepResult result) {
    List<FaultedCall> calls = result.breakdowns();
    double reply = share(calls, FaultedCall::replyNanos);
    ledger.judge(
        "service-time-small",
        percent(reply),
        calls.isEmpty() ? Verdict.CANNOT_TELL : holds(reply < SMALL_SHARE),
        "Reproduced if server and middleware take less than %s of the delayed calls' time."
            .formatted(percent(SMALL_SHARE)));
  }

  private void otherOperations(StepResult result) {
    long[] others =
        result.breakdowns().stream().mapToLong(FaultedCall::otherNanos).sorted().toArray();
    double micros = medianMillis(others) * 1_000;
    double share = share(result.breakdowns(), FaultedCall::otherNanos);
    ledger.judge(
        "other-operations-small",
        String.format(Locale.ROOT, "median %,.0f us over %d delayed calls", micros, others.length),
        others.length == 0 ? Verdict.CANNOT_TELL : holds(share < SMALL_SHARE),
        "Reproduced if all else takes less than %s of the delayed calls' time."
            .formatted(percent(SMALL_SHARE)));
  }

  private void oneDelay(StepResult result) {
    List<FaultedCall> waited =
        result.breakdowns().stream().filter(call -> call.waitNanos() > 0).toList();
    long once = waited.stream().filter(call -> call.waitNanos() < 3 * DELAY_NANOS / 2).count();
    ledger.judge(
        "one-delay-suffices",
        "%d of %d clients' waits ended after one delay of five seconds"
            .formatted(once, waited.size()),
        waited.isEmpty() ? Verdict.CANNOT_TELL : holds(once == waited.size()),
        "Reproduced if every wait did.");
  }

  /** What each improvement takes off the median, in the order of the source. */
  private void order() {
    double[] drops = new double[Improvement.count()];
    StringBuilder measured = new StringBuilder();
    boolean complete = true;
    for (int on = 1; on <= drops.length; on++) {
      double before = medianMillis(result("improvements-" + (on - 1)).delays());
      double after = medianMillis(result("improvements-" + on).delays());
      drops[on - 1] = before - after;
      complete &= !Double.isNaN(drops[on - 1]);
      measured
          .append(on > 1 ? ", " : "")
          .append(Improvement.values()[on - 1].word)
          .append(": ")
          .append(String.format(Locale.ROOT, "%+.2f ms", -drops[on - 1]));
    }
    boolean firstLargest = true;
    boolean ordered = true;
    for (int i = 1; i < drops.length; i++) {
      firstLargest &= drops[0] >= drops[i];
      ordered &= drops[i] <= drops[i - 1] + NOTICEABLE_MILLIS;
    }
    Verdict verdict =
        ordered ? Verdict.REPRODUCED : firstLargest ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
    ledger.judge(
        "order-of-improvements",
        measured.toString(),
        complete ? verdict : Verdict.CANNOT_TELL,
        "Change of the median delay with each improvement added. Reproduced if none takes off more"
            + " than the one before it (to within 1 ms), partly if at least the first takes off most.");
  }

  private void crash(StepResult result) {
    long[] delays = result.delays();
    boolean kept =
        medianMillis(delays) <= CRASH_P50_MILLIS && maximumMillis(delays) <= CRASH_MAX_MILLIS;
    ledger.judge(
        "terrace-crash", spread(delays), kept(delays, kept), "The goal holds or it does not.");
  }

  private void bound(String id, StepResult result, double millis) {
    long[] delays = result.delays();
    ledger.judge(
        id,
        spread(delays),
        kept(delays, medianMillis(delays) <= millis),
        "The goal holds for the median, or it does not.");
  }

  private void cut() {
    if (obstacleToCuts.isPresent()) {
      ledger.judge(
          "terrace-cut",
          "not struck: " + obstacleToCuts.get(),
          Verdict.CANNOT_TELL,
          "The network of this run could not be cut.");
      return;
    }
    StepResult result = result("cut");
    long[] restored = result.restorations();
    boolean repaired = restored.length == result.faults().size();
    long[] delays = result.delays();
    ledger.judge(
        "terrace-cut",
        spread(delays)
            + "; two replicas again after a median of "
            + millis(medianMillis(restored))
            + (repaired ? "" : ", " + (result.faults().size() - restored.length) + " not in time"),
        kept(delays, repaired && medianMillis(delays) <= HANG_MILLIS),
        "The goal holds if the median keeps it and every cut was repaired before the next.");
  }

  /** An outlier that is no larger than those without a fault is no visible outlier. */
  private void active(StepResult result) {
    long[] delays = result.delays();
    long[] others = result.otherLatencies();
    double largest = maximumMillis(others);
    ledger.judge(
        "terrace-active",
        spread(delays) + "; the largest other call " + millis(largest),
        others.length == 0 ? Verdict.CANNOT_TELL : kept(delays, maximumMillis(delays) <= largest),
        "Holds if no call at a kill took longer than the longest of the calls far from one.");
  }

  private void redundancy(StepResult result) {
    long[] restored = result.restorations();
    boolean all = restored.length == result.faults().size();
    ledger.judge(
        "terrace-redundancy",
        spread(restored)
            + (all ? "" : "; " + (result.faults().size() - restored.length) + " not in time"),
        result.faults().isEmpty()
            ? Verdict.CANNOT_TELL
            : holds(all && medianMillis(restored) <= REDUNDANCY_MILLIS),
        "The goal holds for the median, with every fault repaired before the next.");
  }

  private void nothingLost(boolean invariantsHold) {
    int unanswered = results.stream().mapToInt(StepResult::unanswered).sum();
    int calls = results.stream().mapToInt(result -> result.probes().rows().size()).sum();
    ledger.judge(
        "terrace-nothing-lost",
        "%,d of %,d calls came to no reply; invariants of the data %s"
            .formatted(unanswered, calls, invariantsHold ? "hold" : "broken"),
        calls == 0 ? Verdict.CANNOT_TELL : holds(unanswered == 0 && invariantsHold),
        "Over all steps.");
  }

  private static Verdict kept(long[] measured, boolean goal) {
    return measured.length == 0 ? Verdict.CANNOT_TELL : holds(goal);
  }

  private static String spread(long[] sorted) {
    return "median %s, largest %s, n = %d"
        .formatted(millis(medianMillis(sorted)), millis(maximumMillis(sorted)), sorted.length);
  }
}
