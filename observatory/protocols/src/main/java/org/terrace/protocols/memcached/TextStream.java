package org.terrace.protocols.memcached;

import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.text.LineBuffer;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of Memcached's text protocol: lines, some of which announce a value of so many
 * bytes behind them, which is passed over. Confined to one thread.
 */
abstract class TextStream {
  /** {@link #line}: no value follows. */
  static final long NO_VALUE = -1;

  private static final int LINE_END_BYTES = 2;

  private final LineBuffer line;
  private boolean lost;

  /** Bytes left of a value and of the end of its line. */
  private long valueLeft;

  private boolean inValue;

  /** The time at which the line began that is being read, or what the line announces. */
  long startNanos;

  long startFrame;
  long lastNanos;
  long lastFrame;

  /** The bytes of the line and its value so far. */
  long messageBytes;

  TextStream(DecoderContext context) {
    line = new LineBuffer(context.memory);
  }

  /**
   * A line is complete.
   *
   * @return the length of the value that follows, or {@link #NO_VALUE}
   */
  abstract long line(byte[] bytes, int from, int to);

  /** A value is complete that a line announced. */
  abstract void valueEnds();

  /** The stream breaks the protocol, or too much of it is missing; it must be lost. */
  abstract void broken(boolean byGap);

  /** Takes the next bytes. */
  final void accept(byte[] bytes, int from, int to, Moment moment) {
    seen(moment);
    int at = from;
    while (at < to && !lost) {
      if (inValue) {
        int count = (int) Math.min(valueLeft, to - at);
        at += count;
        pass(count);
      } else {
        at = acceptLine(bytes, at, to, moment);
      }
    }
  }

  private void seen(Moment moment) {
    if (moment.timeNanos() >= lastNanos) {
      lastNanos = moment.timeNanos();
      lastFrame = moment.frame();
    }
  }

  private int acceptLine(byte[] bytes, int at, int to, Moment moment) {
    if (!line.isPartial()) {
      startNanos = moment.timeNanos();
      startFrame = moment.frame();
      messageBytes = 0;
    }
    int behind = line.take(bytes, at, to);
    if (behind == LineBuffer.TOO_LONG) {
      broken(false);
      return to;
    }
    int end = behind == LineBuffer.CUT ? to : behind;
    messageBytes += end - at;
    if (behind != LineBuffer.CUT) {
      long valueBytes = line(line.bytes(), line.from(), line.to());
      line.release();
      if (valueBytes != NO_VALUE && !lost) {
        inValue = true;
        valueLeft = valueBytes + LINE_END_BYTES;
      }
    }
    return end;
  }

  private void pass(long count) {
    messageBytes += count;
    valueLeft -= count;
    if (valueLeft == 0) {
      inValue = false;
      valueEnds();
    }
  }

  /** The next bytes were not captured. */
  final void missing(long byteCount, Moment moment) {
    seen(moment);
    if (lost) {
      return;
    }
    if (inValue && byteCount <= valueLeft) {
      pass(byteCount);
    } else {
      broken(true);
    }
  }

  /** Whether the stream stands between two lines, and in no value. */
  final boolean isBetweenMessages() {
    return !lost && !inValue && !line.isPartial();
  }

  /** Whether it waits for something that tells where lines begin. */
  final boolean isLost() {
    return lost;
  }

  /** Waits for something that tells where lines begin. */
  final void lose() {
    reset(true);
  }

  /** Lines begin with the next byte. */
  final void found() {
    reset(false);
  }

  private void reset(boolean nowLost) {
    lost = nowLost;
    inValue = false;
    valueLeft = 0;
    line.clear();
    line.release();
  }

  /** Gives back the memory; the last call. */
  final void release() {
    line.clear();
    line.release();
  }
}
