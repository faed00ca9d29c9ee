package org.terrace.studies.magical;

import java.util.List;
import org.terrace.analysis.study.Claim;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.Study;

/** Judges each claim of the study by a rule that the claim's evidence states. Stateless. */
final class MagicalClaims {
  static final List<String> IDS =
      List.of(
          "outliers-about-one-percent",
          "p99-z-below-ten",
          "p99-within-twenty-means",
          "p99-follows-mean",
          "maximum-does-not-follow-mean",
          "maxima-two-orders-above-mean",
          "extreme-z-scores",
          "most-outliers-below-twenty",
          "one-application-predictable",
          "fewer-outliers-are-larger",
          "outliers-all-along-in-bursts",
          "outlier-size-not-with-rate",
          "outlier-share-with-rate-differs",
          "not-with-reply-size",
          "not-with-clients",
          "single-client-smaller",
          "rate-of-park-n-park",
          "mean-grows-with-clients",
          "outliers-from-both-parts",
          "most-frequent-part-differs",
          "park-n-park-from-middleware",
          "detection-largest",
          "recovery-like-fault-free-maxima",
          "fault-free-beyond-recovery");

  private MagicalClaims() {}

  static List<Claim> judge(Study study, Results results) {
    Ledger ledger = new Ledger(study);
    new TailClaims(ledger, results).judge();
    new FactorClaims(ledger, results).judge();
    new OriginClaims(ledger, results).judge();
    return ledger.claims();
  }
}
