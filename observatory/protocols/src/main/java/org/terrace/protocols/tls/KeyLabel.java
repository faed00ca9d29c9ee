package org.terrace.protocols.tls;

import org.jspecify.annotations.Nullable;

/**
 * The labels of the secrets that are used of a key log. Source: draft-ietf-tls-keylogfile.
 * Immutable.
 */
enum KeyLabel {
  /** The master secret of a connection up to TLS 1.2. */
  CLIENT_RANDOM,
  /** The secret of the client's part of a handshake of TLS 1.3. */
  CLIENT_HANDSHAKE_TRAFFIC_SECRET,
  /** The secret of the server's part of a handshake of TLS 1.3. */
  SERVER_HANDSHAKE_TRAFFIC_SECRET,
  /** The first secret of the client's data in TLS 1.3. */
  CLIENT_TRAFFIC_SECRET_0,
  /** The first secret of the server's data in TLS 1.3. */
  SERVER_TRAFFIC_SECRET_0;

  private static final int MASTER_SECRET_BYTES = 48;
  private static final int SHORT_SECRET_BYTES = 32;

  private static final KeyLabel[] ALL = values();

  /** The label of this name, or null. */
  static @Nullable KeyLabel named(String name) {
    for (KeyLabel label : ALL) {
      if (label.name().equals(name)) {
        return label;
      }
    }
    return null;
  }

  /** Whether its secret may be so long: the output of SHA-256 or SHA-384, or a master secret. */
  boolean mayHave(int bytes) {
    return bytes == MASTER_SECRET_BYTES || (this != CLIENT_RANDOM && bytes == SHORT_SECRET_BYTES);
  }
}
