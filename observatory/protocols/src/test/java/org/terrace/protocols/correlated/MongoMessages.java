package org.terrace.protocols.correlated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Messages of MongoDB's wire protocol, as its specification has them. */
public final class MongoMessages {
  private static final int OP_MSG = 2013;

  private MongoMessages() {}

  /** A command with so many further bytes of text. */
  public static byte[] command(int number, String name, int textBytes) {
    return message(number, 0, 0, name, 1.0, textBytes);
  }

  /** A reply with a value of {@code ok} and so many further bytes of text. */
  public static byte[] reply(int to, double ok, int textBytes) {
    return message(1_000_000 + to, to, 0, "ok", ok, textBytes);
  }

  /** A message of one document: a number under a name, and a text. */
  public static byte[] message(
      int number, int to, int flags, String name, double value, int textBytes) {
    byte[] element = (name + "\0").getBytes(StandardCharsets.US_ASCII);
    int documentBytes = 4 + 1 + element.length + 8 + 1 + 2 + 4 + textBytes + 1 + 1;
    ByteBuffer buffer =
        ByteBuffer.allocate(16 + 4 + 1 + documentBytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(buffer.capacity()).putInt(number).putInt(to).putInt(OP_MSG);
    buffer.putInt(flags).put((byte) 0).putInt(documentBytes);
    buffer.put((byte) 1).put(element).putDouble(value);
    buffer.put((byte) 2).put((byte) 't').put((byte) 0).putInt(textBytes + 1);
    buffer.put("x".repeat(textBytes).getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    buffer.put((byte) 0);
    return buffer.array();
  }
}
