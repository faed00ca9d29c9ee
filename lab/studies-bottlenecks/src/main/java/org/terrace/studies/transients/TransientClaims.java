package org.terrace.studies.transients;

import java.util.Comparator;
import java.util.List;
import org.terrace.analysis.study.Claim;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.Study;

/** Judges each claim of the study by a rule that the claim's evidence states. Stateless. */
final class TransientClaims {
  static final List<String> IDS =
      List.of(
          "early-deterioration",
          "long-tail",
          "unsaturated-at-seconds",
          "main-sequence",
          "window-length",
          "collector-standstills",
          "collector-pauses-load",
          "collector-load-response",
          "collector-cure",
          "collector-cure-response",
          "governor-trends",
          "governor-lag",
          "governor-cure-middle",
          "governor-cure-high",
          "sampling-overhead",
          "passive-negligible",
          "terrace-names-collector",
          "terrace-names-database",
          "terrace-passive-below-sampling");

  private TransientClaims() {}

  static List<Claim> judge(Study study, TransientResults results) {
    Ledger ledger = new Ledger(study);
    new GovernorClaims(ledger, results).judge();
    new CollectorClaims(ledger, results).judge();
    new WatchingClaims(ledger, results).judge();
    return ledger.claims().stream()
        .sorted(Comparator.comparingInt(claim -> IDS.indexOf(claim.id())))
        .toList();
  }
}
