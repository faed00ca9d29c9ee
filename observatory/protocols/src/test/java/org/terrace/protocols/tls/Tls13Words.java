package org.terrace.protocols.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The records that two sides of a connection of TLS 1.3 say to each other, as a test dictates them:
 * each is right by its keys and number, whatever it carries.
 */
final class Tls13Words {
  static final int HANDSHAKE = 22;
  static final int DATA = 23;
  static final int KEY_UPDATE = 24;
  private static final int SUITE = 0x1301;
  private static final int FINISHED = 20;
  private static final CipherSuite CIPHERS = CipherSuite.of(SUITE);

  private final byte[] random;
  private final byte[][] handshakeSecrets = new byte[2][];
  private final byte[][] firstSecrets = new byte[2][];
  private final byte[][] secrets = new byte[2][];
  private final long[] sequences = new long[2];

  /** The words of a connection whose random numbers all follow from one. */
  Tls13Words(int number) {
    random = filled(number, 1);
    for (int side = 0; side < 2; side++) {
      handshakeSecrets[side] = filled(number, 2 + side);
      firstSecrets[side] = filled(number, 4 + side);
      secrets[side] = handshakeSecrets[side];
    }
  }

  private static byte[] filled(int number, int kind) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) kind);
    ByteBuffer.wrap(bytes).putInt(number);
    return bytes;
  }

  /** The key log of the connection. */
  String keyLog() {
    return line("CLIENT_HANDSHAKE_TRAFFIC_SECRET", handshakeSecrets[0])
        + line("SERVER_HANDSHAKE_TRAFFIC_SECRET", handshakeSecrets[1])
        + line("CLIENT_TRAFFIC_SECRET_0", firstSecrets[0])
        + line("SERVER_TRAFFIC_SECRET_0", firstSecrets[1]);
  }

  private String line(String label, byte[] secret) {
    HexFormat hex = HexFormat.of();
    return label + " " + hex.formatHex(random) + " " + hex.formatHex(secret) + "\n";
  }

  /** The client's hello in the clear. */
  byte[] clientHello() {
    ByteBuffer body = ByteBuffer.allocate(64);
    body.putShort((short) 0x0303).put(random).put((byte) 0);
    body.putShort((short) 2).putShort((short) SUITE).put((byte) 1).put((byte) 0);
    return clear(message(1, taken(body)));
  }

  /** The server's hello in the clear, which chooses TLS 1.3. */
  byte[] serverHello() {
    ByteBuffer body = ByteBuffer.allocate(64);
    body.putShort((short) 0x0303).put(new byte[32]).put((byte) 0);
    body.putShort((short) SUITE).put((byte) 0);
    body.putShort((short) 6).putShort((short) 43).putShort((short) 2).putShort((short) 0x0304);
    return clear(message(2, taken(body)));
  }

  /** One side's end of the handshake, from which on it says data. */
  byte[] finished(boolean ofClient) {
    byte[] record = sealed(ofClient, HANDSHAKE, message(FINISHED, new byte[32]));
    int side = ofClient ? 0 : 1;
    secrets[side] = firstSecrets[side];
    sequences[side] = 0;
    return record;
  }

  /** A record of text. */
  byte[] text(boolean ofClient, String text) {
    return sealed(ofClient, DATA, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A record of updates of keys, of which one counts. */
  byte[] keyUpdates(boolean ofClient, int count) {
    ByteArrayOutputStream updates = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      updates.writeBytes(message(KEY_UPDATE, new byte[1]));
    }
    byte[] record = sealed(ofClient, HANDSHAKE, updates.toByteArray());
    int side = ofClient ? 0 : 1;
    secrets[side] = KeyDerivation.updated(CIPHERS, secrets[side]);
    sequences[side] = 0;
    return record;
  }

  private static byte[] taken(ByteBuffer buffer) {
    byte[] taken = new byte[buffer.flip().remaining()];
    buffer.get(taken);
    return taken;
  }

  /** A message of a handshake. */
  static byte[] message(int type, byte[] body) {
    return ByteBuffer.allocate(4 + body.length).putInt(type << 24 | body.length).put(body).array();
  }

  private static byte[] clear(byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) HANDSHAKE)
        .putShort((short) 0x0301)
        .putShort((short) message.length)
        .put(message)
        .array();
  }

  /** A record that its keys open. */
  byte[] sealed(boolean ofClient, int type, byte[] content) {
    int side = ofClient ? 0 : 1;
    byte[] key = KeyDerivation.expand(CIPHERS, secrets[side], "key", 16);
    byte[] nonce = KeyDerivation.expand(CIPHERS, secrets[side], "iv", 12);
    long sequence = sequences[side]++;
    for (int i = 0; i < Long.BYTES; i++) {
      nonce[11 - i] ^= (byte) (sequence >>> (8 * i));
    }
    int length = content.length + 1 + 16;
    ByteBuffer record = ByteBuffer.allocate(5 + length);
    record.put((byte) DATA).putShort((short) 0x0303).putShort((short) length);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
      cipher.updateAAD(record.array(), 0, 5);
      byte[] inner = Arrays.copyOf(content, content.length + 1);
      inner[content.length] = (byte) type;
      record.put(cipher.doFinal(inner));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return record.array();
  }
}
