package org.terrace.protocols.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The derivation of the keys of records from the secrets of a key log. Stateless.
 *
 * <p>Source: RFC 8446, sections 7.1 to 7.3; RFC 5246, sections 5 and 6.3.
 */
final class KeyDerivation {
  private static final String LABEL_PREFIX = "tls13 ";
  private static final byte[] KEY_EXPANSION = ascii("key expansion");

  private KeyDerivation() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The length of a traffic secret of TLS 1.3: that of the output of the suite's hash. */
  static int hashBytes(CipherSuite suite) {
    return suite.hash().equals("SHA384") ? 48 : 32;
  }

  /** The keys of TLS 1.3 that a traffic secret gives, which has {@link #hashBytes} bytes. */
  static RecordKeys ofTraffic(CipherSuite suite, byte[] secret) {
    byte[] key = expand(suite, secret, "key", suite.keyBytes());
    return new AeadKeys(suite, key, expand(suite, secret, "iv", AeadKeys.NONCE_BYTES), true);
  }

  /** The traffic secret of TLS 1.3 that follows another one when a side updates its keys. */
  static byte[] updated(CipherSuite suite, byte[] secret) {
    return expand(suite, secret, "traffic upd", secret.length);
  }

  /** HKDF-Expand-Label without a context. */
  static byte[] expand(CipherSuite suite, byte[] secret, String label, int length) {
    byte[] labelled = ascii(LABEL_PREFIX + label);
    ByteBuffer info = ByteBuffer.allocate(labelled.length + 4);
    info.putShort((short) length).put((byte) labelled.length).put(labelled).put((byte) 0);
    try {
      KDF kdf = KDF.getInstance("HKDF-" + suite.hash());
      return kdf.deriveData(
          HKDFParameterSpec.expandOnly(new SecretKeySpec(secret, "Generic"), info.array(), length));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no HKDF with " + suite.hash(), e);
    }
  }

  /**
   * The keys of TLS 1.2 of one side.
   *
   * @param ofClient whether they protect what the client says
   * @param isEncryptedFirst whether both sides agreed to encrypt first and authenticate then
   */
  static RecordKeys ofMaster(
      CipherSuite suite,
      byte[] master,
      byte[] clientRandom,
      byte[] serverRandom,
      boolean ofClient,
      boolean isEncryptedFirst) {
    int macBytes = 0;
    int saltBytes = 0;
    switch (suite.protection()) {
      case GCM -> saltBytes = AeadKeys.SALT_BYTES;
      case CHACHA20 -> saltBytes = AeadKeys.NONCE_BYTES;
      case CBC -> macBytes = macBytes(suite);
      case OTHER -> throw new IllegalArgumentException(suite.name() + " has no keys");
    }
    int keyBytes = suite.keyBytes();
    byte[] block =
        keyBlock(suite, master, clientRandom, serverRandom, 2 * (macBytes + keyBytes + saltBytes));
    int side = ofClient ? 0 : 1;
    byte[] mac = part(block, side * macBytes, macBytes);
    byte[] key = part(block, 2 * macBytes + side * keyBytes, keyBytes);
    byte[] salt = part(block, 2 * (macBytes + keyBytes) + side * saltBytes, saltBytes);
    return suite.protection() == CipherSuite.Protection.CBC
        ? new CbcKeys(suite, key, mac, isEncryptedFirst)
        : new AeadKeys(suite, key, salt, false);
  }

  private static byte[] part(byte[] block, int from, int length) {
    return Arrays.copyOfRange(block, from, from + length);
  }

  private static int macBytes(CipherSuite suite) {
    return switch (suite.macHash()) {
      case "SHA1" -> 20;
      case "SHA256" -> 32;
      default -> 48;
    };
  }

  /** The output of the pseudorandom function that keys are cut from. */
  static byte[] keyBlock(
      CipherSuite suite, byte[] master, byte[] clientRandom, byte[] serverRandom, int length) {
    ByteBuffer seed =
        ByteBuffer.allocate(KEY_EXPANSION.length + serverRandom.length + clientRandom.length);
    seed.put(KEY_EXPANSION).put(serverRandom).put(clientRandom);
    String algorithm = "Hmac" + suite.hash();
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(master, algorithm));
      ByteBuffer block = ByteBuffer.allocate(length + mac.getMacLength());
      byte[] chained = seed.array();
      while (block.position() < length) {
        chained = mac.doFinal(chained);
        mac.update(chained);
        block.put(mac.doFinal(seed.array()));
      }
      return Arrays.copyOf(block.array(), length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no " + algorithm, e);
    }
  }
}
