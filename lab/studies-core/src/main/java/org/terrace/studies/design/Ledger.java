package org.terrace.studies.design;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;

/**
 * The ledger of a study: the claims that its specification takes from a paper, each with what was
 * measured and the verdict that a rule gives it. Confined to one thread.
 */
public final class Ledger {
  /** The beginning of the place of a claim that is a goal of our own, and in no paper. */
  private static final String OWN_GOAL = "a goal of Terrace";

  private final Study study;
  private final List<Claim> judged = new ArrayList<>();

  /** The ledger of a study, in which nothing is judged yet. */
  public Ledger(Study study) {
    this.study = study;
  }

  /**
   * Judges a claim of the study.
   *
   * @param measured the measured value, with its interval
   * @param rule how the verdict follows from it
   */
  public void judge(String id, String measured, Verdict verdict, String rule) {
    judge(id, measured, verdict, rule, null);
  }

  /**
   * Judges a claim of the study.
   *
   * @param measured the measured value, with its interval
   * @param rule how the verdict follows from it
   * @param bound what limits how far the measurement reaches, if anything does
   */
  public void judge(
      String id, String measured, Verdict verdict, String rule, @Nullable String bound) {
    PublishedClaim claim =
        study.claims().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    judged.add(
        new Claim(
            id,
            claim.where().startsWith(OWN_GOAL)
                ? claim.where()
                : study.paper() + ", " + claim.where(),
            claim.claim(),
            claim.published(),
            measured,
            verdict,
            rule,
            bound));
  }

  /** The claims that were judged, in that order. */
  public List<Claim> claims() {
    return List.copyOf(judged);
  }

  /** Reproduced if so, otherwise not. */
  public static Verdict holds(boolean yes) {
    return yes ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
  }

  /** Reproduced if in all cases, partly if in some, not if in none; no cases cannot tell. */
  public static Verdict count(long good, long all) {
    return all == 0 ? Verdict.CANNOT_TELL : atLeast(good, all);
  }

  /** Reproduced with at least {@code enough} of the cases, partly with any, otherwise not. */
  public static Verdict atLeast(long cases, long enough) {
    return cases >= enough
        ? Verdict.REPRODUCED
        : cases > 0 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
  }

  /** Numbers and words as a claim shows them. */
  @FormatMethod
  public static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A number of milliseconds as a claim shows it. */
  public static String millis(double value) {
    return text(value < 10 ? "%.2f ms" : "%,.0f ms", value);
  }
}
