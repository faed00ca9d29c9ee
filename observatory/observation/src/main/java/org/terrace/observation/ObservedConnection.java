package org.terrace.observation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.table.Column;

/**
 * One TCP connection: a row of the connections table. Immutable.
 *
 * @param connection its number, the one that its requests carry
 * @param server the name of its server, as the requests have it
 * @param clientAddress the endpoint of the side that asks, {@code host:port}
 * @param serverAddress the endpoint of the side that answers, {@code host:port}
 * @param protocol what it speaks: {@code HTTP/1.1}, {@code PostgreSQL} and the like; {@code
 *     unknown} if nothing tells
 * @param evidence what tells who is the client and what is spoken
 * @param backend the number by which the server calls the process or thread that serves it; {@link
 *     #UNKNOWN} if it does not tell
 * @param firstFrame the number of its first packet, counted from 1 as Wireshark does
 * @param lastFrame the number of its last packet, of which those are none that follow its end
 * @param startNanos the time of its first packet, in nanoseconds since the Unix epoch
 * @param endNanos the time of its last packet; not before the start
 * @param beginning whether it was seen being opened
 * @param ending how it ended
 * @param bytesIn bytes of payload from the client, those that were not captured among them
 * @param bytesOut bytes of payload from the server, those that were not captured among them
 * @param requests how many requests were found on it
 * @param recorded the times of its first and last packet by the clock of the capture point of the
 *     first; null where all times are of one clock
 */
public record ObservedConnection(
    int connection,
    String server,
    String clientAddress,
    String serverAddress,
    String protocol,
    String evidence,
    long backend,
    long firstFrame,
    long lastFrame,
    long startNanos,
    long endNanos,
    Beginning beginning,
    Ending ending,
    long bytesIn,
    long bytesOut,
    long requests,
    @Nullable PointTimes recorded) {
  /** The value of what is not known. */
  public static final long UNKNOWN = Column.ABSENT;

  /** The beginning of a connection. */
  public enum Beginning {
    /** The SYN of the connection was captured. */
    OPENED,
    /** The connection was open already when it was first seen. */
    MID_STREAM
  }

  /** The end of a connection. */
  public enum Ending {
    /** The two sides finished. */
    CLOSED,
    /** One side reset it, or refused it. */
    RESET,
    /** A new connection took the same endpoints; the end was not seen. */
    REPLACED,
    /** The connection was forgotten after long silence or to stay within memory. */
    FORGOTTEN,
    /** The connection was open when the capture ended. */
    OPEN
  }

  /** Checks the order of the times. */
  public ObservedConnection {
    Objects.requireNonNull(server);
    Objects.requireNonNull(clientAddress);
    Objects.requireNonNull(serverAddress);
    Objects.requireNonNull(protocol);
    Objects.requireNonNull(evidence);
    Objects.requireNonNull(beginning);
    Objects.requireNonNull(ending);
    if (endNanos < startNanos) {
      throw new IllegalArgumentException("end " + endNanos + " is before start " + startNanos);
    }
  }

  /** A connection whose times are of the one clock that there is. */
  public ObservedConnection(
      int connection,
      String server,
      String clientAddress,
      String serverAddress,
      String protocol,
      String evidence,
      long backend,
      long firstFrame,
      long lastFrame,
      long startNanos,
      long endNanos,
      Beginning beginning,
      Ending ending,
      long bytesIn,
      long bytesOut,
      long requests) {
    this(
        connection,
        server,
        clientAddress,
        serverAddress,
        protocol,
        evidence,
        backend,
        firstFrame,
        lastFrame,
        startNanos,
        endNanos,
        beginning,
        ending,
        bytesIn,
        bytesOut,
        requests,
        null);
  }

  /** The same connection with its times by the clock of its capture point. */
  public ObservedConnection withRecorded(@Nullable PointTimes times) {
    return new ObservedConnection(
        connection,
        server,
        clientAddress,
        serverAddress,
        protocol,
        evidence,
        backend,
        firstFrame,
        lastFrame,
        startNanos,
        endNanos,
        beginning,
        ending,
        bytesIn,
        bytesOut,
        requests,
        times);
  }
}
