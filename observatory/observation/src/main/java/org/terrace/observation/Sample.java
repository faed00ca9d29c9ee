package org.terrace.observation;

import java.util.Objects;

/**
 * One reading of one resource of one node: a row of the samples table. Immutable.
 *
 * @param node the name of the server or machine
 * @param resource what was read, with its unit, for example {@code cpu-utilisation} (0..1 of the
 *     cores it may use), {@code memory-bytes}, {@code disk-read-bytes-per-second}, {@code
 *     network-receive-bytes-per-second}
 * @param timeNanos the end of the interval it stands for, in nanoseconds since the Unix epoch
 * @param value the reading, in the resource's unit
 */
public record Sample(String node, String resource, long timeNanos, double value) {
  /** Checks that the names are there. */
  public Sample {
    Objects.requireNonNull(node);
    Objects.requireNonNull(resource);
  }
}
