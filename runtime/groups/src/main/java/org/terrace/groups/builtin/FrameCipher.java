package org.terrace.groups.builtin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.Secret;

/**
 * Encryption of frames with authentication, AES-256-GCM: a byte that says so, a salt of the sender,
 * the frame's number under that salt, and the encrypted frame with its tag.
 *
 * <p>A sender draws a salt of 16 bytes, derives its key from the group's secret and the salt (HKDF
 * with SHA-256), and counts its frames; so no nonce is ever used twice under one key, whatever the
 * other members do. After 2^30 frames, and when another secret is to seal, it draws a new salt. The
 * receiver derives the key once a salt. Sources: NIST SP 800-38D; RFC 5869. Confined to one thread,
 * or to the holder of one lock.
 */
final class FrameCipher {
  private static final int SALT_BYTES = 16;
  private static final int TAG_BYTES = 16;
  private static final int HEAD_BYTES = 1 + SALT_BYTES + Long.BYTES;

  /** The bytes by which a frame grows. */
  static final int OVERHEAD_BYTES = HEAD_BYTES + TAG_BYTES;

  private static final int NONCE_BYTES = 12;
  private static final int KEY_BYTES = 32;
  private static final long FRAMES_A_SALT_MAX = 1L << 30;
  private static final int SALTS_KNOWN_MAX = 1_024;
  private static final byte[] PURPOSE =
      "terrace group frames 1".getBytes(StandardCharsets.US_ASCII);

  /** A key that was derived, and from what. */
  private record Derived(Secret secret, SecretKey key) {}

  private final GroupKeys keys;
  private final Cipher cipher;
  private final KDF derivation;
  private final SecureRandom random = new SecureRandom();
  private final byte[] salt = new byte[SALT_BYTES];
  private @Nullable Derived sealing;
  private long sealed;
  private final Map<ByteBuffer, Derived> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Derived> eldest) {
          return size() > SALTS_KNOWN_MAX;
        }
      };

  FrameCipher(GroupKeys keys) {
    this.keys = keys;
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
      this.derivation = KDF.getInstance("HKDF-SHA256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM and HKDF", e);
    }
  }

  /** Puts the encrypted frame in place of all bytes before the position. */
  void encrypt(ByteBuffer frame) {
    try {
      Derived key = sealingKey();
      byte[] clear = new byte[frame.position()];
      frame.flip().get(clear);
      frame.clear();
      sealed++;
      frame.put(Frame.ENCRYPTED).put(salt).putLong(sealed);
      cipher.init(Cipher.ENCRYPT_MODE, key.key, nonce(sealed));
      frame.put(cipher.doFinal(clear));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt", e);
    }
  }

  /** Puts the frame in place of the remaining encrypted bytes; says whether they are genuine. */
  boolean decrypt(ByteBuffer frame) {
    int start = frame.position();
    if (frame.remaining() < OVERHEAD_BYTES) {
      return false;
    }
    byte[] theirSalt = new byte[SALT_BYTES];
    frame.get(start + 1, theirSalt);
    long number = frame.getLong(start + 1 + SALT_BYTES);
    byte[] encrypted = new byte[frame.remaining() - HEAD_BYTES];
    frame.get(start + HEAD_BYTES, encrypted);
    byte[] clear = decrypt(theirSalt, number, encrypted);
    if (clear == null) {
      return false;
    }
    frame.put(start, clear).limit(start + clear.length);
    return true;
  }

  private byte @Nullable [] decrypt(byte[] theirSalt, long number, byte[] encrypted) {
    try {
      ByteBuffer name = ByteBuffer.wrap(theirSalt);
      Derived before = known.get(name);
      if (before != null) {
        return keys.accepted().contains(before.secret) ? open(before, number, encrypted) : null;
      }
      for (Secret secret : keys.accepted()) {
        Derived derived = new Derived(secret, derive(secret, theirSalt));
        byte[] clear = open(derived, number, encrypted);
        if (clear != null) {
          known.put(name, derived);
          return clear;
        }
      }
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot decrypt", e);
    }
  }

  private byte @Nullable [] open(Derived derived, long number, byte[] encrypted)
      throws GeneralSecurityException {
    try {
      cipher.init(Cipher.DECRYPT_MODE, derived.key, nonce(number));
      return cipher.doFinal(encrypted);
    } catch (AEADBadTagException e) {
      return null;
    }
  }

  private Derived sealingKey() throws GeneralSecurityException {
    Secret secret = keys.sealing();
    Derived present = sealing;
    if (present == null || !present.secret.equals(secret) || sealed == FRAMES_A_SALT_MAX) {
      random.nextBytes(salt);
      sealed = 0;
      present = new Derived(secret, derive(secret, salt));
      sealing = present;
    }
    return present;
  }

  private SecretKey derive(Secret secret, byte[] with) throws GeneralSecurityException {
    return derivation.deriveKey(
        "AES",
        HKDFParameterSpec.ofExtract()
            .addIKM(secret.keyFor("HKDF"))
            .addSalt(with)
            .thenExpand(PURPOSE, KEY_BYTES));
  }

  private static GCMParameterSpec nonce(long number) {
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer.wrap(nonce).putLong(NONCE_BYTES - Long.BYTES, number);
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce);
  }
}
