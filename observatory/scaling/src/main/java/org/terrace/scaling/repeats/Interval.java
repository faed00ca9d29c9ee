package org.terrace.scaling.repeats;

/**
 * An estimate between two bounds. Immutable.
 *
 * @param estimate the estimate
 * @param low the lower bound
 * @param high the upper bound
 */
public record Interval(double estimate, double low, double high) {
  /** Whether a value lies within. */
  public boolean holds(double value) {
    return low <= value && value <= high;
  }
}
