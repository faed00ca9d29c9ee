package org.terrace.nodes.machine;

import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * Processor time as the kernel's bandwidth control wants it: so many microseconds in each period.
 *
 * <p>The period is 10 ms, a tenth of the kernel's default, so that a limited server is slow evenly
 * and does not stand still for most of a 50 ms window of the analysis. A quota below 1 ms is not
 * accepted by the kernel: for less than a tenth of a core the period grows instead. Immutable.
 *
 * @param quotaMicros 1,000 or more
 * @param periodMicros 10,000 to 1,000,000
 */
record CpuLimit(long quotaMicros, long periodMicros) {
  static final double MINIMUM_CORES = 0.001;
  static final double MAXIMUM_CORES = 1024;

  private static final long PERIOD_MICROS = 10_000;
  private static final long MINIMUM_QUOTA_MICROS = 1000;

  /**
   * The limit to a number of cores.
   *
   * @throws TerraceException when the number is not in range
   */
  static CpuLimit cores(double cores) {
    if (!(cores >= MINIMUM_CORES && cores <= MAXIMUM_CORES)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "a CPU limit of %s cores is out of range: expected %s to %s"
              .formatted(cores, MINIMUM_CORES, MAXIMUM_CORES));
    }
    long quota = Math.round(cores * PERIOD_MICROS);
    return quota >= MINIMUM_QUOTA_MICROS
        ? new CpuLimit(quota, PERIOD_MICROS)
        : new CpuLimit(MINIMUM_QUOTA_MICROS, Math.round(MINIMUM_QUOTA_MICROS / cores));
  }
}
