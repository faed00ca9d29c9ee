package org.terrace.analysis.study;

import org.jspecify.annotations.Nullable;

/**
 * A claim of a paper, what was measured here, and how the claim fared. Immutable.
 *
 * @param id its name within the study, for example {@code one-percent-of-outliers}
 * @param paper the paper, for example {@code Pertet and Narasimhan (2005)}
 * @param claim what the paper says, in a sentence
 * @param published the paper's figure with its unit
 * @param measured the figure measured here with its unit and interval
 * @param verdict how the claim fared
 * @param evidence why the verdict is what it is: the rule it was judged by and the figures that met
 *     it; may be empty
 * @param bound the arithmetic limit that holds for the figure whatever was measured, so that nobody
 *     takes it for evidence; null where there is none
 */
public record Claim(
    String id,
    String paper,
    String claim,
    String published,
    String measured,
    Verdict verdict,
    String evidence,
    @Nullable String bound) {

  /** Evidence that an older file does not hold is empty. */
  public Claim {
    evidence = Defaults.text(evidence);
  }

  /** A claim whose figure no arithmetic bounds. */
  public Claim(
      String id,
      String paper,
      String claim,
      String published,
      String measured,
      Verdict verdict,
      String evidence) {
    this(id, paper, claim, published, measured, verdict, evidence, null);
  }

  /** The outcome of a claim. In files it is the word that {@link #toString} gives. */
  public enum Verdict {
    /** The measurement agrees with the claim. */
    REPRODUCED("reproduced"),
    /** The measurement contradicts the claim. */
    NOT_REPRODUCED("not-reproduced"),
    /** A part of the claim's parts or configurations agrees; the rest does not. */
    PARTLY("partly"),
    /**
     * The measurement cannot decide: too few calls, an interval too wide, a part that was absent.
     */
    CANNOT_TELL("cannot-tell");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    /** The word of the file format. */
    @Override
    public String toString() {
      return word;
    }
  }
}
