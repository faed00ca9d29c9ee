package org.terrace.nodes.machine;

import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;

/**
 * The use that a server makes of a limit of bytes a second in each direction, from one reading to
 * the next. Confined to one thread.
 */
public final class LimitUse {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long bytesPerSecond;
  private final Supplier<Passed> reading;
  private final TimeSource time;
  private @Nullable Passed before;
  private long beforeNanos;

  /**
   * The bytes that have passed so far.
   *
   * @param inBytes those that came, or were read
   * @param outBytes those that went, or were written
   */
  public record Passed(long inBytes, long outBytes) {}

  /** The use of a limit of which nothing has been read. */
  public LimitUse(long bytesPerSecond, Supplier<Passed> reading, TimeSource time) {
    this.bytesPerSecond = bytesPerSecond;
    this.reading = reading;
    this.time = time;
  }

  /** The use of a group's limit of storage. */
  public static LimitUse of(DiskGroup group, TimeSource time) {
    return new LimitUse(
        group.limitBytes(),
        () -> {
          DiskGroup.Transfer now = group.transfer();
          return new Passed(now.readBytes(), now.writtenBytes());
        },
        time);
  }

  /**
   * The share (0 upwards; the kernel may let a burst pass) of the limit that was used since the
   * last reading, of what came or of what went, whichever was more; empty at the first.
   *
   * @throws org.terrace.core.TerraceException when what is read is gone
   */
  public OptionalDouble next() {
    Passed now = reading.get();
    long nowNanos = time.elapsedNanos();
    Passed last = before;
    double seconds = (nowNanos - beforeNanos) / NANOS_PER_SECOND;
    before = now;
    beforeNanos = nowNanos;
    if (last == null || seconds <= 0) {
      return OptionalDouble.empty();
    }
    long most = Math.max(now.inBytes - last.inBytes, now.outBytes - last.outBytes);
    return OptionalDouble.of(most / (bytesPerSecond * seconds));
  }
}
