package org.terrace.studies.softstate;

import static org.terrace.studies.design.Ledger.count;
import static org.terrace.studies.design.Ledger.holds;
import static org.terrace.studies.design.Ledger.text;

import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.MedianTime;

/** The claims about crashes, overload and repair. */
final class FaultClaims {
  private static final int SOME = 5;
  private static final double UNDISTURBED = 0.9;
  private static final double SLOWED = 0.5;
  private static final int GOSSIP_MESSAGES_MAX = 3;
  private static final double QUICKLY_SECONDS = 5;
  private static final double RECOVERY_SECONDS = 25;
  private static final double CONVERGENCE_SECONDS = 2;

  private final Ledger ledger;
  private final SoftStateResults results;

  FaultClaims(Ledger ledger, SoftStateResults results) {
    this.ledger = ledger;
    this.results = results;
  }

  void judge() {
    crash();
    survived();
    regimes();
    recovery();
    others();
    gossip();
    converge();
    nothingLost();
    nothingDoubled();
    adaptive();
    convergence();
  }

  private void crash() {
    CrashRun.Result crash = results.crash();
    long[] expelled = crash.expelledNanos();
    String spread =
        expelled.length == 0 ? "none in time" : MedianTime.of(expelled).describeWithLargest();
    boolean quick = expelled.length == crash.kills();
    ledger.judge(
        "crash-expelled",
        text(
            "%d of %d dead replicas expelled: %s; %,d of %,d calls failed meanwhile",
            expelled.length, crash.kills(), spread, crash.failed(), crash.calls().count()),
        crash.kills() == 0 ? Verdict.CANNOT_TELL : bothOrOne(quick, crash.failed() == 0),
        text(
            "Reproduced if both survivors expel every dead replica within %.0f s and no call fails,"
                + " partly if one of the two.",
            QUICKLY_SECONDS));
  }

  private static Verdict bothOrOne(boolean one, boolean other) {
    return one && other
        ? Verdict.REPRODUCED
        : one || other ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
  }

  private void survived() {
    int alive = results.staleness().alive();
    long dropped = results.staleness().dropped();
    ledger.judge(
        "overload-survived",
        text(
            "%d of %d replicas ran at the end; they refused %,d calls because too many were under way",
            alive, StalenessRun.REPLICAS, dropped),
        alive < StalenessRun.REPLICAS
            ? Verdict.NOT_REPRODUCED
            : dropped == 0 ? Verdict.CANNOT_TELL : Verdict.REPRODUCED,
        "Reproduced if all run at the end of an overload that made them drop calls; without a call"
            + " dropped it cannot be told.");
  }

  private void regimes() {
    Regimes regimes = Regimes.of(results.staleness());
    boolean more = regimes.during() >= SOME && regimes.duringShare() > regimes.beforeShare();
    Verdict verdict =
        regimes.readsDuring() == 0
            ? Verdict.CANNOT_TELL
            : !more
                ? Verdict.NOT_REPRODUCED
                : regimes.after() >= SOME ? Verdict.REPRODUCED : Verdict.PARTLY;
    ledger.judge(
        "stale-three-regimes",
        regimes.describe(),
        verdict,
        "Reads from the victims. Reproduced if during the overload 5 or more are stale, a larger share"
            + " than before, and 5 or more after it; partly if only during it; otherwise not.");
  }

  private void recovery() {
    Regimes regimes = Regimes.of(results.staleness());
    boolean none = regimes.during() + regimes.after() < SOME;
    ledger.judge(
        "recovery-within-25s",
        none
            ? text("%,d stale reads: too few to recover from", regimes.during() + regimes.after())
            : text(
                "the last stale read within %.0f s after the overload (bins of %d s)",
                regimes.recoverySeconds(), results.staleness().binSeconds()),
        none ? Verdict.CANNOT_TELL : holds(regimes.recoverySeconds() <= RECOVERY_SECONDS),
        "Reproduced if no read is stale later than 25 s after the overload ends; with fewer than 5"
            + " stale reads it cannot be told.");
  }

  private void others() {
    StalenessRun.Result result = results.staleness();
    Pace pace = Pace.of(result, result.adaptive());
    Verdict verdict =
        !pace.isKnown()
            ? Verdict.CANNOT_TELL
            : pace.failedDuring() > 0 || pace.kept() < SLOWED
                ? Verdict.NOT_REPRODUCED
                : pace.kept() < UNDISTURBED ? Verdict.PARTLY : Verdict.REPRODUCED;
    ledger.judge(
        "others-undisturbed",
        text(
            "%.0f reads/s answered before the overload, %.0f during it (%.2f times), %,d failed",
            pace.before(), pace.during(), pace.kept(), pace.failedDuring()),
        verdict,
        "Clients in a closed loop that read from whoever answers fastest. Reproduced if during the"
            + " overload they get at least 0.9 of the reads a second that they got before and none"
            + " fails, partly if at least half, otherwise not. Victims and others share this"
            + " machine's processors, which counts against the claim.");
  }

  private void gossip() {
    GossipRecording gossip = results.staleness().gossip();
    ledger.judge(
        "gossip-three-messages",
        text(
            "at most %d in any of %,d rounds of %d replicas, of which three were overloaded; %.2f on"
                + " average",
            gossip.messagesARoundMax(),
            gossip.rounds(),
            gossip.replicas(),
            gossip.messagesARound()),
        gossip.replicas() < StalenessRun.REPLICAS || gossip.rounds() == 0
            ? Verdict.CANNOT_TELL
            : holds(gossip.messagesARoundMax() <= GOSSIP_MESSAGES_MAX),
        "Reproduced if no replica sent more than 3 in any round. Counted by the replicas: comparisons,"
            + " sketches, requests, entries and updates sent for repair, but neither updates with"
            + " their acknowledgements nor transfers of all entries. Cannot be told unless all"
            + " replicas left their counts.");
  }

  private void converge() {
    long all = 2 + results.cart().stream().filter(run -> !run.store().isDatabase()).count();
    long agreed =
        results.cart().stream()
            .filter(run -> !run.store().isDatabase() && run.missing() == 0)
            .count();
    agreed += results.crash().missing() == 0 ? 1 : 0;
    agreed += results.staleness().missing() == 0 ? 1 : 0;
    ledger.judge(
        "replicas-converge",
        text("all replicas held every acknowledged update after %d of %d runs", agreed, all),
        count(agreed, all),
        "Reproduced if of all runs.");
  }

  private void nothingLost() {
    long missing =
        results.cart().stream()
                .filter(run -> !run.store().isDatabase())
                .mapToLong(CartRun::missing)
                .sum()
            + results.crash().missing()
            + results.staleness().missing();
    long updates = updates();
    ledger.judge(
        "terrace-nothing-lost",
        text("%,d missing, of more than %,d acknowledged", missing, updates),
        missing == 0 && updates == 0 ? Verdict.CANNOT_TELL : holds(missing == 0),
        "Holds if at the end of every run every reachable replica has every acknowledged update.");
  }

  /** The acknowledged updates of figure 4; those of crashes and overload are not counted apart. */
  private long updates() {
    return results.cart().stream()
        .filter(run -> !run.store().isDatabase())
        .mapToLong(run -> run.updates().count())
        .sum();
  }

  private void nothingDoubled() {
    long doubled =
        results.cart().stream()
                .filter(run -> !run.store().isDatabase())
                .mapToLong(CartRun::tooMany)
                .sum()
            + results.crash().tooMany()
            + results.staleness().tooMany();
    ledger.judge(
        "terrace-nothing-doubled",
        text(
            "%,d too many over all replicas, of which %,d after crashes; %,d updates acknowledged",
            doubled, results.crash().tooMany(), updates()),
        doubled == 0 && updates() == 0 ? Verdict.CANNOT_TELL : holds(doubled == 0),
        "Holds if at the end of every run no replica counts more updates than were asked for.");
  }

  private void adaptive() {
    Regimes victims = Regimes.of(results.staleness());
    Regimes any = Regimes.of(results.staleness(), results.staleness().adaptive());
    long stale = any.before() + any.during() + any.after();
    long atVictims = victims.before() + victims.during() + victims.after();
    ledger.judge(
        "terrace-adaptive-fresh",
        text("%,d stale reads from the fastest replicas, %,d from the victims", stale, atVictims),
        atVictims < SOME ? Verdict.CANNOT_TELL : holds(stale <= atVictims / 2),
        "Holds if at most half as many reads are stale for clients that ask the fastest replicas as"
            + " for as many clients that ask the victims; with fewer than 5 of those it cannot be"
            + " told.");
  }

  private void convergence() {
    double crowd =
        results.cart().stream()
            .filter(run -> !run.store().isDatabase())
            .mapToDouble(CartRun::secondsToAgree)
            .max()
            .orElse(Double.NaN);
    double most = Math.max(crowd, results.staleness().secondsToAgree());
    ledger.judge(
        "terrace-convergence",
        text("%.1f s at most, after the load of any run and a look at every object", most),
        Double.isNaN(most) ? Verdict.CANNOT_TELL : holds(most <= CONVERGENCE_SECONDS),
        "Holds if after each load all replicas are seen to hold everything within 2 s.");
  }
}
