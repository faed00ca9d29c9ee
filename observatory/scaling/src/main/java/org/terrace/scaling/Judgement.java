package org.terrace.scaling;

/**
 * The answer of a mesh to a statement about it: whether it holds, what was measured, and by which
 * rule the one follows from the other. Immutable.
 *
 * @param verdict whether it holds
 * @param measured the figures, each with its number of trials and its interval
 * @param rule the rule, with its numbers
 */
public record Judgement(Verdict verdict, String measured, String rule) {
  /** Answers to a statement. */
  public enum Verdict {
    /** The statement holds beyond chance. */
    HOLDS,
    /** A part of it holds beyond chance. */
    PARTLY,
    /** The contrary holds beyond chance. */
    FAILS,
    /** The trials leave room for both, or are not there. */
    CANNOT_TELL
  }

  /** The answer where trials are missing or too few. */
  public static Judgement cannotTell(String why, String rule) {
    return new Judgement(Verdict.CANNOT_TELL, why, rule);
  }
}
