package org.terrace.groups;

import java.security.MessageDigest;
import java.util.Arrays;
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
  public boolean equals(Object other) {
    return other instanceof Secret secret && MessageDigest.isEqual(key, secret.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
