package org.terrace.observation;

import java.util.Objects;

/**
 * The times of a request or connection as the capture point that recorded it told them, before they
 * were put on the clock of the first point. Immutable.
 *
 * @param point the name of the capture point
 * @param startNanos the beginning by its clock, in nanoseconds since the Unix epoch
 * @param endNanos the end by its clock; before the beginning where the clock was set back meanwhile
 */
public record PointTimes(String point, long startNanos, long endNanos) {
  /** Checks that the point has a name. */
  public PointTimes {
    Objects.requireNonNull(point);
  }
}
