package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that the test encrypts by the rules of RFC 5246 and RFC 7366, and damaged ones. */
class CbcKeysTest {
  private static final CipherSuite SUITE = CipherSuite.of(0xC027);
  private static final byte[] KEY =
      "a key of 16 bytes".substring(0, 16).getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MAC_KEY =
      "a key of the code that has 32 by".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TEXT = "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII);
  private static final long NUMBER = 7;

  private final CipherPool pool = new CipherPool();

  private static byte[] code(byte[] content) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(MAC_KEY, "HmacSHA256"));
    byte[] header = new byte[13];
    ByteBuffer.wrap(header)
        .putLong(NUMBER)
        .put((byte) RecordStream.DATA)
        .putShort((short) 0x0303)
        .putShort((short) content.length);
    mac.update(header);
    return mac.doFinal(content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  private static byte[] encrypted(byte[] content) throws GeneralSecurityException {
    int padding = 15 - content.length % 16;
    byte[] padded = Arrays.copyOf(content, content.length + padding + 1);
    Arrays.fill(padded, content.length, padded.length, (byte) padding);
    byte[] vector = new byte[16];
    Arrays.fill(vector, (byte) 5);
    Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(KEY, "AES"), new IvParameterSpec(vector));
    return joined(vector, cipher.doFinal(padded));
  }

  private static byte[] record(boolean isEncryptedFirst) throws GeneralSecurityException {
    if (!isEncryptedFirst) {
      return encrypted(joined(TEXT, code(TEXT)));
    }
    byte[] encrypted = encrypted(TEXT);
    return joined(encrypted, code(encrypted));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void soundRecordOpensAndNoOtherDoes(boolean isEncryptedFirst) throws Exception {
    CbcKeys keys = new CbcKeys(SUITE, KEY, MAC_KEY, isEncryptedFirst);
    byte[] record = record(isEncryptedFirst);

    assertThat(keys.open(pool, NUMBER, RecordStream.DATA, record, 0, record.length))
        .isEqualTo(TEXT.length);
    assertThat(Arrays.copyOf(pool.plaintext, TEXT.length)).isEqualTo(TEXT);
    assertThat(keys.open(pool, NUMBER + 1, RecordStream.DATA, record, 0, record.length))
        .isEqualTo(RecordKeys.CLOSED);
    assertThat(keys.open(pool, NUMBER, RecordStream.ALERT, record, 0, record.length))
        .isEqualTo(RecordKeys.CLOSED);
    for (int at = 0; at < record.length; at++) {
      byte[] damaged = record.clone();
      damaged[at] ^= 0x40;
      assertThat(keys.open(pool, NUMBER, RecordStream.DATA, damaged, 0, damaged.length))
          .as("damaged at " + at)
          .isEqualTo(RecordKeys.CLOSED);
      assertThat(keys.open(pool, NUMBER, RecordStream.DATA, record, 0, at))
          .as("cut at " + at)
          .isEqualTo(RecordKeys.CLOSED);
    }
  }
}
