package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.transients.WatchingCost.Way;

/** Judges the claims on what watching costs. */
final class WatchingClaims {
  /** A cost to the machine that counts as negligible, in cores. */
  static final double NEGLIGIBLE = 0.01;

  private static final double AT_TENTH = 0.06;
  private static final double AT_FIFTIETH = 0.12;

  private final Ledger ledger;
  private final WatchingCost cost;

  WatchingClaims(Ledger ledger, TransientResults results) {
    this.ledger = ledger;
    this.cost = results.watching();
  }

  void judge() {
    judgeSampling();
    judgePassive();
    judgeBeside();
  }

  private void judgeSampling() {
    String rule =
        text(
            "processor time of the sampling process beyond that without sampling: reproduced if it is at"
                + " least %.0f %% of a core at 100 ms and %.0f %% at 20 ms with their intervals, partly if it"
                + " grows from 1 s to 100 ms to 20 ms with intervals apart",
            100 * AT_TENTH, 100 * AT_FIFTIETH);
    Difference second = cost.ownOf(Way.SECOND);
    Difference tenth = cost.ownOf(Way.TENTH);
    Difference fiftieth = cost.ownOf(Way.FIFTIETH);
    boolean known = second.isKnown() && tenth.isKnown() && fiftieth.isKnown();
    boolean grows = second.high() < tenth.low() && tenth.high() < fiftieth.low();
    boolean asMuch = tenth.low() >= AT_TENTH && fiftieth.low() >= AT_FIFTIETH;
    ledger.judge(
        "sampling-overhead",
        text(
            "1 s: %s; 100 ms: %s; 20 ms: %s",
            second.percent(), tenth.percent(), fiftieth.percent()),
        !known
            ? Verdict.CANNOT_TELL
            : asMuch ? Verdict.REPRODUCED : grows ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        rule);
  }

  private void judgePassive() {
    String rule =
        text(
            "processor time of the whole machine with the capture beyond that without: reproduced if the"
                + " interval is below %.0f %% of a core, not if all of it is above",
            100 * NEGLIGIBLE);
    Difference machine = cost.machineOf(Way.PASSIVE);
    Verdict verdict =
        !machine.isKnown()
            ? Verdict.CANNOT_TELL
            : machine.high() < NEGLIGIBLE
                ? Verdict.REPRODUCED
                : machine.low() > NEGLIGIBLE ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL;
    ledger.judge(
        "passive-negligible",
        text(
            "%s, with %d packets captured and %d lost",
            machine.percent(), cost.packets(), cost.dropped()),
        verdict,
        rule,
        "the capture runs on the servers' own machine, where the source had one of its own");
  }

  private void judgeBeside() {
    String rule =
        "processor time of the capturing process against that of the sampling process at 20 ms: reproduced"
            + " if it is less with intervals apart; it cannot be told where another program captures";
    Difference passive = cost.ownOf(Way.PASSIVE);
    Difference fiftieth = cost.ownOf(Way.FIFTIETH);
    boolean known = passive.isKnown() && fiftieth.isKnown() && cost.obstacle().isEmpty();
    ledger.judge(
        "terrace-passive-below-sampling",
        cost.obstacle().isEmpty()
            ? text("capture: %s; sampling at 20 ms: %s", passive.percent(), fiftieth.percent())
            : cost.obstacle(),
        !known
            ? Verdict.CANNOT_TELL
            : passive.high() < fiftieth.low()
                ? Verdict.REPRODUCED
                : passive.low() > fiftieth.high() ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_TELL,
        rule);
  }
}
