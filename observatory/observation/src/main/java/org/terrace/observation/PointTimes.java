package org.terrace.observation;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.TableRow;

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

  /** The times of a row of a file; null of a row without a point or one of them. */
  static @Nullable PointTimes of(
      TableRow row, Column.Text<?> point, Column.Whole<?> start, Column.Whole<?> end)
      throws IOException {
    String name = row.text(point, "");
    long startNanos = row.whole(start, Column.ABSENT);
    long endNanos = row.whole(end, Column.ABSENT);
    return name.isEmpty() || startNanos == Column.ABSENT || endNanos == Column.ABSENT
        ? null
        : new PointTimes(name, startNanos, endNanos);
  }
}
