package org.terrace.tracing.span;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** One message of the protobuf wire format that is being written. Confined to one thread. */
final class ProtobufOutput {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  ProtobufOutput varint(int field, long value) {
    number((long) field << 3);
    number(value);
    return this;
  }

  ProtobufOutput fixed64(int field, long value) {
    number((long) field << 3 | 1);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes.write((int) (value >>> shift));
    }
    return this;
  }

  ProtobufOutput bytes(int field, byte[] value) {
    number((long) field << 3 | 2);
    number(value.length);
    bytes.writeBytes(value);
    return this;
  }

  ProtobufOutput text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtobufOutput message(int field, ProtobufOutput message) {
    return bytes(field, message.toByteArray());
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private void number(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }
}
