package org.terrace.studies.softstate;

import java.util.List;
import org.terrace.analysis.study.Claim;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.Study;

/** Judges each claim of the study by a rule that the claim's evidence states. Stateless. */
final class SoftStateClaims {
  static final List<String> IDS =
      List.of(
          "latency-below-baselines",
          "scales-with-clients",
          "data-access-grows-until-64",
          "data-access-level-beyond-64",
          "manipulation-order-of-magnitude",
          "manipulation-constant",
          "crash-expelled",
          "overload-survived",
          "stale-three-regimes",
          "recovery-within-25s",
          "others-undisturbed",
          "gossip-three-messages",
          "replicas-converge",
          "io-bound-varies",
          "overloaded-below-three",
          "replication-absorbs",
          "redundancy-improves",
          "two-pays-most",
          "scales-with-services",
          "terrace-nothing-lost",
          "terrace-nothing-doubled",
          "terrace-adaptive-fresh",
          "terrace-convergence");

  private SoftStateClaims() {}

  static List<Claim> judge(Study study, SoftStateResults results) {
    Ledger ledger = new Ledger(study);
    new CartClaims(ledger, results).judge();
    new FaultClaims(ledger, results).judge();
    new PetClaims(ledger, results).judge();
    return ledger.claims();
  }
}
