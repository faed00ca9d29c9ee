package org.terrace.analysis;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an analysis. Immutable.
 *
 * @param windowMillis the window length of the series in milliseconds, one of {@link
 *     WindowLengths#MILLIS}; null to have it chosen from the data
 * @param seed the seed of the bootstrap and of the shifts; the same seed and observation give the
 *     same result
 * @param resamples the resamples of a bootstrap, at least {@value #MINIMUM_RESAMPLES}
 * @param shifts the circular shifts behind a cause's probability, at least {@value #MINIMUM_SHIFTS}
 * @param correctedDeviation whether {@code asPublished} divides the standard deviation by {@code n0
 *     - 1}, which the formula in footnote 4 of Wang et al. (2013) leaves out
 */
public record AnalysisOptions(
    @Nullable Integer windowMillis,
    long seed,
    int resamples,
    int shifts,
    boolean correctedDeviation)
    implements Serializable {

  /** The fewest resamples whose 95 % interval is worth quoting. */
  public static final int MINIMUM_RESAMPLES = 400;

  /** The fewest shifts that can show a probability near 0.001. */
  public static final int MINIMUM_SHIFTS = 1_000;

  /** Checks the ranges. */
  public AnalysisOptions {
    if (windowMillis != null && !WindowLengths.isOne(windowMillis)) {
      throw new IllegalArgumentException(
          "window of " + windowMillis + " ms; expected one of " + WindowLengths.listed());
    }
    if (resamples < MINIMUM_RESAMPLES) {
      throw new IllegalArgumentException(
          resamples + " resamples; expected at least " + MINIMUM_RESAMPLES);
    }
    if (shifts < MINIMUM_SHIFTS) {
      throw new IllegalArgumentException(shifts + " shifts; expected at least " + MINIMUM_SHIFTS);
    }
  }

  /**
   * The window chosen from the data, seed 1, the fewest resamples and shifts, the formula as is.
   */
  public static AnalysisOptions defaults() {
    return new AnalysisOptions(null, 1, MINIMUM_RESAMPLES, MINIMUM_SHIFTS, false);
  }

  /** These options with a window length. */
  public AnalysisOptions withWindowMillis(int millis) {
    return new AnalysisOptions(millis, seed, resamples, shifts, correctedDeviation);
  }
}
