package org.terrace.nodes.setting;

import java.time.Duration;
import java.util.Optional;

/**
 * The processor time that a server may use. Immutable.
 *
 * @param cores in cores, above zero; 0.5 is half of one core
 * @param calibrated whether these are cores of the machine that the experiment was written on, so
 *     that a slower machine gives more of its own, and a faster one less
 * @param governor how often a frequency governor decides at which clock speed the server goes on;
 *     empty: always at the highest
 */
public record ProcessorLimit(double cores, boolean calibrated, Optional<Duration> governor) {
  /** Checks the range. */
  public ProcessorLimit {
    if (!(cores > 0)) {
      throw new IllegalArgumentException("cores " + cores);
    }
  }

  /** A limit without a governor. */
  public ProcessorLimit(double cores, boolean calibrated) {
    this(cores, calibrated, Optional.empty());
  }

  /** The limit in cores of a machine that takes so many times the reference machine's time. */
  public ProcessorLimit on(double slowdown) {
    return calibrated ? new ProcessorLimit(cores * slowdown, false, governor) : this;
  }
}
