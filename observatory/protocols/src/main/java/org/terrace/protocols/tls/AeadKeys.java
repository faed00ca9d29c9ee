package org.terrace.protocols.tls;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys of an authenticated cipher: AES in Galois/counter mode, or ChaCha20 with Poly1305.
 * Immutable.
 *
 * <p>Source: RFC 8446, section 5.2; RFC 5246, section 6.2.3.3; RFC 5288; RFC 7905.
 */
final class AeadKeys implements RecordKeys {
  /** The length of the part of a nonce that follows from the keys, where records carry the rest. */
  static final int SALT_BYTES = 4;

  /** The length of a nonce that follows from the keys and the number of a record. */
  static final int NONCE_BYTES = 12;

  static final int TAG_BYTES = 16;

  private static final int EXPLICIT_BYTES = 8;
  private static final int VERSION = 0x0303;
  private static final String GCM = "AES/GCM/NoPadding";
  private static final String CHACHA20 = "ChaCha20-Poly1305";

  private final boolean isGcm;
  private final boolean hasInnerType;
  private final SecretKeySpec key;
  private final byte[] base;

  /**
   * Keys from one change of keys on.
   *
   * @param base the nonce that numbers are added to, or the salt before the part that records carry
   * @param hasInnerType whether it is TLS 1.3, in which the type is behind the plaintext
   */
  AeadKeys(CipherSuite suite, byte[] key, byte[] base, boolean hasInnerType) {
    isGcm = suite.protection() == CipherSuite.Protection.GCM;
    this.hasInnerType = hasInnerType;
    this.key = new SecretKeySpec(key, isGcm ? "AES" : "ChaCha20");
    this.base = base.clone();
  }

  private boolean isExplicit() {
    return base.length == SALT_BYTES;
  }

  @Override
  public int plaintextOffset() {
    return isExplicit() ? EXPLICIT_BYTES : 0;
  }

  @Override
  public int overheadBytes() {
    return plaintextOffset() + TAG_BYTES + (hasInnerType ? 1 : 0);
  }

  @Override
  public int open(CipherPool pool, long sequence, int type, byte[] bytes, int from, int to) {
    int encrypted = from + plaintextOffset();
    int length = to - encrypted - TAG_BYTES;
    if (length < 0 || length > pool.plaintext.length) {
      return CLOSED;
    }
    ByteBuffer associated = ByteBuffer.allocate(Long.BYTES + 5);
    if (!hasInnerType) {
      associated.putLong(sequence);
    }
    associated.put((byte) type).putShort((short) VERSION);
    associated.putShort((short) (hasInnerType ? to - from : length));
    byte[] nonce = nonce(sequence, bytes, from);
    try {
      Cipher cipher = initialised(pool, nonce);
      cipher.updateAAD(associated.flip());
      return cipher.doFinal(bytes, encrypted, to - encrypted, pool.plaintext, 0);
    } catch (GeneralSecurityException e) {
      return CLOSED;
    }
  }

  private byte[] nonce(long sequence, byte[] bytes, int from) {
    byte[] nonce = new byte[NONCE_BYTES];
    System.arraycopy(base, 0, nonce, 0, base.length);
    if (isExplicit()) {
      System.arraycopy(bytes, from, nonce, SALT_BYTES, EXPLICIT_BYTES);
    } else {
      for (int i = 0; i < Long.BYTES; i++) {
        nonce[NONCE_BYTES - 1 - i] ^= (byte) (sequence >>> (Byte.SIZE * i));
      }
    }
    return nonce;
  }

  private Cipher initialised(CipherPool pool, byte[] nonce) throws GeneralSecurityException {
    String transformation = isGcm ? GCM : CHACHA20;
    AlgorithmParameterSpec parameters =
        isGcm ? new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce) : new IvParameterSpec(nonce);
    Cipher cipher = pool.cipher(transformation);
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, parameters);
    } catch (InvalidKeyException e) {
      // The JDK's ChaCha20 refuses the key and nonce that it had last, whatever it did with them.
      cipher = pool.freshCipher(transformation);
      cipher.init(Cipher.DECRYPT_MODE, key, parameters);
    }
    return cipher;
  }
}
