package org.terrace.wire.tcp;

import org.jspecify.annotations.Nullable;

/** A segment held until the bytes before it come. Confined to one thread. */
final class Segment {
  final int sequence;
  final byte[] captured;
  final int length;
  final long timeNanos;
  final long frame;
  @Nullable Segment next;

  Segment(int sequence, byte[] captured, int length, Moment moment) {
    this.sequence = sequence;
    this.captured = captured;
    this.length = length;
    timeNanos = moment.timeNanos();
    frame = moment.frame();
  }
}
