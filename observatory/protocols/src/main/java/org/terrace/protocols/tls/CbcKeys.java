package org.terrace.protocols.tls;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys of AES in CBC mode in TLS 1.2, with a code over the plaintext or, where both sides agreed on
 * it, over what is encrypted. Immutable.
 *
 * <p>Source: RFC 5246, section 6.2.3.2; RFC 7366.
 */
final class CbcKeys implements RecordKeys {
  /** The length of a block, and of the vector in front of a record. */
  static final int BLOCK_BYTES = 16;

  private static final int VERSION = 0x0303;
  private static final String CIPHER = "AES/CBC/NoPadding";

  private final SecretKeySpec key;
  private final SecretKeySpec macKey;
  private final String macAlgorithm;
  private final boolean isEncryptedFirst;

  /**
   * Keys from one change of keys on.
   *
   * @param isEncryptedFirst whether the code is over what is encrypted
   */
  CbcKeys(CipherSuite suite, byte[] key, byte[] macKey, boolean isEncryptedFirst) {
    this.key = new SecretKeySpec(key, "AES");
    macAlgorithm = "Hmac" + suite.macHash();
    this.macKey = new SecretKeySpec(macKey, macAlgorithm);
    this.isEncryptedFirst = isEncryptedFirst;
  }

  @Override
  public int plaintextOffset() {
    return BLOCK_BYTES;
  }

  @Override
  public int overheadBytes() {
    return BLOCK_BYTES + macKey.getEncoded().length + 1;
  }

  @Override
  public int open(CipherPool pool, long sequence, int type, byte[] bytes, int from, int to) {
    try {
      Mac mac = pool.mac(macAlgorithm);
      mac.init(macKey);
      int codeBytes = mac.getMacLength();
      int end = isEncryptedFirst ? to - codeBytes : to;
      int length = end - from - BLOCK_BYTES;
      if (length < BLOCK_BYTES || length % BLOCK_BYTES != 0 || length > pool.plaintext.length) {
        return CLOSED;
      }
      if (isEncryptedFirst) {
        byte[] code = code(mac, sequence, type, bytes, from, end);
        return isAt(code, bytes, end) ? decrypt(pool, bytes, from, end, 0) : CLOSED;
      }
      int plain = decrypt(pool, bytes, from, end, codeBytes);
      if (plain == CLOSED) {
        return CLOSED;
      }
      byte[] code = code(mac, sequence, type, pool.plaintext, 0, plain);
      return isAt(code, pool.plaintext, plain) ? plain : CLOSED;
    } catch (GeneralSecurityException e) {
      return CLOSED;
    }
  }

  /**
   * The length of the plaintext without its padding, and without the code that stands before it.
   */
  private int decrypt(CipherPool pool, byte[] bytes, int from, int end, int codeBytes)
      throws GeneralSecurityException {
    Cipher cipher = pool.cipher(CIPHER);
    cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(bytes, from, BLOCK_BYTES));
    int encrypted = from + BLOCK_BYTES;
    int count = cipher.doFinal(bytes, encrypted, end - encrypted, pool.plaintext, 0);
    int padding = pool.plaintext[count - 1] & 0xff;
    int plain = count - 1 - padding - codeBytes;
    for (int i = count - 1 - padding; plain >= 0 && i < count; i++) {
      if ((pool.plaintext[i] & 0xff) != padding) {
        return CLOSED;
      }
    }
    return plain < 0 ? CLOSED : plain;
  }

  private static byte[] code(Mac mac, long sequence, int type, byte[] bytes, int from, int to) {
    ByteBuffer header = ByteBuffer.allocate(Long.BYTES + 5);
    header.putLong(sequence).put((byte) type).putShort((short) VERSION);
    header.putShort((short) (to - from));
    mac.update(header.flip());
    mac.update(bytes, from, to - from);
    return mac.doFinal();
  }

  private static boolean isAt(byte[] code, byte[] bytes, int at) {
    byte[] there = new byte[code.length];
    System.arraycopy(bytes, at, there, 0, code.length);
    return MessageDigest.isEqual(code, there);
  }
}
