package org.terrace.details.comparison;

/**
 * A figure of a result that can be compared with the same figure of another. Immutable.
 *
 * @param name what it is of and what it is, for example {@code app1 p99}
 * @param unit its unit, for example {@code ms}; empty for a plain number
 * @param scale how two values of it are compared
 * @param better whether less or more of it is better
 * @param tolerance the difference that does not matter, in its unit; zero where ratios count, whose
 *     margin is given for all
 * @param decides whether a worse value makes the whole result worse; otherwise it is only told
 */
public record Metric(
    String name, String unit, Scale scale, Better better, double tolerance, boolean decides) {
  /** The direction that users want. */
  public enum Better {
    /** A metric of which less is better, as with a response time. */
    LESS,
    /** A metric of which more is better, as with a throughput. */
    MORE
  }

  /** The way in which two values are compared. */
  public enum Scale {
    /** The ratio of the two: for times and rates, which are never zero. */
    RATIO,
    /** The difference of the two: for shares and counts, which may be zero. */
    DIFFERENCE
  }
}
