package org.terrace.protocols.tls;

import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;

/**
 * The JDK's ciphers, one of each kind for all connections of a capture, and the array that takes
 * what they decrypt: a record is decrypted in one call, so no connection needs a cipher of its own.
 * Confined to one thread.
 */
final class CipherPool {
  /** The longest record that is not damaged: RFC 5246, section 6.2.3. */
  static final int RECORD_BYTES_MAX = (1 << 14) + 2048;

  /** The plaintext of the record that was opened last. */
  final byte[] plaintext = new byte[RECORD_BYTES_MAX];

  private final Map<String, Cipher> ciphers = new HashMap<>();
  private final Map<String, Mac> macs = new HashMap<>();

  /** The cipher of a transformation, to be initialised. */
  Cipher cipher(String transformation) throws GeneralSecurityException {
    Cipher known = ciphers.get(transformation);
    return known == null ? freshCipher(transformation) : known;
  }

  /** Another cipher of a transformation, which remembers no key. */
  Cipher freshCipher(String transformation) throws GeneralSecurityException {
    Cipher made = Cipher.getInstance(transformation);
    ciphers.put(transformation, made);
    return made;
  }

  /** The code of an algorithm, to be initialised. */
  Mac mac(String algorithm) throws GeneralSecurityException {
    Mac known = macs.get(algorithm);
    if (known == null) {
      known = Mac.getInstance(algorithm);
      macs.put(algorithm, known);
    }
    return known;
  }
}
