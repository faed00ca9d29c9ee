package org.terrace.studies.magical;

import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Correlation;
import org.terrace.studies.design.Ledger;

/** The rules by which claims about correlations are judged. Stateless. */
final class Correlations {
  /** Beyond it a correlation is no longer called weak. */
  static final double STRONG = 0.5;

  /** The rule of {@link #none} in words. */
  static final String RULE_OF_NONE =
      "Ranks within each application, pooled. Reproduced if the 95 % interval holds 0 and stays"
          + " within +-0.5; partly if it leaves out 0 but r is weaker than 0.5; not if r is that"
          + " strong; otherwise the data cannot tell.";

  private Correlations() {}

  /** The verdict on a claim that there is no correlation. */
  static Verdict none(Correlation found) {
    if (found.isSignificant()) {
      return Math.abs(found.coefficient()) >= STRONG ? Verdict.NOT_REPRODUCED : Verdict.PARTLY;
    }
    return found.low() > -STRONG && found.high() < STRONG
        ? Verdict.REPRODUCED
        : Verdict.CANNOT_TELL;
  }

  /** A correlation as a claim shows it. */
  static String text(Correlation found) {
    return Ledger.text(
        "r = %.2f (%.2f to %.2f, n = %d)",
        found.coefficient(), found.low(), found.high(), found.pairs());
  }
}
