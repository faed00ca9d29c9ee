package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.decoder.Detection.Sender;
import org.terrace.protocols.decoder.Detection.Speech;
import org.terrace.protocols.server.Protocol;
import org.terrace.protocols.server.ServerEntry;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;

/**
 * One connection on its way from bytes to requests: finds out who is the client and what is spoken,
 * by the SYN and the first bytes, else by what is known of the server, else by later segments, and
 * last by the ports; then leaves the rest to a decoder. Confined to one thread.
 */
final class ProtocolConversation implements Conversation, RequestOutput {
  private static final byte[] NOTHING = {};

  /** Segments of a connection joined midway that are looked at before it counts as unknown. */
  private static final int SEGMENTS_LOOKED_AT_MAX = 8;

  private final Protocols protocols;
  private final Connection connection;
  private int clientDirection;
  private boolean midStream;
  private int segmentsLookedAt;
  private byte[] start = NOTHING;
  private long startNanos;
  private @Nullable Decoder decoder;
  private @Nullable ServerEntry server;
  private @Nullable String client;

  ProtocolConversation(Protocols protocols, Connection connection) {
    this.protocols = protocols;
    this.connection = connection;
    clientDirection = connection.openerDirection();
    midStream = clientDirection == Connection.UNKNOWN;
  }

  @Override
  public void data(int direction, byte[] bytes, int from, int to, long timeNanos) {
    Decoder known = decoder;
    if (known == null) {
      if (midStream) {
        joinMidStream(direction, bytes, from, to, timeNanos);
      } else {
        begin(direction, bytes, from, to, timeNanos);
      }
    } else if (direction == clientDirection) {
      known.clientData(bytes, from, to, timeNanos);
    } else {
      known.serverData(bytes, from, to, timeNanos);
    }
  }

  /** The first bytes of a connection whose beginning was seen. */
  private void begin(int direction, byte[] bytes, int from, int to, long timeNanos) {
    if (direction != clientDirection) {
      decode(Speech.OTHER, false);
      data(direction, bytes, from, to, timeNanos);
      return;
    }
    Speech speech;
    int taken = 0;
    if (start.length == 0) {
      startNanos = timeNanos;
      speech = Detection.ofClientStart(bytes, from, to);
    } else {
      taken = Math.min(to - from, Detection.BYTES_MAX - start.length);
      append(bytes, from, taken);
      speech = Detection.ofClientStart(start, 0, start.length);
    }
    if (speech == Speech.TOO_SHORT) {
      if (start.length == 0) {
        append(bytes, from, to - from);
      }
      return;
    }
    decode(speech, false);
    if (from + taken < to) {
      data(direction, bytes, from + taken, to, timeNanos);
    }
  }

  private void append(byte[] bytes, int from, int count) {
    start = Arrays.copyOf(start, start.length + count);
    System.arraycopy(bytes, from, start, start.length - count, count);
  }

  private void joinMidStream(int direction, byte[] bytes, int from, int to, long timeNanos) {
    if (joinKnownServer()) {
      data(direction, bytes, from, to, timeNanos);
      return;
    }
    Sender sender = Detection.ofSegment(bytes, from, to);
    if (sender != null) {
      boolean fromClient = sender == Sender.HTTP_CLIENT || sender == Sender.POSTGRESQL_CLIENT;
      boolean http = sender == Sender.HTTP_CLIENT || sender == Sender.HTTP_SERVER;
      clientDirection = fromClient ? direction : 1 - direction;
      decode(http ? Speech.HTTP : Speech.POSTGRESQL, true);
      data(direction, bytes, from, to, timeNanos);
    } else if (++segmentsLookedAt == SEGMENTS_LOOKED_AT_MAX) {
      clientDirection = connection.senderPort(0) >= connection.senderPort(1) ? 0 : 1;
      decode(Speech.OTHER, true);
      data(direction, bytes, from, to, timeNanos);
    }
  }

  /** Joins in the protocol that the server at one end was seen to speak. */
  private boolean joinKnownServer() {
    ServerEntry first = find(0);
    ServerEntry second = find(1);
    ServerEntry only = first == null ? second : second == null ? first : null;
    if (clientDirection != Connection.UNKNOWN) {
      only = find(1 - clientDirection);
    }
    Protocol protocol = only == null ? null : only.protocol();
    if (protocol == null) {
      return false;
    }
    if (clientDirection == Connection.UNKNOWN) {
      clientDirection = only == first ? 1 : 0;
    }
    decode(
        switch (protocol) {
          case HTTP -> Speech.HTTP;
          case POSTGRESQL -> Speech.POSTGRESQL;
          case OPAQUE -> Speech.OTHER;
        },
        true);
    return true;
  }

  private @Nullable ServerEntry find(int direction) {
    return protocols.servers.find(connection.sender(direction), connection.senderPort(direction));
  }

  private void decode(Speech speech, boolean joined) {
    DecoderContext context = protocols.context;
    Decoder made =
        switch (speech) {
          case HTTP ->
              joined ? HttpDecoder.joinedMidStream(context, this) : new HttpDecoder(context, this);
          case POSTGRESQL ->
              joined
                  ? PostgresDecoder.joinedMidStream(context, this)
                  : new PostgresDecoder(context, this);
          case TLS -> opaque("TLS turn");
          case HTTP2 -> opaque("HTTP/2 turn");
          case OTHER, TOO_SHORT -> opaque("turn");
        };
    decoder = made;
    server().speaks(protocolOf(speech));
    if (start.length > 0) {
      made.clientData(start, 0, start.length, startNanos);
      start = NOTHING;
    }
  }

  private static Protocol protocolOf(Speech speech) {
    return switch (speech) {
      case HTTP -> Protocol.HTTP;
      case POSTGRESQL -> Protocol.POSTGRESQL;
      case TLS, HTTP2, OTHER, TOO_SHORT -> Protocol.OPAQUE;
    };
  }

  private Decoder opaque(String requestClass) {
    protocols.context.counters.increment(WireCount.OPAQUE_CONNECTIONS);
    return new TurnTakingDecoder(this, protocols.context.classes.of(requestClass));
  }

  private ServerEntry server() {
    ServerEntry known = server;
    if (known == null) {
      int direction = 1 - clientDirection;
      known = protocols.servers.at(connection.sender(direction), connection.senderPort(direction));
      known.calledBy(connection.sender(clientDirection));
      server = known;
    }
    return known;
  }

  @Override
  public void missing(int direction, long byteCount, long timeNanos) {
    Decoder known = decoder;
    if (known == null) {
      midStream = true;
      start = NOTHING;
      if (!joinKnownServer()) {
        return;
      }
      known = decoder;
    }
    if (known != null) {
      if (direction == clientDirection) {
        known.clientMissing(byteCount, timeNanos);
      } else {
        known.serverMissing(byteCount, timeNanos);
      }
    }
  }

  @Override
  public void finished(int direction, long timeNanos) {
    if (decoder != null && direction != clientDirection) {
      decoder.serverFinished(timeNanos);
    }
  }

  @Override
  public void end(Ending ending, long timeNanos) {
    if (decoder == null && start.length > 0) {
      decode(Speech.OTHER, false);
    }
    if (decoder != null) {
      decoder.end(ending, timeNanos);
    }
  }

  @Override
  public void request(
      int requestClass,
      long arrivalNanos,
      long departureNanos,
      long bytesIn,
      long bytesOut,
      Outcome outcome) {
    ServerEntry at = server();
    String caller = client;
    if (caller == null) {
      HostAddress address = connection.sender(clientDirection);
      caller = protocols.servers.clientName(address);
      client = caller;
    }
    at.countRequest();
    protocols.count(requestClass, outcome);
    protocols.sink.accept(
        new Request(
            at.name(),
            protocols.context.classes.name(requestClass),
            caller,
            arrivalNanos,
            arrivalNanos,
            Math.max(arrivalNanos, departureNanos),
            bytesIn,
            bytesOut,
            outcome,
            connection.number()));
  }
}
