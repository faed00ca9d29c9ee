package org.terrace.hosts;

import java.util.Locale;

/**
 * The processor time that monitors took for what they read: of their own threads, without what the
 * kernel and the servers did to answer them, and without collections of the JVM. Immutable.
 *
 * @param servers the servers that were watched, the users among them
 * @param cpuNanos the processor time of all monitors together
 * @param elapsedNanos how long they watched
 */
public record MonitorCost(int servers, long cpuNanos, long elapsedNanos) {
  /** The cost of nothing. */
  public static final MonitorCost NONE = new MonitorCost(0, 0, 0);

  private static final double NANOS_PER_SECOND = 1e9;

  /** The share of a core, 0 if nothing was watched. */
  public double coreShare() {
    return elapsedNanos == 0 ? 0 : (double) cpuNanos / elapsedNanos;
  }

  /** Both together, of hosts that watched at the same time. */
  MonitorCost and(MonitorCost other) {
    return new MonitorCost(
        servers + other.servers,
        cpuNanos + other.cpuNanos,
        Math.max(elapsedNanos, other.elapsedNanos));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "the monitors of %d server%s took %.2f %% of a core (%.2f s in %.1f s)",
        servers,
        servers == 1 ? "" : "s",
        100 * coreShare(),
        cpuNanos / NANOS_PER_SECOND,
        elapsedNanos / NANOS_PER_SECOND);
  }
}
