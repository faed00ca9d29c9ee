package org.terrace.observation;

import org.terrace.observation.table.Column;

/**
 * The phases of one request and its response between arrival and departure, and their packets.
 * Immutable.
 *
 * @param requestEndNanos when the request's last byte came, in nanoseconds since the Unix epoch;
 *     {@link #UNKNOWN} if it was not seen whole
 * @param responseStartNanos when the first byte of its response left; {@link #UNKNOWN} if there was
 *     none. It may precede the end of the request
 * @param firstFrame the number of the packet with the request's first byte, counted from 1 as
 *     Wireshark does; {@link #UNKNOWN} if packets have no numbers
 * @param lastFrame the number of the last packet of the response, or of the request if there was no
 *     response; {@link #UNKNOWN} if packets have no numbers
 */
public record Exchange(
    long requestEndNanos, long responseStartNanos, long firstFrame, long lastFrame) {
  /** The value of what is not known. */
  public static final long UNKNOWN = Column.ABSENT;

  /** An exchange of which nothing is known. */
  public static final Exchange NONE = new Exchange(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
}
