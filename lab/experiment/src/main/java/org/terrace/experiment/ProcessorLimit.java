package org.terrace.experiment;

/**
 * The processor time that a server may use. Immutable.
 *
 * @param cores in cores, above zero; 0.5 is half of one core
 * @param calibrated whether these are cores of the machine that the experiment was written on, so
 *     that a slower machine gives more of its own, and a faster one less
 */
public record ProcessorLimit(double cores, boolean calibrated) {
  /** Checks the range. */
  public ProcessorLimit {
    if (!(cores > 0)) {
      throw new IllegalArgumentException("cores " + cores);
    }
  }

  /** The limit in cores of a machine that takes so many times the reference machine's time. */
  ProcessorLimit on(double slowdown) {
    return calibrated ? new ProcessorLimit(cores * slowdown, false) : this;
  }
}
