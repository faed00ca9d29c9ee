package org.terrace.groups;

import javax.crypto.spec.SecretKeySpec;

/** A key that all members of a group share. Never printed. Immutable. */
public final class Secret {
  private final byte[] key;

  /** The key of these bytes, which are copied; at least {@value GroupOptions#SECRET_BYTES_MIN}. */
  public Secret(byte[] key) {
    if (key.length < GroupOptions.SECRET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "a secret has at least " + GroupOptions.SECRET_BYTES_MIN + " bytes, got " + key.length);
    }
    this.key = key.clone();
  }

  /** The key for the named algorithm of authentication. */
  public SecretKeySpec keyFor(String algorithm) {
    return new SecretKeySpec(key, algorithm);
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
