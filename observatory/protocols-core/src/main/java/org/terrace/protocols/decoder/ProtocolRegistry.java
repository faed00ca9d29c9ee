package org.terrace.protocols.decoder;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Protocol.Match;
import org.terrace.protocols.server.ServerRole;

/**
 * The list of all protocols, in the order in which they are asked (docs/decisions/0294): those of
 * this package, then those of packages of their own (docs/decisions/0303). Immutable.
 */
public final class ProtocolRegistry {
  /** TLS of which only turns are known. */
  public static final Protocol OPAQUE_TLS = new OpaqueTls();

  /** The protocol of compressed bytes, which are not unpacked. */
  static final Protocol COMPRESSION =
      new OpaqueProtocol("compression", "compressed turn", "compressed turn");

  /** Stands for whatever nobody recognises. */
  static final Protocol UNKNOWN = new OpaqueProtocol("unknown", "turn", "upgraded turn");

  private final Protocol tls;
  private final List<Protocol> others;
  private final List<Protocol> all;

  private ProtocolRegistry(Protocol tls, List<Protocol> others) {
    this.tls = tls;
    this.others = List.copyOf(others);
    List<Protocol> listed = new ArrayList<>();
    listed.add(new HttpProtocol());
    listed.add(tls);
    listed.add(new PostgresProtocol());
    listed.add(new MySqlProtocol());
    listed.addAll(others);
    all = List.copyOf(listed);
  }

  /** The protocols of this package, TLS as turns among them, and others behind them. */
  public static ProtocolRegistry with(List<Protocol> others) {
    return with(OPAQUE_TLS, others);
  }

  /** The protocols of this package, TLS as it is given, and others behind them. */
  public static ProtocolRegistry with(Protocol tls, List<Protocol> others) {
    return new ProtocolRegistry(tls, others);
  }

  /** The same protocols with TLS as turns: those that TLS itself may carry. */
  ProtocolRegistry insideTls() {
    return with(OPAQUE_TLS, others);
  }

  /** The protocol that a server or client changes to who asks for encryption. */
  Protocol tls() {
    return tls;
  }

  List<Protocol> all() {
    return all;
  }

  /** The protocol of this name; {@link #UNKNOWN} if there is none. */
  Protocol named(String name) {
    for (Protocol protocol : all) {
      if (protocol.name().equals(name)) {
        return protocol;
      }
    }
    return UNKNOWN;
  }

  /**
   * The protocol that begins with these bytes of a client or of a server that speaks first; {@link
   * #UNKNOWN} if none does, null if more bytes are needed to tell.
   */
  @Nullable Protocol beginningWith(boolean client, byte[] bytes, int from, int to) {
    boolean more = false;
    for (Protocol protocol : all) {
      Match match =
          client
              ? protocol.ofClientStart(bytes, from, to)
              : protocol.ofServerStart(bytes, from, to);
      if (match == Match.YES) {
        return protocol;
      }
      more |= match == Match.MORE;
    }
    return more && to - from < Protocol.START_BYTES_MAX ? null : UNKNOWN;
  }

  /** Whether a range is the beginning of bytes, the whole of them, or neither. */
  public static Match match(byte[] bytes, int from, int to, byte[] whole) {
    int count = Math.min(to - from, whole.length);
    for (int i = 0; i < count; i++) {
      if (bytes[from + i] != whole[i]) {
        return Match.NO;
      }
    }
    return count == whole.length ? Match.YES : Match.MORE;
  }

  /** A protocol of which only turns are known. */
  private static class OpaqueProtocol implements Protocol {
    private final String name;
    private final String requestClass;
    private final String classInside;

    OpaqueProtocol(String name, String requestClass, String classInside) {
      this.name = name;
      this.requestClass = requestClass;
      this.classInside = classInside;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public ServerRole role() {
      return ServerRole.UNKNOWN;
    }

    @Override
    public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
      String called = entry == Entry.INSIDE ? classInside : requestClass;
      return TurnTakingDecoder.opaque(context, output, called);
    }
  }

  /** TLS, which begins with a handshake record of version 3. */
  private static final class OpaqueTls extends OpaqueProtocol {
    private static final byte[] HANDSHAKE = {0x16, 3};

    OpaqueTls() {
      super("TLS", "TLS turn", "TLS turn");
    }

    @Override
    public Match ofClientStart(byte[] bytes, int from, int to) {
      return match(bytes, from, to, HANDSHAKE);
    }
  }
}
