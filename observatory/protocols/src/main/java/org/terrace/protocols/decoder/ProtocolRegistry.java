package org.terrace.protocols.decoder;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.decoder.Protocol.Match;
import org.terrace.protocols.server.ServerRole;

/**
 * The list of all protocols, in the order in which they are asked (docs/decisions/0294). Stateless.
 */
final class ProtocolRegistry {
  static final Protocol TLS = new TlsProtocol();

  /** What a protocol compresses, which is not unpacked. */
  static final Protocol COMPRESSION =
      new OpaqueProtocol("compression", "compressed turn", "compressed turn");

  /** Stands for whatever nobody recognises. */
  static final Protocol UNKNOWN = new OpaqueProtocol("unknown", "turn", "upgraded turn");

  private static final List<Protocol> ALL =
      List.of(
          new HttpProtocol(),
          new Http2Protocol(),
          TLS,
          new PostgresProtocol(),
          new MySqlProtocol());

  private ProtocolRegistry() {}

  static List<Protocol> all() {
    return ALL;
  }

  /** The protocol of this name; {@link #UNKNOWN} if there is none. */
  static Protocol named(String name) {
    for (Protocol protocol : ALL) {
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
  static @Nullable Protocol beginningWith(boolean client, byte[] bytes, int from, int to) {
    boolean more = false;
    for (Protocol protocol : ALL) {
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
  static Match match(byte[] bytes, int from, int to, byte[] whole) {
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

  /** HTTP/2 without TLS, by the client's preface. */
  private static final class Http2Protocol extends OpaqueProtocol {
    private static final byte[] PREFACE = Ascii.of("PRI * HT");

    Http2Protocol() {
      super("HTTP/2", "HTTP/2 turn", "HTTP/2 turn");
    }

    @Override
    public Match ofClientStart(byte[] bytes, int from, int to) {
      return match(bytes, from, to, PREFACE);
    }
  }
}
