package org.terrace.wire.file;

import java.util.ArrayList;
import java.util.List;

/**
 * The times in which a capture dropped packets itself, as its file tells them. Beyond {@value
 * #KEPT_MAX} the last is made longer. Confined to one thread.
 */
public final class DropTimes {
  static final int KEPT_MAX = 10_000;

  private final List<Drop> drops = new ArrayList<>();

  /**
   * A stretch of time in which packets were dropped. Immutable.
   *
   * @param startNanos before which none was, in nanoseconds since the Unix epoch
   * @param endNanos at which the capture said so, in nanoseconds since the Unix epoch
   * @param packets how many
   */
  public record Drop(long startNanos, long endNanos, long packets) {}

  void add(long startNanos, long endNanos, long packets) {
    long start = Math.min(startNanos, endNanos);
    if (drops.size() < KEPT_MAX) {
      drops.add(new Drop(start, endNanos, packets));
    } else {
      Drop last = drops.removeLast();
      drops.add(
          new Drop(
              Math.min(last.startNanos, start),
              Math.max(last.endNanos, endNanos),
              last.packets + packets));
    }
  }

  /** The stretches in the order in which the file tells them. */
  public List<Drop> all() {
    return List.copyOf(drops);
  }
}
