package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.DatabaseTurns.Turn;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * MySQL's and MariaDB's protocol: a request is a command, from its first byte to the last of its
 * answer, several results among it; pipelined commands are answered in their order. Logging in is a
 * request of its own. Commands without an answer are none. Behind a request for TLS the login and
 * what follows is read if TLS can be decrypted. Behind a login that asks for compression by zlib
 * what it packs is unpacked; for TLS without keys, or another compression, only turns are known.
 * Confined to one thread.
 *
 * <p>Where a snap length or a loss hides the end of an answer, it ends with the server's last byte
 * before the client's next command, and that is counted.
 */
final class MySqlDecoder implements Decoder {
  private final DecoderContext context;
  private final DecoderOutput output;
  private final DatabaseTurns turns;
  private final MySqlClient client;
  private final MySqlServer server;
  private @Nullable Decoder tls;
  private @Nullable Decoder switched;
  private boolean ended;

  MySqlDecoder(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
    turns = new DatabaseTurns(context, output);
    client = new MySqlClient(context, turns);
    server = new MySqlServer(context, output, turns, client);
  }

  /** A decoder of a connection of which the beginning was not seen. */
  static MySqlDecoder joinedMidStream(DecoderContext context, DecoderOutput output) {
    MySqlDecoder decoder = new MySqlDecoder(context, output);
    decoder.client.lose();
    decoder.server.lose();
    return decoder;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    Decoder encrypted = tls;
    int at = from;
    if (encrypted == null) {
      at = plainClientData(bytes, from, to, moment);
      if (!client.asksTls()) {
        return;
      }
      Protocol protocol = context.registry.tls();
      output.recognised(protocol, "the client asks for TLS");
      encrypted = protocol.decoderAround(context, output, new InsideTls(this));
      tls = encrypted;
    }
    if (at < to) {
      encrypted.clientData(bytes, at, to, moment);
    }
  }

  /** Takes what the client says in the clear or inside TLS; returns the index of the rest. */
  int plainClientData(byte[] bytes, int from, int to, Moment moment) {
    Decoder other = switched;
    if (other == null) {
      return clientPackets(bytes, from, to, moment);
    }
    other.clientData(bytes, from, to, moment);
    return to;
  }

  int clientPackets(byte[] bytes, int from, int to, Moment moment) {
    turnMayEnd(bytes, from, to, moment);
    return client.accept(bytes, from, to, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    if (tls != null) {
      tls.serverData(bytes, from, to, moment);
    } else {
      plainServerData(bytes, from, to, moment);
    }
  }

  /** Takes what the server says in the clear or inside TLS. */
  void plainServerData(byte[] bytes, int from, int to, Moment moment) {
    Decoder other = switched;
    int at = from;
    if (other == null) {
      at = serverPackets(bytes, from, to, moment);
      if (!server.isCompressed()) {
        return;
      }
      other = compressed();
    }
    if (at < to) {
      other.serverData(bytes, at, to, moment);
    }
  }

  /** The first bytes inside TLS come. */
  void beginInsideTls() {
    output.recognised(new MySqlProtocol(), "the greeting before TLS");
    client.restartInsideTls();
  }

  int serverPackets(byte[] bytes, int from, int to, Moment moment) {
    if (server.lost) {
      answered(to - from, moment);
      return to;
    }
    return server.accept(bytes, from, to, moment);
  }

  private Decoder compressed() {
    Decoder made;
    if (client.asksZlib()) {
      server.restart();
      made = new MySqlUnpackingDecoder(context, this);
    } else {
      Protocol protocol = ProtocolRegistry.COMPRESSION;
      output.recognised(protocol, "the login asks for compression");
      made = protocol.decoder(context, output, Entry.INSIDE);
    }
    switched = made;
    return made;
  }

  /** Ends the answer whose end is hidden, when the client begins another command. */
  private void turnMayEnd(byte[] bytes, int from, int to, Moment moment) {
    if (!server.lost && !client.lost) {
      return;
    }
    boolean mayBegin = client.lost || client.isBetweenMessages();
    if (!mayBegin || !MySqlClient.looksLikeStart(bytes, from, to)) {
      return;
    }
    endHidden(Outcome.UNFINISHED, moment.timeNanos());
    if (client.lost) {
      client.found();
    }
    server.restart();
  }

  /** Ends the only turn where its end is hidden, and gives up all where nothing can be told. */
  private void endHidden(Outcome outcome, long timeNanos) {
    Turn first = turns.first();
    if (first != null && server.lost && turns.size() == 1 && first.isAnswered()) {
      context.counters.increment(WireCount.ESTIMATED_ENDS);
      turns.completeFirst(first.lastNanos);
    }
    turns.giveUpAll(outcome, timeNanos);
  }

  private void answered(long byteCount, Moment moment) {
    Turn first = turns.first();
    if (first != null) {
      first.answered(moment.timeNanos(), moment.frame());
      first.bytesOut += byteCount;
      first.lastNanos = Math.max(first.lastNanos, moment.timeNanos());
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    if (tls != null) {
      tls.clientMissing(byteCount, moment);
    } else {
      plainClientMissing(byteCount, moment);
    }
  }

  void plainClientMissing(long byteCount, Moment moment) {
    if (switched != null) {
      switched.clientMissing(byteCount, moment);
    } else {
      clientPacketsMissing(byteCount, moment);
    }
  }

  void clientPacketsMissing(long byteCount, Moment moment) {
    client.missing(byteCount, moment);
  }

  /** Notes that nothing can be told of what follows of one side. */
  void packetsLost(boolean ofClient, Moment moment) {
    MessageStream side = ofClient ? client : server;
    if (!side.lost) {
      side.missing(Long.MAX_VALUE, moment);
    }
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (tls != null) {
      tls.serverMissing(byteCount, moment);
    } else {
      plainServerMissing(byteCount, moment);
    }
  }

  void plainServerMissing(long byteCount, Moment moment) {
    if (switched != null) {
      switched.serverMissing(byteCount, moment);
    } else {
      serverPacketsMissing(byteCount, moment);
    }
  }

  void serverPacketsMissing(long byteCount, Moment moment) {
    if (server.lost) {
      answered(byteCount, moment);
    } else {
      server.missing(byteCount, moment);
    }
  }

  @Override
  public void serverFinished(Moment moment) {
    if (tls != null) {
      tls.serverFinished(moment);
    }
    plainServerFinished(moment);
  }

  void plainServerFinished(Moment moment) {
    if (switched != null) {
      switched.serverFinished(moment);
    }
    endHidden(Outcome.ABORTED, moment.timeNanos());
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (tls != null) {
      tls.end(ending, moment);
    }
    plainEnd(ending, moment);
  }

  /** Nothing more will be said in the clear or inside TLS. */
  void plainEnd(Ending ending, Moment moment) {
    if (ended) {
      return;
    }
    ended = true;
    if (switched != null) {
      switched.end(ending, moment);
    }
    endHidden(Endings.outcomeOfOpen(ending), moment.timeNanos());
    client.releaseAll();
    server.release();
    turns.release();
  }

  /**
   * The rest of a connection of MySQL behind its request for TLS, decrypted: the login once more,
   * now whole, and what follows is read by the decoder that read the greeting. Confined to one
   * thread.
   */
  private static final class InsideTls implements Decoder {
    private final MySqlDecoder outside;
    private boolean begun;

    InsideTls(MySqlDecoder outside) {
      this.outside = outside;
    }

    private void begin() {
      if (!begun) {
        begun = true;
        outside.beginInsideTls();
      }
    }

    @Override
    public void clientData(byte[] bytes, int from, int to, Moment moment) {
      begin();
      outside.plainClientData(bytes, from, to, moment);
    }

    @Override
    public void serverData(byte[] bytes, int from, int to, Moment moment) {
      begin();
      outside.plainServerData(bytes, from, to, moment);
    }

    @Override
    public void clientMissing(long byteCount, Moment moment) {
      begin();
      outside.plainClientMissing(byteCount, moment);
    }

    @Override
    public void serverMissing(long byteCount, Moment moment) {
      begin();
      outside.plainServerMissing(byteCount, moment);
    }

    @Override
    public void serverFinished(Moment moment) {
      outside.plainServerFinished(moment);
    }

    @Override
    public void end(Ending ending, Moment moment) {
      outside.plainEnd(ending, moment);
    }
  }
}
