package org.terrace.wire.tcp;

import org.terrace.wire.packet.HostAddress;

/**
 * An action of TCP itself on one connection, from one moment to another. Immutable.
 *
 * @param kind what it was
 * @param connection the number of the connection
 * @param sender the address of the host that did it
 * @param senderPort its port
 * @param other the address of the other host
 * @param otherPort its port
 * @param senderOpened whether the sender opened the connection, or seems to have by its port
 * @param startNanos when it began, in nanoseconds since the Unix epoch
 * @param endNanos when the packet came that shows it, in nanoseconds since the Unix epoch
 * @param frame the number of that packet
 */
public record TcpEvent(
    Kind kind,
    int connection,
    HostAddress sender,
    int senderPort,
    HostAddress other,
    int otherPort,
    boolean senderOpened,
    long startNanos,
    long endNanos,
    long frame) {
  /** The kinds of what TCP does. */
  public enum Kind {
    /** Data were sent again, soon: from what was sent before to that. */
    RETRANSMISSION,
    /** Data were sent again after nobody had acknowledged them for long: likewise. */
    TIMEOUT,
    /** The receiver could take no more: from its saying so to its taking data again. */
    ZERO_WINDOW,
    /** The connection was broken off: an instant. */
    RESET,
    /**
     * The connection was refused, as no process accepts any there: from the asking to the refusal.
     */
    REFUSED,
    /** A connection was asked for again: from the asking before. */
    REPEATED_SYN,
    /**
     * A connection was granted again, since the grant, or what confirmed it, was dropped: likewise.
     */
    REPEATED_SYN_ACK
  }
}
