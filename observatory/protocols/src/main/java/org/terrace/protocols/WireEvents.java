package org.terrace.protocols;

import java.util.List;
import java.util.Map;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.protocols.server.ServerTable;
import org.terrace.wire.file.DropTimes;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.tcp.TcpEvent;
import org.terrace.wire.tcp.TcpEvents;

/**
 * The events of packets as rows of the events table: on the node of the server whose connection it
 * is, with the side that did it, the connection, and the number of the packet that shows it.
 * Stateless.
 */
final class WireEvents {
  private static final String BY = "by";
  private static final String CONNECTION = "connection";
  private static final String FRAME = "frame";
  private static final String PACKETS = "packets";

  private WireEvents() {}

  static List<Event> of(TcpEvents events, ServerTable servers) {
    return events.all().stream().map(event -> of(event, servers)).toList();
  }

  private static Event of(TcpEvent event, ServerTable servers) {
    boolean byServer = isServer(event, servers);
    HostAddress address = byServer ? event.sender() : event.other();
    int port = byServer ? event.senderPort() : event.otherPort();
    return new Event(
        servers.nameAt(address, port),
        kindOf(event),
        event.startNanos(),
        event.endNanos(),
        Map.of(
            BY,
            byServer ? "server" : "client",
            CONNECTION,
            Integer.toString(event.connection()),
            FRAME,
            Long.toString(event.frame())));
  }

  /** Whether it was the server: where one end alone is known as one, else by who opened. */
  private static boolean isServer(TcpEvent event, ServerTable servers) {
    boolean sender = servers.find(event.sender(), event.senderPort()) != null;
    boolean other = servers.find(event.other(), event.otherPort()) != null;
    return sender == other ? !event.senderOpened() : sender;
  }

  private static String kindOf(TcpEvent event) {
    return switch (event.kind()) {
      case RETRANSMISSION -> EventKinds.TCP_RETRANSMISSION;
      case TIMEOUT -> EventKinds.TCP_TIMEOUT;
      case ZERO_WINDOW -> EventKinds.TCP_ZERO_WINDOW;
      case RESET -> EventKinds.TCP_RESET;
      case REFUSED -> EventKinds.TCP_REFUSED;
      case REPEATED_SYN -> EventKinds.TCP_REPEATED_SYN;
      case REPEATED_SYN_ACK -> EventKinds.TCP_REPEATED_SYN_ACK;
    };
  }

  static List<Event> of(List<DropTimes.Drop> drops) {
    return drops.stream()
        .map(drop ->
            new Event(
                EventKinds.CAPTURE,
                EventKinds.CAPTURE_DROPS,
                drop.startNanos(),
                drop.endNanos(),
                Map.of(PACKETS, Long.toString(drop.packets()))))
        .toList();
  }
}
