package org.terrace.nodes.machine;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.nodes.machine.DiskGroup.Transfer;

/**
 * The use that a server makes of its limit of storage, from one reading to the next. Confined to
 * one thread.
 */
public final class DiskUse {
  private static final double NANOS_PER_SECOND = 1e9;

  private final DiskGroup group;
  private final TimeSource time;
  private @Nullable Transfer before;
  private long beforeNanos;

  /** The use of a server of which nothing has been read. */
  public DiskUse(DiskGroup group, TimeSource time) {
    this.group = group;
    this.time = time;
  }

  /**
   * The share (0 upwards; the kernel may let a little more pass) of the limit that was used since
   * the last reading, of what was read or of what was written, whichever was more; empty at the
   * first.
   *
   * @throws org.terrace.core.TerraceException when the group is gone
   */
  public OptionalDouble next() {
    Transfer now = group.transfer();
    long nowNanos = time.elapsedNanos();
    Transfer last = before;
    double seconds = (nowNanos - beforeNanos) / NANOS_PER_SECOND;
    before = now;
    beforeNanos = nowNanos;
    if (last == null || seconds <= 0) {
      return OptionalDouble.empty();
    }
    long most =
        Math.max(now.readBytes() - last.readBytes(), now.writtenBytes() - last.writtenBytes());
    return OptionalDouble.of(most / (group.limitBytes() * seconds));
  }
}
