package org.terrace.studies.magical;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.ledger.Claim;
import org.terrace.analysis.ledger.Claim.Verdict;
import org.terrace.analysis.tail.Correlation;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;

/** Collects judged claims, and the rules that several are judged by. Confined to one thread. */
final class Ledger {
  /** Beyond it a correlation is no longer called weak. */
  static final double STRONG = 0.5;

  /** At most one in so many may be undecided where all others agree. */
  private static final int UNDECIDED = 10;

  private final Study study;
  private final List<Claim> claims = new ArrayList<>();

  Ledger(Study study) {
    this.study = study;
  }

  List<Claim> claims() {
    return claims;
  }

  void add(String id, String measured, Verdict verdict, String evidence) {
    add(id, measured, verdict, evidence, null);
  }

  void add(String id, String measured, Verdict verdict, String evidence, @Nullable String bound) {
    PublishedClaim claim =
        study.claims().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    claims.add(
        new Claim(
            id,
            study.paper() + ", " + claim.where(),
            claim.claim(),
            claim.published(),
            measured,
            verdict,
            evidence,
            bound));
  }

  /** Numbers and words as a claim shows them. */
  @FormatMethod
  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /**
   * What single cases say together.
   *
   * @param agree how many agree
   * @param contradict how many do not
   * @param open how many cannot tell
   */
  record Tally(int agree, int contradict, int open) {
    /**
     * Reproduced if none contradicts and at most a tenth is open; partly if most decided ones
     * agree.
     */
    Verdict verdict() {
      int all = agree + contradict + open;
      if (agree + contradict == 0) {
        return Verdict.CANNOT_TELL;
      } else if (contradict == 0) {
        return open * UNDECIDED <= all ? Verdict.REPRODUCED : Verdict.CANNOT_TELL;
      } else if (contradict * UNDECIDED > agree + contradict && agree < contradict) {
        return Verdict.NOT_REPRODUCED;
      }
      return Verdict.PARTLY;
    }
  }

  /** Reproduced with at least {@code enough} of the cases, partly with any, otherwise not. */
  static Verdict atLeast(int cases, int enough) {
    return cases >= enough
        ? Verdict.REPRODUCED
        : cases > 0 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
  }

  /** How a claim of no correlation fares. */
  static Verdict noCorrelation(Correlation found) {
    if (found.isSignificant()) {
      return Math.abs(found.coefficient()) >= STRONG ? Verdict.NOT_REPRODUCED : Verdict.PARTLY;
    }
    return found.low() > -STRONG && found.high() < STRONG
        ? Verdict.REPRODUCED
        : Verdict.CANNOT_TELL;
  }

  /** The rule of {@link #noCorrelation} in words. */
  static final String NO_CORRELATION =
      "Ranks within each application, pooled. Reproduced if the 95 % interval holds 0 and stays"
          + " within +-0.5; partly if it leaves out 0 but r is weaker than 0.5; not if r is that"
          + " strong; otherwise the data cannot tell.";

  static String correlation(Correlation found) {
    return text(
        "r = %.2f (%.2f to %.2f, n = %d)",
        found.coefficient(), found.low(), found.high(), found.pairs());
  }
}
