package org.terrace.wire.file;

/** A conversion of the times of one capture's packets. */
@FunctionalInterface
public interface PacketClock {
  /** The times as they are. */
  PacketClock RAW = (number, rawNanos) -> rawNanos;

  /**
   * The converted time of a packet.
   *
   * @param number its number, counted from 1 in the order of the file
   * @param rawNanos its time in the file, in nanoseconds since the Unix epoch
   */
  long timeNanos(long number, long rawNanos);
}
