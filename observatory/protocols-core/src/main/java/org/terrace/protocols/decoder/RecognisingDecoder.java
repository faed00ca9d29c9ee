package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.decoder.Protocol.Side;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * The decoder of a beginning of which the protocol is not known yet: that of a connection, or of
 * what a tunnel or an upgrade carries. It keeps the first bytes until they tell, from whichever
 * side they come, and leaves everything to the protocol's own decoder. Where the first bytes of
 * what TLS carries are missing, a later record may tell. Confined to one thread.
 */
public final class RecognisingDecoder implements Decoder {
  /** Pieces behind missing first bytes that are looked at before it counts as unknown. */
  private static final int PIECES_LOOKED_AT_MAX = 8;

  private static final byte[] NOTHING = {};

  private final DecoderContext context;
  private final DecoderOutput output;
  private final Entry entry;
  private final boolean mayJoin;
  private final Moment startMoment = new Moment();
  private boolean startOfClient;
  private byte[] start = NOTHING;
  private @Nullable Decoder decoder;
  private boolean joining;
  private int piecesLookedAt;

  /** The request that asked for what is spoken here, and its class. */
  private @Nullable OpenRequest carried;

  private int carriedClass;

  RecognisingDecoder(DecoderContext context, DecoderOutput output, Entry entry) {
    this(context, output, entry, false);
  }

  private RecognisingDecoder(
      DecoderContext context, DecoderOutput output, Entry entry, boolean mayJoin) {
    this.context = context;
    this.output = output;
    this.entry = entry;
    this.mayJoin = mayJoin;
  }

  /** A decoder of the beginning of what TLS carries, of which nothing was seen yet. */
  public static RecognisingDecoder insideTls(
      DecoderContext context, DecoderOutput output, Entry entry) {
    return new RecognisingDecoder(context.insideTls(), output, entry, true);
  }

  /** Notes the request that asked for what is spoken here, which may answer it. */
  void carries(int requestClass, OpenRequest request) {
    carriedClass = requestClass;
    carried = request;
  }

  /**
   * Takes it that both sides agreed on a protocol before they spoke, unless no protocol is called
   * so or their bytes told already.
   */
  public void agreed(String protocol, String evidence) {
    Protocol named = context.registry.named(protocol);
    if (decoder == null && !named.equals(ProtocolRegistry.UNKNOWN)) {
      decide(named, evidence, entry);
    }
  }

  /** Whether the protocol is known, or known to be unknown. */
  boolean isDecided() {
    return decoder != null;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    data(true, bytes, from, to, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    data(false, bytes, from, to, moment);
  }

  private void data(boolean client, byte[] bytes, int from, int to, Moment moment) {
    Decoder known = decoder;
    int at = from;
    if (known == null) {
      if (start.length > 0 && startOfClient != client) {
        // One side began, not enough to tell, and the other answers.
        known = decide(ProtocolRegistry.UNKNOWN, "no first bytes of a known protocol", entry);
      } else if (joining) {
        return;
      } else {
        int kept = start.length == 0 ? 0 : Math.min(to - from, missingOfStart());
        known = recognise(client, bytes, from, to, kept, moment);
        if (known == null) {
          return;
        }
        at += kept;
      }
    }
    if (at < to) {
      if (client) {
        known.clientData(bytes, at, to, moment);
      } else {
        known.serverData(bytes, at, to, moment);
      }
    }
  }

  private int missingOfStart() {
    return Protocol.START_BYTES_MAX - start.length;
  }

  /**
   * Asks the protocols: about the bytes where they lie, or about what was kept before and as many
   * of them as may be needed.
   */
  private @Nullable Decoder recognise(
      boolean client, byte[] bytes, int from, int to, int kept, Moment moment) {
    boolean first = start.length == 0;
    if (first) {
      startMoment.set(moment.timeNanos(), moment.frame());
      startOfClient = client;
    } else {
      append(bytes, from, kept);
    }
    Protocol protocol =
        first
            ? context.registry.beginningWith(client, bytes, from, to)
            : context.registry.beginningWith(client, start, 0, start.length);
    if (protocol == null) {
      if (first) {
        append(bytes, from, to - from);
      }
      return null;
    }
    String evidence =
        protocol.equals(ProtocolRegistry.UNKNOWN)
            ? "no first bytes of a known protocol"
            : client ? "first bytes of the client" : "first bytes of the server";
    return decide(protocol, evidence, entry);
  }

  /**
   * Looks at what one side says in one piece before it is given, in whatever parts: where first
   * bytes are missing, it may tell the protocol.
   */
  public void look(boolean client, byte[] bytes, int from, int to) {
    if (decoder != null || !joining || from == to) {
      return;
    }
    Side sender = client ? Side.CLIENT : Side.SERVER;
    for (Protocol each : context.registry.all()) {
      if (each.senderOf(bytes, from, to) == sender) {
        String evidence = client ? "a record of the client" : "a record of the server";
        decide(each, evidence, Entry.MID_STREAM);
        return;
      }
    }
    Protocol begun = client ? context.registry.beginningWith(true, bytes, from, to) : null;
    if (begun != null && !begun.equals(ProtocolRegistry.UNKNOWN)) {
      decide(begun, "first bytes of the client", entry);
    } else if (++piecesLookedAt == PIECES_LOOKED_AT_MAX) {
      decide(ProtocolRegistry.UNKNOWN, "no record of a known protocol", entry);
    }
  }

  private void append(byte[] bytes, int from, int count) {
    start = Arrays.copyOf(start, start.length + count);
    System.arraycopy(bytes, from, start, start.length - count, count);
  }

  private Decoder decide(Protocol protocol, String evidence, Entry at) {
    output.recognised(protocol, evidence);
    Decoder made = protocol.decoder(context, output, at);
    decoder = made;
    OpenRequest request = carried;
    if (request != null && !made.adopts(carriedClass, request)) {
      output.request(carriedClass, request, Outcome.OK);
    }
    carried = null;
    byte[] said = start;
    start = NOTHING;
    if (said.length > 0 && startOfClient) {
      made.clientData(said, 0, said.length, startMoment);
    } else if (said.length > 0) {
      made.serverData(said, 0, said.length, startMoment);
    }
    return made;
  }

  /** The decoder that is told of missing bytes, or null where a later record shall tell. */
  private @Nullable Decoder decidedOrUnknown() {
    loseBeginning();
    Decoder known = decoder;
    if (known != null || joining) {
      return known;
    }
    return decide(ProtocolRegistry.UNKNOWN, "first bytes not captured", entry);
  }

  /** First bytes may be missing, so that a later record of what TLS carries shall tell. */
  public void loseBeginning() {
    if (decoder == null && mayJoin) {
      joining = true;
      start = NOTHING;
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    Decoder known = decidedOrUnknown();
    if (known != null) {
      known.clientMissing(byteCount, moment);
    }
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    Decoder known = decidedOrUnknown();
    if (known != null) {
      known.serverMissing(byteCount, moment);
    }
  }

  @Override
  public void serverFinished(Moment moment) {
    if (decoder != null) {
      decoder.serverFinished(moment);
    }
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (decoder == null && start.length > 0) {
      decide(ProtocolRegistry.UNKNOWN, "no first bytes of a known protocol", entry);
    }
    OpenRequest request = carried;
    if (decoder != null) {
      decoder.end(ending, moment);
    } else if (request != null) {
      output.request(carriedClass, request, Outcome.OK);
    }
  }
}
