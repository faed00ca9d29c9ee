package org.terrace.groups.builtin;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.Secret;

/**
 * Seals frames and checks seals: with keys that encrypt, by {@link FrameCipher}; with keys that
 * authenticate, by the first 16 bytes of HMAC-SHA-256; without keys, by a CRC-32C, which detects
 * damage alone. Confined to one thread, or to the holder of one lock.
 */
final class Authenticator {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int CODE_BYTES = 16;

  private final @Nullable GroupKeys keys;
  private final @Nullable FrameCipher cipher;
  private final Map<Secret, Mac> macs = new HashMap<>();
  private final CRC32C crc = new CRC32C();

  Authenticator(Optional<GroupKeys> keys) {
    this.keys = keys.orElse(null);
    this.cipher = keys.filter(GroupKeys::isEncrypting).map(FrameCipher::new).orElse(null);
  }

  int sealBytes() {
    if (cipher != null) {
      return FrameCipher.OVERHEAD_BYTES;
    }
    return keys == null ? Integer.BYTES : CODE_BYTES;
  }

  /** Appends the seal of all bytes before the position, or encrypts them. */
  void seal(ByteBuffer frame) {
    ByteBuffer sealed = frame.duplicate().flip();
    if (cipher != null) {
      cipher.encrypt(frame);
    } else if (keys == null) {
      frame.putInt(checksum(sealed));
    } else {
      frame.put(code(keys.sealing(), sealed));
    }
  }

  /**
   * Checks the seal at the end of the remaining bytes and takes it off by lowering the limit, or
   * decrypts them in their place; says whether they are genuine.
   */
  boolean unseal(ByteBuffer frame) {
    if (cipher != null) {
      return !Frame.isClear(frame) && cipher.decrypt(frame);
    }
    int end = frame.limit() - sealBytes();
    if (end < frame.position() || !Frame.isClear(frame)) {
      return false;
    }
    ByteBuffer sealed = frame.duplicate().limit(end);
    boolean genuine = false;
    if (keys == null) {
      genuine = frame.getInt(end) == checksum(sealed);
    } else {
      byte[] seal = new byte[CODE_BYTES];
      frame.get(end, seal);
      for (Secret secret : keys.accepted()) {
        genuine |= MessageDigest.isEqual(seal, code(secret, sealed.duplicate()));
      }
    }
    frame.limit(end);
    return genuine;
  }

  private byte[] code(Secret secret, ByteBuffer bytes) {
    Mac mac = macs.computeIfAbsent(secret, Authenticator::macOf);
    mac.update(bytes);
    return Arrays.copyOf(mac.doFinal(), CODE_BYTES);
  }

  private static Mac macOf(Secret secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret.keyFor(ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private int checksum(ByteBuffer bytes) {
    crc.reset();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
