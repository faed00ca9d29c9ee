package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;

/** A receiver of what the decoder of one connection finds. */
@FunctionalInterface
public interface DecoderOutput {
  /**
   * One request.
   *
   * @param requestClass its class, a number of {@link RequestClasses}
   * @param request its times, frames and bytes; valid during the call only
   */
  void request(int requestClass, OpenRequest request, Outcome outcome);

  /**
   * The protocol that is spoken from here on; a second call tells what the first protocol carries.
   *
   * @param evidence what tells so, as the connections table has it
   */
  default void recognised(Protocol protocol, String evidence) {}

  /**
   * The protocol that was told last is encrypted, and is read with the keys of the connection.
   *
   * @param version its version and cipher suite, as in {@code TLS 1.3, TLS_AES_128_GCM_SHA256}
   */
  default void decrypted(String version) {}

  /** The process or thread of the server that serves the connection, by the server's number. */
  default void backend(long number) {}
}
