package org.terrace.groups.builtin;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Secret;

/**
 * Seals frames and checks seals: with a secret, the first 16 bytes of HMAC-SHA-256; without, a
 * CRC-32C, which detects damage alone. Confined to one thread, or to the holder of one lock.
 */
final class Authenticator {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int CODE_BYTES = 16;

  private final @Nullable Mac mac;
  private final CRC32C crc = new CRC32C();

  Authenticator(Optional<Secret> secret) {
    try {
      if (secret.isPresent()) {
        mac = Mac.getInstance(ALGORITHM);
        mac.init(secret.get().keyFor(ALGORITHM));
      } else {
        mac = null;
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  int sealBytes() {
    return mac == null ? Integer.BYTES : CODE_BYTES;
  }

  /** Appends the seal of all bytes before the position. */
  void seal(ByteBuffer frame) {
    ByteBuffer sealed = frame.duplicate().flip();
    if (mac == null) {
      frame.putInt(checksum(sealed));
    } else {
      mac.update(sealed);
      frame.put(mac.doFinal(), 0, CODE_BYTES);
    }
  }

  /** Checks the seal at the end of the remaining bytes and takes it off by lowering the limit. */
  boolean unseal(ByteBuffer frame) {
    int end = frame.limit() - sealBytes();
    if (end < frame.position()) {
      return false;
    }
    ByteBuffer sealed = frame.duplicate().limit(end);
    boolean genuine;
    if (mac == null) {
      genuine = frame.getInt(end) == checksum(sealed);
    } else {
      byte[] seal = new byte[CODE_BYTES];
      frame.get(end, seal);
      mac.update(sealed);
      genuine = MessageDigest.isEqual(seal, Arrays.copyOf(mac.doFinal(), CODE_BYTES));
    }
    frame.limit(end);
    return genuine;
  }

  private int checksum(ByteBuffer bytes) {
    crc.reset();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
