package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The values of RFC 8448, section 3: a handshake of TLS 1.3 with AES-128-GCM and SHA-256. */
class KeyDerivationTest {
  private static final CipherSuite SUITE = CipherSuite.of(0x1301);
  private static final HexFormat HEX = HexFormat.of();

  private static final String CLIENT_HANDSHAKE =
      "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21";
  private static final String CLIENT_DATA =
      "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5";
  private static final String SERVER_DATA =
      "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643";

  private static final String CLIENT_FINISHED_RECORD =
      "75ec4dc238cce60b298044a71e219c56cc77b0517fe9b93c7a4bfc44d87f38f80338ac98fc46deb384bd1caeacab68"
          + "67d726c40546";
  private static final String CLIENT_DATA_RECORD =
      "a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20441e2b62974e1f"
          + "5a6292a2977014bd1e3deae63aeebb21694915e4";
  private static final String SERVER_DATA_RECORD =
      "2e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb501a59a8fcc49c4b"
          + "f2e5f0a21c0047c2abf332540dd032e167c2955d";
  private static final String CLIENT_CLOSE_RECORD = "c9872760655666b74d7ff1153efd6db6d0b0e3";

  private final CipherPool pool = new CipherPool();

  private byte[] open(String secret, long sequence, String record) {
    byte[] body = HEX.parseHex(record);
    RecordKeys keys = KeyDerivation.ofTraffic(SUITE, HEX.parseHex(secret));
    int length = keys.open(pool, sequence, RecordStream.DATA, body, 0, body.length);
    return length == RecordKeys.CLOSED ? new byte[0] : Arrays.copyOf(pool.plaintext, length);
  }

  @Test
  void keysAndNoncesAreThoseOfTheStandard() {
    byte[] secret = HEX.parseHex(CLIENT_HANDSHAKE);

    assertThat(HEX.formatHex(KeyDerivation.expand(SUITE, secret, "key", 16)))
        .isEqualTo("dbfaa693d1762c5b666af5d950258d01");
    assertThat(HEX.formatHex(KeyDerivation.expand(SUITE, secret, "iv", 12)))
        .isEqualTo("5bd3c71b836e0b76bb73265f");
  }

  @Test
  void recordsOpenWithTheirSecretAndNumberAlone() {
    byte[] data = new byte[51];
    for (int i = 0; i < 50; i++) {
      data[i] = (byte) i;
    }
    data[50] = RecordStream.DATA;

    assertThat(HEX.formatHex(open(CLIENT_HANDSHAKE, 0, CLIENT_FINISHED_RECORD)))
        .isEqualTo("14000020a8ec436d677634ae525ac1fcebe11a039ec17694fac6e98527b642f2edd5ce6116");
    assertThat(open(CLIENT_DATA, 0, CLIENT_DATA_RECORD)).isEqualTo(data);
    // The server's first record is a ticket.
    assertThat(open(SERVER_DATA, 1, SERVER_DATA_RECORD)).isEqualTo(data);
    assertThat(HEX.formatHex(open(CLIENT_DATA, 1, CLIENT_CLOSE_RECORD))).isEqualTo("010015");
    assertThat(open(CLIENT_DATA, 1, CLIENT_DATA_RECORD)).isEmpty();
    assertThat(open(SERVER_DATA, 0, SERVER_DATA_RECORD)).isEmpty();
    assertThat(open(SERVER_DATA, 0, CLIENT_DATA_RECORD)).isEmpty();
  }
}
