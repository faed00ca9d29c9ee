package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Exchange;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.ObservedConnection.Beginning;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.decoder.Protocol.Side;
import org.terrace.protocols.server.ServerEntry;
import org.terrace.protocols.server.ServerRole;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Moment;

/**
 * One connection on its way from bytes to requests: finds out who is the client and what is spoken,
 * by the SYN and the first bytes, else by what is known of the server, else by later segments, and
 * last by the ports; then leaves the rest to a decoder. Confined to one thread.
 */
final class ProtocolConversation implements Conversation, DecoderOutput {
  /** Segments of a connection joined midway that are looked at before it counts as unknown. */
  private static final int SEGMENTS_LOOKED_AT_MAX = 8;

  private final Protocols protocols;
  private final Connection connection;
  private int clientDirection;
  private int segmentsLookedAt;
  private @Nullable RecognisingDecoder beginning;
  private @Nullable Decoder decoder;
  private @Nullable ServerEntry server;
  private @Nullable HostAddress serverAddress;
  private @Nullable String client;
  private @Nullable HostAddress clientAddress;

  /** The protocol that was told first, and the role that what it carries gives the server. */
  private @Nullable Protocol spoken;

  private ServerRole carried = ServerRole.UNKNOWN;
  private String protocol = ProtocolRegistry.UNKNOWN.name();
  private String evidence = "nothing that tells";
  private long backend = ObservedConnection.UNKNOWN;
  private long requests;

  ProtocolConversation(Protocols protocols, Connection connection) {
    this.protocols = protocols;
    this.connection = connection;
    clientDirection = connection.openerDirection();
    if (clientDirection != Connection.UNKNOWN) {
      beginning = new RecognisingDecoder(protocols.context, this, Entry.BEGINNING);
      decoder = beginning;
    }
  }

  @Override
  public void data(int direction, byte[] bytes, int from, int to, Moment moment) {
    Decoder known = decoder;
    if (server == null) {
      meetServer();
    }
    if (known == null) {
      joinMidStream(direction, bytes, from, to, moment);
    } else if (direction == clientDirection) {
      known.clientData(bytes, from, to, moment);
    } else {
      known.serverData(bytes, from, to, moment);
    }
  }

  private void joinMidStream(int direction, byte[] bytes, int from, int to, Moment moment) {
    if (!joinKnownServer() && !joinRecognised(direction, bytes, from, to)) {
      if (++segmentsLookedAt < SEGMENTS_LOOKED_AT_MAX) {
        return;
      }
      join(ProtocolRegistry.UNKNOWN, clientByPorts(), "no segment of a known protocol");
    }
    data(direction, bytes, from, to, moment);
  }

  /** Joins in the protocol that the server at one end was seen to speak. */
  private boolean joinKnownServer() {
    ServerEntry first = find(0);
    ServerEntry second = find(1);
    ServerEntry only = first == null ? second : second == null ? first : null;
    if (clientDirection != Connection.UNKNOWN) {
      only = find(1 - clientDirection);
    }
    String name = only == null ? null : only.protocol();
    if (name == null) {
      return false;
    }
    int direction = clientDirection;
    if (direction == Connection.UNKNOWN) {
      direction = only == first ? 1 : 0;
    }
    join(protocols.context.registry.named(name), direction, "other connections of the server");
    return true;
  }

  private @Nullable ServerEntry find(int direction) {
    return protocols.servers.find(connection.sender(direction), connection.senderPort(direction));
  }

  /** Joins in the protocol that a segment shows. */
  private boolean joinRecognised(int direction, byte[] bytes, int from, int to) {
    for (Protocol each : protocols.context.registry.all()) {
      Side sender = each.senderOf(bytes, from, to);
      if (sender != null) {
        boolean ofClient = sender == Side.CLIENT;
        join(
            each,
            ofClient ? direction : 1 - direction,
            ofClient ? "a segment of the client" : "a segment of the server");
        return true;
      }
    }
    return false;
  }

  private int clientByPorts() {
    return connection.senderPort(0) >= connection.senderPort(1) ? 0 : 1;
  }

  private void join(Protocol joined, int direction, String why) {
    clientDirection = direction;
    recognised(joined, why);
    decoder = joined.decoder(protocols.context, this, Entry.MID_STREAM);
  }

  /**
   * The server, by the address that it has by now: the network of a connection that was joined
   * midway is only known when both of its directions have shown (docs/decisions/0515).
   */
  private ServerEntry server() {
    ServerEntry known = server;
    HostAddress address = connection.sender(1 - clientDirection);
    if (known == null || !address.equals(serverAddress)) {
      known = protocols.servers.at(address, connection.senderPort(1 - clientDirection));
      if (spoken != null) {
        known.speaks(spoken.name(), spoken.role());
        known.carries(carried);
      }
      server = known;
      serverAddress = address;
      client = null;
    }
    return known;
  }

  /**
   * Notes the server once its protocol is known, under a name that may stay: names that pass would
   * fill the table. One of which a request is handed on is noted under the name of that moment.
   */
  private void meetServer() {
    if (spoken != null && connection.isNamed(1 - clientDirection)) {
      var _ = server();
    }
  }

  /** The name of the client, by the address that it has by now. */
  private String client(ServerEntry called) {
    String known = client;
    HostAddress address = connection.sender(clientDirection);
    if (known == null || !address.equals(clientAddress)) {
      known = protocols.servers.clientName(address);
      client = known;
      clientAddress = address;
      called.calledBy(address);
    }
    return known;
  }

  @Override
  public void missing(int direction, long byteCount, Moment moment) {
    if (beginning != null && !beginning.isDecided()) {
      // Without its first bytes the connection is as one that was joined midway.
      beginning = null;
      decoder = null;
    }
    if (decoder == null && !joinKnownServer()) {
      return;
    }
    Decoder known = decoder;
    if (known != null) {
      if (direction == clientDirection) {
        known.clientMissing(byteCount, moment);
      } else {
        known.serverMissing(byteCount, moment);
      }
    }
  }

  @Override
  public void finished(int direction, Moment moment) {
    if (decoder != null && direction != clientDirection) {
      decoder.serverFinished(moment);
    }
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (decoder != null) {
      decoder.end(ending, moment);
    }
    tell(ending);
  }

  /** The connection ended and nobody said anything. */
  void endWithoutData(Ending ending) {
    tell(ending);
  }

  private void tell(Ending ending) {
    if (server == null) {
      meetServer();
    }
    int from = clientDirection == Connection.UNKNOWN ? clientByPorts() : clientDirection;
    HostAddress to = connection.sender(1 - from);
    int serverPort = connection.senderPort(1 - from);
    ServerEntry known = server == null ? null : server();
    protocols.connections.accept(
        new ObservedConnection(
            connection.number(),
            known == null ? protocols.servers.nameAt(to, serverPort) : known.name(),
            connection.sender(from).withPort(connection.senderPort(from)),
            to.withPort(serverPort),
            protocol,
            evidence,
            backend,
            connection.firstFrame(),
            connection.lastFrame(),
            connection.firstSeenNanos(),
            Math.max(connection.firstSeenNanos(), connection.lastSeenNanos()),
            connection.openerDirection() == Connection.UNKNOWN
                ? Beginning.MID_STREAM
                : Beginning.OPENED,
            switch (ending) {
              case CLOSED -> ObservedConnection.Ending.CLOSED;
              case RESET -> ObservedConnection.Ending.RESET;
              case REPLACED -> ObservedConnection.Ending.REPLACED;
              case EVICTED -> ObservedConnection.Ending.FORGOTTEN;
              case CAPTURE_ENDED -> ObservedConnection.Ending.OPEN;
            },
            connection.streamBytes(from),
            connection.streamBytes(1 - from),
            requests));
  }

  @Override
  public void recognised(Protocol told, String why) {
    if (spoken == null) {
      spoken = told;
      meetServer();
      protocol = told.name();
      evidence = why;
    } else {
      carried = carried == ServerRole.UNKNOWN ? told.role() : carried;
      if (server != null) {
        server.carries(told.role());
      }
      protocol += ", then " + told.name();
      evidence += ", then " + why;
    }
  }

  @Override
  public void decrypted(String version) {
    evidence += " (" + version + ")";
  }

  @Override
  public void backend(long number) {
    backend = number;
  }

  @Override
  public void request(int requestClass, OpenRequest request, Outcome outcome) {
    ServerEntry at = server();
    String caller = client(at);
    at.countRequest();
    requests++;
    protocols.count(requestClass, outcome);
    protocols.sink.accept(
        new Request(
            at.name(),
            protocols.context.classes.name(requestClass),
            caller,
            request.arrivalNanos,
            request.arrivalNanos,
            Math.max(request.arrivalNanos, request.departureNanos),
            request.bytesIn,
            request.bytesOut,
            outcome,
            connection.number(),
            new Exchange(
                request.requestEndNanos,
                request.responseStartNanos,
                request.firstFrame,
                request.lastFrame),
            request.identifier,
            request.carriedValues,
            null));
  }
}
