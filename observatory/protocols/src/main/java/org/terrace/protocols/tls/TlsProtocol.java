package org.terrace.protocols.tls;

import java.util.List;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.ProtocolRegistry;
import org.terrace.protocols.server.ServerRole;

/**
 * TLS 1.2 and 1.3, decrypted where keys are known; recognised by a handshake record at the
 * beginning of a connection. One is for one capture. Confined to one thread.
 */
public final class TlsProtocol implements Protocol {
  private final TlsReading reading;

  /** TLS with some keys, to which others may be added while the capture is read. */
  public TlsProtocol(TlsKeys keys) {
    reading = new TlsReading(keys);
  }

  /** A sentence for each version, cipher suite or the like that is not decrypted, with a count. */
  public List<String> notes() {
    return reading.notes();
  }

  /** The bytes of attempts to open records behind losses that are left. */
  long attemptBytes() {
    return reading.attemptBytes();
  }

  @Override
  public String name() {
    return ProtocolRegistry.OPAQUE_TLS.name();
  }

  @Override
  public ServerRole role() {
    return ServerRole.UNKNOWN;
  }

  @Override
  public Match ofClientStart(byte[] bytes, int from, int to) {
    return ProtocolRegistry.OPAQUE_TLS.ofClientStart(bytes, from, to);
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    return entry == Entry.MID_STREAM
        ? ProtocolRegistry.OPAQUE_TLS.decoder(context, output, entry)
        : new TlsDecoder(context, output, entry, reading, null);
  }

  @Override
  public Decoder decoderAround(DecoderContext context, DecoderOutput output, Decoder inside) {
    return new TlsDecoder(context, output, Entry.INSIDE, reading, inside);
  }
}
