package org.terrace.wire.tcp;

import org.jspecify.annotations.Nullable;

/** A segment held until the bytes before it come. Confined to one thread. */
final class Segment {
  final int sequence;
  final byte[] captured;
  final int length;
  final long timeNanos;
  @Nullable Segment next;

  Segment(int sequence, byte[] captured, int length, long timeNanos) {
    this.sequence = sequence;
    this.captured = captured;
    this.length = length;
    this.timeNanos = timeNanos;
  }
}
