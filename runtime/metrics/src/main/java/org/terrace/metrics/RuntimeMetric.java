package org.terrace.metrics;

import java.util.function.LongSupplier;

/**
 * A figure of a part of the runtime, read anew each time it is asked for. Thread-safe.
 *
 * @param name its name within its {@link MetricSet}, in lower camel case
 * @param kind whether it may fall
 * @param description its meaning, in words
 * @param reading where it is read; takes no lock for long and does no I/O
 */
public record RuntimeMetric(String name, Kind kind, String description, LongSupplier reading) {
  /** The two kinds of figures that monitoring systems tell apart. */
  public enum Kind {
    /** A value now, which may rise and fall. */
    GAUGE,
    /** A count since the part was opened, which never falls. */
    COUNTER
  }

  /** The figure now. */
  public long value() {
    return reading.getAsLong();
  }
}
