package org.terrace.protocols.tls;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.bytes.Bytes;

/**
 * The parts that matter of a client's or server's hello. Immutable.
 *
 * <p>Source: RFC 8446, sections 4.1 and 4.2; RFC 5246, section 7.4.1; RFC 7301; RFC 7366.
 *
 * @param version the version that the server chose, or that the client names in the old field
 * @param random the random number, 32 bytes; not to be changed
 * @param suite the number of the cipher suite that the server chose; 0 of a client
 * @param compression the number of the compression that the server chose; 0 is none
 * @param offersEarlyData whether the client says that it sends early data
 * @param isEncryptedFirst whether the server agrees to encrypt first and authenticate then
 * @param application the protocol inside that the server chose, or null
 */
record TlsHello(
    int version,
    byte[] random,
    int suite,
    int compression,
    boolean offersEarlyData,
    boolean isEncryptedFirst,
    @Nullable String application) {
  static final int VERSION_12 = 0x0303;
  static final int VERSION_13 = 0x0304;

  private static final int RANDOM_BYTES = 32;
  private static final int HEAD_BYTES = 2 + RANDOM_BYTES;
  private static final int EXTENSION_ALPN = 16;
  private static final int EXTENSION_ENCRYPT_THEN_MAC = 22;
  private static final int EXTENSION_EARLY_DATA = 42;
  private static final int EXTENSION_VERSIONS = 43;

  /** The random number of a server that asks for another hello: RFC 8446, section 4.1.3. */
  private static final byte[] RETRY =
      HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");

  /** The hello of a client, or null when it is damaged. */
  static @Nullable TlsHello ofClient(byte[] bytes, int from, int to) {
    if (to - from <= HEAD_BYTES) {
      return null;
    }
    int suites = from + HEAD_BYTES + 1 + Bytes.u8(bytes, from + HEAD_BYTES);
    int methods = suites + 2 > to ? to : suites + 2 + Bytes.u16(bytes, suites);
    int extensions = methods + 1 > to ? to : methods + 1 + Bytes.u8(bytes, methods);
    return read(bytes, from, to, 0, 0, extensions);
  }

  /** The hello of a server, or null when it is damaged. */
  static @Nullable TlsHello ofServer(byte[] bytes, int from, int to) {
    if (to - from <= HEAD_BYTES) {
      return null;
    }
    int suite = from + HEAD_BYTES + 1 + Bytes.u8(bytes, from + HEAD_BYTES);
    if (suite + 3 > to) {
      return null;
    }
    int compression = Bytes.u8(bytes, suite + 2);
    return read(bytes, from, to, Bytes.u16(bytes, suite), compression, suite + 3);
  }

  private static TlsHello read(
      byte[] bytes, int from, int to, int suite, int compression, int extensions) {
    int version = Bytes.u16(bytes, from);
    byte[] random = Arrays.copyOfRange(bytes, from + 2, from + HEAD_BYTES);
    boolean earlyData = false;
    boolean encryptedFirst = false;
    String application = null;
    int at = extensions + 2;
    while (at + 4 <= to) {
      int body = at + 4;
      int end = body + Bytes.u16(bytes, at + 2);
      if (end > to) {
        break;
      }
      switch (Bytes.u16(bytes, at)) {
        case EXTENSION_EARLY_DATA -> earlyData = true;
        case EXTENSION_ENCRYPT_THEN_MAC -> encryptedFirst = true;
        case EXTENSION_VERSIONS -> version = end - body == 2 ? Bytes.u16(bytes, body) : version;
        case EXTENSION_ALPN -> application = onlyName(bytes, body, end);
        default -> {}
      }
      at = end;
    }
    return new TlsHello(
        version, random, suite, compression, earlyData, encryptedFirst, application);
  }

  /** The protocol that the server's extensions choose behind its hello, or null. */
  static @Nullable String applicationOf(byte[] bytes, int from, int to) {
    int at = from + 2;
    while (at + 4 <= to) {
      int body = at + 4;
      int end = body + Bytes.u16(bytes, at + 2);
      if (end > to) {
        return null;
      }
      if (Bytes.u16(bytes, at) == EXTENSION_ALPN) {
        return onlyName(bytes, body, end);
      }
      at = end;
    }
    return null;
  }

  /** The name in a list of one name, or null. */
  private static @Nullable String onlyName(byte[] bytes, int from, int to) {
    int name = from + 3;
    return name < to && Bytes.u8(bytes, from + 2) == to - name
        ? new String(bytes, name, to - name, StandardCharsets.ISO_8859_1)
        : null;
  }

  /** Whether the server only asks for another hello of the client. */
  boolean isRetry() {
    return Arrays.equals(random, RETRY);
  }

  /** The name of the version, as in {@code TLS 1.2}. */
  String versionName() {
    return versionName(version);
  }

  private static String versionName(int version) {
    return switch (version) {
      case 0x0300 -> "SSL 3.0";
      case 0x0301 -> "TLS 1.0";
      case 0x0302 -> "TLS 1.1";
      case VERSION_12 -> "TLS 1.2";
      case VERSION_13 -> "TLS 1.3";
      default -> "TLS version 0x%04X".formatted(version);
    };
  }
}
