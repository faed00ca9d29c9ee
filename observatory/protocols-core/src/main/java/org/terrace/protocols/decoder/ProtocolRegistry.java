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
  static final Protocol TLS = new TlsProtocol();

  /** The protocol of compressed bytes, which are not unpacked. */
  static final Protocol COMPRESSION =
      new OpaqueProtocol("compression", "compressed turn", "compressed turn");

  /** Stands for whatever nobody recognises. */
  static final Protocol UNKNOWN = new OpaqueProtocol("unknown", "turn", "upgraded turn");

  private final List<Protocol> all;

  private ProtocolRegistry(List<Protocol> all) {
    this.all = List.copyOf(all);
  }

  /** The protocols of this package, and others behind them. */
  public static ProtocolRegistry with(List<Protocol> others) {
    List<Protocol> all = new ArrayList<>();
    all.add(new HttpProtocol());
    all.add(TLS);
    all.add(new PostgresProtocol());
    all.add(new MySqlProtocol());
    all.addAll(others);
    return new ProtocolRegistry(all);
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
  private static final class TlsProtocol extends OpaqueProtocol {
    private static final byte[] HANDSHAKE = {0x16, 3};

    TlsProtocol() {
      super("TLS", "TLS turn", "TLS turn");
    }

    @Override
    public Match ofClientStart(byte[] bytes, int from, int to) {
      return match(bytes, from, to, HANDSHAKE);
    }
  }
}
