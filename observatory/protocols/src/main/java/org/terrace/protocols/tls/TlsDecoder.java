package org.terrace.protocols.tls;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.decoder.RecognisingDecoder;
import org.terrace.protocols.decoder.TurnTakingDecoder;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * TLS: with the keys of the connection its handshake is one request or two, of a class of its own,
 * and the protocol inside is recognised from what is decrypted, or by what both sides agreed on.
 * Without keys, and from where nothing opens any more, only turns are known. Confined to one
 * thread.
 */
final class TlsDecoder implements Decoder, TlsConnection {
  private enum Phase {
    /** The handshake, which may turn out to be that of a connection without keys. */
    HANDSHAKE,
    /** The protocol inside is read. */
    OPEN,
    /** Only turns are known. */
    TURNS
  }

  private static final String TURN_CLASS = "TLS turn";
  private static final String HANDSHAKE_CLASS = "TLS handshake";

  /** The protocols that application-layer negotiation names, by those names. */
  private static final Map<String, String> AGREED =
      Map.of(
          "h2",
          "HTTP/2",
          "http/1.1",
          "HTTP/1.1",
          "http/1.0",
          "HTTP/1.1",
          "postgresql",
          "PostgreSQL");

  private final DecoderContext context;
  private final DecoderOutput output;
  private final Entry entry;
  private final TlsReading reading;
  private final TlsSession session;
  private final TlsSide client;
  private final TlsSide server;
  private final TurnTakingDecoder turns;
  private @Nullable Decoder given;
  private @Nullable Decoder inside;
  private Phase phase = Phase.HANDSHAKE;
  private long earlyBytes;
  private boolean isBeginningLost;
  private boolean hasOpened;
  private boolean serverIsSilent;

  /**
   * A decoder of a connection from its first record on.
   *
   * @param inside reads what is inside, null if that is to be recognised
   */
  TlsDecoder(
      DecoderContext context,
      DecoderOutput output,
      Entry entry,
      TlsReading reading,
      @Nullable Decoder inside) {
    this.context = context;
    this.output = output;
    this.entry = entry;
    this.reading = reading;
    given = inside;
    session = new TlsSession(reading.keys);
    client = new TlsSide(context, reading, session, this, true);
    server = new TlsSide(context, reading, session, this, false);
    turns = new TurnTakingDecoder(output, context.classes.of(TURN_CLASS));
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    boolean wasOpen = phase == Phase.OPEN;
    if (!wasOpen) {
      turns.clientData(bytes, from, to, moment);
    }
    client.accept(bytes, from, to, moment);
    if (wasOpen && phase == Phase.TURNS) {
      turns.clientData(bytes, from, to, moment);
    }
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    boolean wasOpen = phase == Phase.OPEN;
    if (!wasOpen) {
      turns.serverData(bytes, from, to, moment);
    }
    server.accept(bytes, from, to, moment);
    if (wasOpen && phase == Phase.TURNS) {
      turns.serverData(bytes, from, to, moment);
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    if (phase != Phase.OPEN) {
      turns.clientMissing(byteCount, moment);
    }
    client.missing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (phase != Phase.OPEN) {
      turns.serverMissing(byteCount, moment);
    }
    server.missing(byteCount, moment);
  }

  @Override
  public void serverFinished(Moment moment) {
    turns.serverFinished(moment);
    silence(moment);
  }

  private void silence(Moment moment) {
    Decoder known = inside;
    if (known != null && !serverIsSilent) {
      known.serverFinished(moment);
    }
    serverIsSilent = true;
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (phase == Phase.HANDSHAKE) {
      context.counters.increment(WireCount.OPAQUE_CONNECTIONS);
    }
    client.stop();
    server.stop();
    client.releaseAll();
    server.releaseAll();
    turns.end(ending, moment);
    if (inside != null) {
      inside.end(ending, moment);
      inside = null;
    }
  }

  @Override
  public void clientAsked() {
    if (phase == Phase.HANDSHAKE && session.hasKeys()) {
      turns.classify(context.classes.of(HANDSHAKE_CLASS));
    }
  }

  @Override
  public void serverChose(Moment moment) {
    if (phase == Phase.TURNS) {
      return;
    }
    if (session.hasKeys()) {
      String other = session.notDecrypted();
      if (other != null) {
        reading.notDecrypted(other);
        giveUp(Reason.NOT_DECRYPTED, moment);
        return;
      }
    }
    client.serverChose();
    server.serverChose();
  }

  @Override
  public void handshakeOver() {
    if (phase == Phase.HANDSHAKE) {
      phase = Phase.OPEN;
      turns.complete();
    }
  }

  @Override
  public void opened() {
    if (!hasOpened) {
      hasOpened = true;
      turns.classify(context.classes.of(HANDSHAKE_CLASS));
      context.counters.increment(WireCount.DECRYPTED_CONNECTIONS);
      output.decrypted(session.description());
    }
  }

  @Override
  public void passedEarly(int plaintextBytes) {
    earlyBytes += plaintextBytes;
  }

  @Override
  public void record(boolean ofClient, byte[] bytes, int from, int to, Moment moment) {
    if (inside(moment) instanceof RecognisingDecoder recognising) {
      recognising.look(ofClient, bytes, from, to);
    }
  }

  @Override
  public void beginningLost(boolean ofClient) {
    isBeginningLost |= ofClient;
    if (ofClient && inside instanceof RecognisingDecoder recognising) {
      recognising.loseBeginning();
    }
  }

  @Override
  public void plaintext(boolean ofClient, byte[] bytes, int from, int to, Moment moment) {
    Decoder known = inside(moment);
    if (ofClient) {
      known.clientData(bytes, from, to, moment);
    } else {
      known.serverData(bytes, from, to, moment);
    }
  }

  @Override
  public void missing(boolean ofClient, long byteCount, Moment moment) {
    if (byteCount == 0) {
      return;
    }
    Decoder known = inside(moment);
    if (ofClient) {
      known.clientMissing(byteCount, moment);
    } else {
      known.serverMissing(byteCount, moment);
    }
  }

  /** The protocol inside that both sides agreed on, or null. */
  private @Nullable String agreed() {
    String agreed = session.application();
    return agreed == null ? null : AGREED.get(agreed);
  }

  private Decoder inside(Moment moment) {
    Decoder known = inside;
    if (known == null) {
      handshakeOver();
      known = given;
      given = null;
      if (known == null) {
        RecognisingDecoder recognising = RecognisingDecoder.insideTls(context, output, entry);
        String agreed = agreed();
        if (agreed != null) {
          recognising.agreed(agreed, "both sides agree on " + session.application());
        }
        if (earlyBytes > 0) {
          recognising.clientMissing(earlyBytes, moment);
        }
        if (isBeginningLost) {
          recognising.loseBeginning();
        }
        known = recognising;
      }
      inside = known;
    }
    return known;
  }

  @Override
  public void closed(boolean ofClient, Moment moment) {
    if (!ofClient) {
      silence(moment);
    }
  }

  @Override
  public void giveUp(Reason reason, Moment moment) {
    if (phase == Phase.TURNS) {
      return;
    }
    phase = Phase.TURNS;
    client.stop();
    server.stop();
    turns.classify(context.classes.of(TURN_CLASS));
    context.counters.increment(WireCount.OPAQUE_CONNECTIONS);
    if (!reading.keys.isEmpty()) {
      count(session.hasKeys() ? reason : Reason.NO_KEYS);
    }
    if (inside != null) {
      // What is open inside has no end that can be seen.
      inside.end(Ending.CAPTURE_ENDED, moment);
      inside = null;
    }
  }

  private void count(Reason reason) {
    switch (reason) {
      case NO_KEYS -> context.counters.increment(WireCount.CONNECTIONS_WITHOUT_KEYS);
      case UNFITTING_KEYS -> context.counters.increment(WireCount.UNFITTING_KEYS);
      case LOST -> context.counters.increment(WireCount.DECRYPTION_LOST);
      case NOT_DECRYPTED -> {}
    }
  }
}
