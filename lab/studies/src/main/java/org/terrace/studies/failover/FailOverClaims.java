package org.terrace.studies.failover;

import static org.terrace.studies.design.Ledger.holds;
import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.design.Ledger.text;
import static org.terrace.studies.failover.StepResult.maximumMillis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.MedianTime;
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

  /** The multiple of the other calls' median above which a delayed call stands out. */
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

  List<Claim> judge() {
    StepResult published = result("improvements-0");
    spikes(published);
    waiting(published);
    restoration(published);
    serviceTime(published);
    otherOperations(published);
    oneDelay(published);
    order();
    crash(result("improvements-6"), result("updates"));
    hang(result("hang"), result("updates-hang"));
    cut();
    active(result("active"));
    redundancy(result("updates"));
    nothingLost();
    return ledger.claims();
  }

  private void spikes(StepResult result) {
    long[] delays = result.delays();
    long[] others = result.otherLatencies();
    double usual = MedianTime.millisOf(others);
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
        percent(reply) + " of the time of %d delayed calls".formatted(calls.size()),
        calls.isEmpty() ? Verdict.CANNOT_TELL : holds(reply < SMALL_SHARE),
        "Reproduced if server and middleware take less than %s of the delayed calls' time."
            .formatted(percent(SMALL_SHARE)));
  }

  private void otherOperations(StepResult result) {
    long[] others =
        result.breakdowns().stream().mapToLong(FaultedCall::otherNanos).sorted().toArray();
    double share = share(result.breakdowns(), FaultedCall::otherNanos);
    ledger.judge(
        "other-operations-small",
        percent(share) + " of the delayed calls' time; " + MedianTime.of(others).describe(),
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

  /** Judges the order of the improvements by the time that each takes off the median. */
  private void order() {
    double[] drops = new double[Improvement.count()];
    StringBuilder measured = new StringBuilder();
    StringBuilder medians =
        new StringBuilder(MedianTime.of(result("improvements-0").delays()).describe());
    boolean complete = true;
    for (int on = 1; on <= drops.length; on++) {
      double before = MedianTime.millisOf(result("improvements-" + (on - 1)).delays());
      double after = MedianTime.millisOf(result("improvements-" + on).delays());
      drops[on - 1] = before - after;
      complete &= !Double.isNaN(drops[on - 1]);
      measured
          .append(on > 1 ? ", " : "")
          .append(Improvement.values()[on - 1].word)
          .append(": ")
          .append(String.format(Locale.ROOT, "%+.2f ms", -drops[on - 1]));
      medians.append(", ").append(MedianTime.of(result("improvements-" + on).delays()).describe());
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
        measured + "; from none to all: " + medians,
        complete ? verdict : Verdict.CANNOT_TELL,
        "Change of the median delay with each improvement added. Reproduced if none takes off more"
            + " than the one before it (to within 1 ms), partly if at least the first takes off most.");
  }

  private void crash(StepResult reads, StepResult updates) {
    ledger.judge(
        "terrace-crash",
        both(reads, updates),
        MedianTime.all(
            List.of(
                keeps(reads, CRASH_P50_MILLIS),
                keeps(updates, CRASH_P50_MILLIS),
                keepsMaximum(reads),
                keepsMaximum(updates))),
        "Holds if for reads and for updates the median's interval lies within 5 ms and no delay"
            + " exceeds 60 ms; not if one of the intervals lies beyond, or a delay exceeds it.");
  }

  private static String both(StepResult reads, StepResult updates) {
    return "reads: "
        + MedianTime.of(reads.delays()).describeWithLargest()
        + "; updates: "
        + MedianTime.of(updates.delays()).describeWithLargest();
  }

  private static Verdict keeps(StepResult result, double millis) {
    return MedianTime.of(result.delays()).isAtMost(millis);
  }

  private static Verdict keepsMaximum(StepResult result) {
    long[] delays = result.delays();
    return delays.length == 0
        ? Verdict.CANNOT_TELL
        : holds(maximumMillis(delays) <= CRASH_MAX_MILLIS);
  }

  private void hang(StepResult reads, StepResult updates) {
    ledger.judge(
        "terrace-hang",
        both(reads, updates),
        MedianTime.all(List.of(keeps(reads, HANG_MILLIS), keeps(updates, HANG_MILLIS))),
        "Holds if for reads and for updates the median's interval lies within 20 ms; not if one of"
            + " them lies beyond.");
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
    StepResult reads = result("cut");
    StepResult updates = result("updates-cut");
    long late = unrepaired(reads) + unrepaired(updates);
    ledger.judge(
        "terrace-cut",
        both(reads, updates)
            + "; two replicas again: "
            + MedianTime.of(updates.restorations()).describe()
            + (late == 0 ? "" : ", " + late + " not in time"),
        MedianTime.all(
            List.of(
                keeps(reads, HANG_MILLIS),
                keeps(updates, HANG_MILLIS),
                reads.faults().isEmpty() && updates.faults().isEmpty()
                    ? Verdict.CANNOT_TELL
                    : holds(late == 0))),
        "Holds if for reads and for updates the median's interval lies within 20 ms, and every cut"
            + " was repaired within ten seconds.");
  }

  /** The faults after which there were not two replicas again in time. */
  private static long unrepaired(StepResult result) {
    return (long) result.faults().size() - result.restorations().length;
  }

  private void active(StepResult result) {
    DeathOutliers found = DeathOutliers.of(result);
    ledger.judge(
        "terrace-active",
        found.describe() + "; delays: " + MedianTime.of(result.delays()).describeWithLargest(),
        found.verdict(),
        "Of windows of 200 ms. One in twenty stands out by chance. Holds if the interval of the part"
            + " of deaths that stand out has its lower end at 5 % or below and its upper end below"
            + " 25 %; partly if only its upper end keeps that, not if neither does; otherwise there"
            + " are too few deaths.");
  }

  private void redundancy(StepResult result) {
    long late = unrepaired(result);
    MedianTime median = MedianTime.of(result.restorations());
    ledger.judge(
        "terrace-redundancy",
        median.describeWithLargest() + (late == 0 ? "" : "; " + late + " not in time"),
        result.faults().isEmpty()
            ? Verdict.CANNOT_TELL
            : late > 0 ? Verdict.NOT_REPRODUCED : median.isAtMost(REDUNDANCY_MILLIS),
        "Holds if the median's interval lies within a second and every kill was repaired within ten"
            + " seconds; not if the interval lies beyond, or one was not.");
  }

  private void nothingLost() {
    int calls = 0;
    int unanswered = 0;
    long acknowledged = 0;
    long missing = 0;
    long tooMany = 0;
    boolean whole = true;
    for (StepResult result : results) {
      calls += result.probes().rows().size();
      unanswered += result.unanswered();
      acknowledged += result.effects().acknowledged();
      missing += result.effects().missing();
      tooMany += result.effects().tooMany();
      whole &= result.effects().invariantsHold();
    }
    boolean lost = unanswered > 0 || missing > 0 || tooMany > 0 || !whole;
    ledger.judge(
        "terrace-nothing-lost",
        text(
            "%,d of %,d calls came to no reply; of %,d acknowledged updates %,d have no effect in the"
                + " database, and %,d effects are there twice or unasked; invariants of the data %s",
            unanswered, calls, acknowledged, missing, tooMany, whole ? "hold" : "broken"),
        lost ? Verdict.NOT_REPRODUCED : acknowledged == 0 ? Verdict.CANNOT_TELL : holds(true),
        "Over all steps, each checked when its replicas had ended. Needs acknowledged updates.");
  }
}
