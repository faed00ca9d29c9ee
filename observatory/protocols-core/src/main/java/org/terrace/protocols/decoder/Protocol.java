package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.server.ServerRole;

/**
 * A protocol that connections may speak: how it is recognised, who decodes it, and the tier of its
 * servers. One class a protocol, listed in {@link ProtocolRegistry}. Stateless.
 *
 * <p>Recognition never reads outside of the range it is given, which is not empty, and {@value
 * #START_BYTES_MAX} bytes of a start suffice to answer yes or no.
 */
public interface Protocol {
  /** The number of bytes of a start that always suffice to tell. */
  int START_BYTES_MAX = 16;

  /** The answer to whether bytes belong to a protocol. */
  enum Match {
    YES,
    NO,
    /** The bytes do not suffice to tell. */
    MORE
  }

  /** The sides of a connection. */
  enum Side {
    CLIENT,
    SERVER
  }

  /** The place at which a decoder begins. */
  enum Entry {
    /** The first byte of a connection. */
    BEGINNING,
    /** The first byte of what another protocol carries, such as a tunnel. */
    INSIDE,
    /** The middle of a connection. */
    MID_STREAM
  }

  /** The name of the protocol in the connections table. */
  String name();

  /** The role of its servers. */
  ServerRole role();

  /** Whether these are the first bytes of a client. */
  default Match ofClientStart(byte[] bytes, int from, int to) {
    return Match.NO;
  }

  /** Whether these are the first bytes of a server that speaks before its client. */
  default Match ofServerStart(byte[] bytes, int from, int to) {
    return Match.NO;
  }

  /** The sender of a segment in the middle of a connection, or null when that cannot be told. */
  default @Nullable Side senderOf(byte[] bytes, int from, int to) {
    return null;
  }

  /** A decoder of one connection. */
  Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry);

  /**
   * A decoder of the rest of a connection from the byte on at which another protocol changes to
   * this one and goes on inside it.
   *
   * @param inside reads what this protocol carries, if that can be told
   */
  default Decoder decoderAround(DecoderContext context, DecoderOutput output, Decoder inside) {
    return decoder(context, output, Entry.INSIDE);
  }
}
