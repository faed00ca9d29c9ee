package org.terrace.wire.tcp;

/**
 * The moment at which something is seen in a capture: the time and the number of a packet. One
 * object is filled anew for every packet, so a receiver copies what it keeps. Confined to one
 * thread.
 */
public final class Moment {
  private long timeNanos;
  private long frame;

  /** Sets both at once. */
  public void set(long newTimeNanos, long newFrame) {
    timeNanos = newTimeNanos;
    frame = newFrame;
  }

  /** The time, in nanoseconds since the Unix epoch. */
  public long timeNanos() {
    return timeNanos;
  }

  /**
   * The number of the packet, counted from 1 in the order of the file as Wireshark does; captures
   * that are read as one are counted on.
   */
  public long frame() {
    return frame;
  }
}
