package org.terrace.studies.softstate;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.terrace.analysis.ledger.Claim;
import org.terrace.analysis.ledger.Claim.Verdict;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;

/** The claims of the study as they are judged. Confined to one thread. */
final class Ledger {
  private final Study study;
  private final List<Claim> judged = new ArrayList<>();

  Ledger(Study study) {
    this.study = study;
  }

  /**
   * Judges a claim.
   *
   * @param measured what was measured, with its interval
   * @param rule how the verdict follows from it
   */
  void judge(String id, Verdict verdict, String measured, String rule) {
    PublishedClaim claim =
        study.claims().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    judged.add(
        new Claim(
            id,
            study.paper() + ", " + claim.where(),
            claim.claim(),
            claim.published(),
            measured,
            verdict,
            rule));
  }

  static Verdict holds(boolean yes) {
    return yes ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
  }

  /** Reproduced if in all cases, partly if in some, not if in none; no cases cannot tell. */
  static Verdict count(long good, long all) {
    if (all == 0) {
      return Verdict.CANNOT_TELL;
    }
    return good == all ? Verdict.REPRODUCED : good > 0 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
  }

  static String millis(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f ms" : "%,.0f ms", value);
  }

  @FormatMethod
  static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }

  List<Claim> claims() {
    return List.copyOf(judged);
  }
}
