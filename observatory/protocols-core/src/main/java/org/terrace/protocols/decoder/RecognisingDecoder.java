package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * The decoder of a beginning of which the protocol is not known yet: that of a connection, or of
 * what a tunnel or an upgrade carries. It keeps the first bytes until they tell, from whichever
 * side they come, and leaves everything to the protocol's own decoder. Confined to one thread.
 */
public final class RecognisingDecoder implements Decoder {
  private static final byte[] NOTHING = {};

  private final DecoderContext context;
  private final DecoderOutput output;
  private final Entry entry;
  private final Moment startMoment = new Moment();
  private boolean startOfClient;
  private byte[] start = NOTHING;
  private @Nullable Decoder decoder;

  /** The request that asked for what is spoken here, and its class. */
  private @Nullable OpenRequest carried;

  private int carriedClass;

  /** A decoder of a beginning of which nothing was seen yet. */
  public RecognisingDecoder(DecoderContext context, DecoderOutput output, Entry entry) {
    this.context = context;
    this.output = output;
    this.entry = entry;
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
      decide(named, evidence);
    }
  }

  /** Whether the protocol is known, or known to be unknown. */
  public boolean isDecided() {
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
        known = decide(ProtocolRegistry.UNKNOWN, "no first bytes of a known protocol");
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
    return decide(protocol, evidence);
  }

  private void append(byte[] bytes, int from, int count) {
    start = Arrays.copyOf(start, start.length + count);
    System.arraycopy(bytes, from, start, start.length - count, count);
  }

  private Decoder decide(Protocol protocol, String evidence) {
    output.recognised(protocol, evidence);
    Decoder made = protocol.decoder(context, output, entry);
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

  private Decoder decidedOrUnknown() {
    Decoder known = decoder;
    return known == null ? decide(ProtocolRegistry.UNKNOWN, "first bytes not captured") : known;
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    decidedOrUnknown().clientMissing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    decidedOrUnknown().serverMissing(byteCount, moment);
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
      decide(ProtocolRegistry.UNKNOWN, "no first bytes of a known protocol");
    }
    OpenRequest request = carried;
    if (decoder != null) {
      decoder.end(ending, moment);
    } else if (request != null) {
      output.request(carriedClass, request, Outcome.OK);
    }
  }
}
