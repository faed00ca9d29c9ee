package org.terrace.protocols.tls;

import java.util.HashMap;
import java.util.Map;

/**
 * A cipher suite: its name, and the protection that it gives to records. What its name says of the
 * exchange of keys does not matter here. Immutable.
 *
 * <p>Source: the IANA registry "TLS Cipher Suites"; RFC 8446, RFC 5246, RFC 5288, RFC 7905.
 *
 * @param name its name in the registry, or its number where this class knows none
 * @param protection the protection of records
 * @param keyBytes the length of a key
 * @param hash the hash of the schedule of keys, as in {@code SHA256}
 * @param macHash the hash of the code that authenticates a record, of {@link Protection#CBC} only
 */
record CipherSuite(String name, Protection protection, int keyBytes, String hash, String macHash) {
  /** The kinds of protection of a record. */
  enum Protection {
    /** AES in Galois/counter mode. */
    GCM,
    /** ChaCha20 with Poly1305. */
    CHACHA20,
    /** AES in CBC mode, with a code that authenticates. */
    CBC,
    /** A protection that is not decrypted. */
    OTHER
  }

  private static final String NAMES =
      """
      0000 TLS_NULL_WITH_NULL_NULL
      0001 TLS_RSA_WITH_NULL_MD5
      0002 TLS_RSA_WITH_NULL_SHA
      0004 TLS_RSA_WITH_RC4_128_MD5
      0005 TLS_RSA_WITH_RC4_128_SHA
      000A TLS_RSA_WITH_3DES_EDE_CBC_SHA
      0016 TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA
      002F TLS_RSA_WITH_AES_128_CBC_SHA
      0032 TLS_DHE_DSS_WITH_AES_128_CBC_SHA
      0033 TLS_DHE_RSA_WITH_AES_128_CBC_SHA
      0035 TLS_RSA_WITH_AES_256_CBC_SHA
      0038 TLS_DHE_DSS_WITH_AES_256_CBC_SHA
      0039 TLS_DHE_RSA_WITH_AES_256_CBC_SHA
      003B TLS_RSA_WITH_NULL_SHA256
      003C TLS_RSA_WITH_AES_128_CBC_SHA256
      003D TLS_RSA_WITH_AES_256_CBC_SHA256
      0040 TLS_DHE_DSS_WITH_AES_128_CBC_SHA256
      0041 TLS_RSA_WITH_CAMELLIA_128_CBC_SHA
      0045 TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA
      0067 TLS_DHE_RSA_WITH_AES_128_CBC_SHA256
      006A TLS_DHE_DSS_WITH_AES_256_CBC_SHA256
      006B TLS_DHE_RSA_WITH_AES_256_CBC_SHA256
      0084 TLS_RSA_WITH_CAMELLIA_256_CBC_SHA
      0088 TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA
      009C TLS_RSA_WITH_AES_128_GCM_SHA256
      009D TLS_RSA_WITH_AES_256_GCM_SHA384
      009E TLS_DHE_RSA_WITH_AES_128_GCM_SHA256
      009F TLS_DHE_RSA_WITH_AES_256_GCM_SHA384
      00A2 TLS_DHE_DSS_WITH_AES_128_GCM_SHA256
      00A3 TLS_DHE_DSS_WITH_AES_256_GCM_SHA384
      1301 TLS_AES_128_GCM_SHA256
      1302 TLS_AES_256_GCM_SHA384
      1303 TLS_CHACHA20_POLY1305_SHA256
      1304 TLS_AES_128_CCM_SHA256
      1305 TLS_AES_128_CCM_8_SHA256
      C007 TLS_ECDHE_ECDSA_WITH_RC4_128_SHA
      C008 TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA
      C009 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA
      C00A TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA
      C011 TLS_ECDHE_RSA_WITH_RC4_128_SHA
      C012 TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA
      C013 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA
      C014 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA
      C023 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256
      C024 TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384
      C027 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256
      C028 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384
      C02B TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
      C02C TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384
      C02F TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
      C030 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384
      C050 TLS_RSA_WITH_ARIA_128_GCM_SHA256
      C051 TLS_RSA_WITH_ARIA_256_GCM_SHA384
      C05C TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256
      C05D TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384
      C060 TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256
      C061 TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384
      C072 TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256
      C073 TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384
      C076 TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256
      C077 TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384
      C09C TLS_RSA_WITH_AES_128_CCM
      C09D TLS_RSA_WITH_AES_256_CCM
      C09E TLS_DHE_RSA_WITH_AES_128_CCM
      C09F TLS_DHE_RSA_WITH_AES_256_CCM
      C0A0 TLS_RSA_WITH_AES_128_CCM_8
      C0A1 TLS_RSA_WITH_AES_256_CCM_8
      C0AC TLS_ECDHE_ECDSA_WITH_AES_128_CCM
      C0AD TLS_ECDHE_ECDSA_WITH_AES_256_CCM
      C0AE TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8
      C0AF TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8
      CCA8 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
      CCA9 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256
      CCAA TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256
      """;

  private static final int CODE_DIGITS = 4;
  private static final int HEX = 16;
  private static final int LONG_KEY_BYTES = 32;
  private static final int SHORT_KEY_BYTES = 16;
  private static final String SHA256 = "SHA256";
  private static final String SHA384 = "SHA384";

  private static final Map<Integer, CipherSuite> KNOWN = known();

  private static Map<Integer, CipherSuite> known() {
    Map<Integer, CipherSuite> suites = new HashMap<>();
    NAMES
        .lines()
        .forEach(line ->
            suites.put(
                Integer.valueOf(line.substring(0, CODE_DIGITS), HEX),
                named(line.substring(CODE_DIGITS + 1))));
    return suites;
  }

  private static CipherSuite named(String name) {
    String last = name.substring(name.lastIndexOf('_') + 1);
    String hash = last.equals(SHA384) ? SHA384 : SHA256;
    int keyBytes = name.contains("AES_128") ? SHORT_KEY_BYTES : LONG_KEY_BYTES;
    Protection protection;
    if (name.contains("CHACHA20")) {
      protection = Protection.CHACHA20;
    } else if (name.contains("_AES_") && name.contains("_GCM_")) {
      protection = Protection.GCM;
    } else if (name.contains("_AES_") && name.contains("_CBC_")) {
      protection = Protection.CBC;
    } else {
      protection = Protection.OTHER;
    }
    return new CipherSuite(name, protection, keyBytes, hash, last.equals("SHA") ? "SHA1" : last);
  }

  /** The suite of a number of 16 bits. */
  static CipherSuite of(int code) {
    CipherSuite known = KNOWN.get(code);
    if (known != null) {
      return known;
    }
    String name = "cipher suite 0x%04X".formatted(code);
    return new CipherSuite(name, Protection.OTHER, 0, SHA256, "");
  }

  /** Whether records of it can be decrypted. */
  boolean isSupported() {
    return protection != Protection.OTHER;
  }
}
