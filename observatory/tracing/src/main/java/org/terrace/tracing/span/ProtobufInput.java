package org.terrace.tracing.span;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The fields of one message of the protobuf wire format, one after another. Every error tells the
 * byte. Confined to one thread.
 */
final class ProtobufInput {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;
  private static final int VARINT_BITS_MAX = 70;

  private final ByteBuffer bytes;
  private final long offset;
  private int wireType;

  /**
   * A message.
   *
   * @param offset where it begins in the file, for errors
   */
  ProtobufInput(ByteBuffer bytes, long offset) {
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.offset = offset;
  }

  /** Goes to the next field and gives its number; 0 at the end. */
  int next() throws IOException {
    if (!bytes.hasRemaining()) {
      return 0;
    }
    long tag = varint();
    wireType = (int) (tag & 7);
    long field = tag >>> 3;
    if (field < 1 || field > 0x1FFF_FFFF) {
      throw wrong("there is no field number " + field);
    }
    return (int) field;
  }

  /** Passes over the value of a field. */
  void skip() throws IOException {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> take(Long.BYTES);
      case BYTES -> take(length());
      case FIXED32 -> take(Integer.BYTES);
      default -> throw wrong("there is no wire type " + wireType);
    }
  }

  /** The whole number of a field. */
  long whole() throws IOException {
    return switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> take(Long.BYTES).getLong();
      case FIXED32 -> take(Integer.BYTES).getInt();
      default -> throw wrong("a number has wire type " + wireType);
    };
  }

  /** The number of a field of 64 bits that has a fraction. */
  double decimal() throws IOException {
    return Double.longBitsToDouble(whole());
  }

  /** The message in a field. */
  ProtobufInput message() throws IOException {
    int size = delimited();
    long begin = offset + bytes.position();
    return new ProtobufInput(take(size), begin);
  }

  String text() throws IOException {
    return StandardCharsets.UTF_8.decode(take(delimited())).toString();
  }

  /** The bytes of a field as hexadecimal digits. */
  String hex() throws IOException {
    ByteBuffer value = take(delimited());
    StringBuilder digits = new StringBuilder();
    while (value.hasRemaining() && digits.length() < Limits.NAME_CHARS_MAX) {
      byte each = value.get();
      digits.append(Character.forDigit(each >> 4 & 15, 16));
      digits.append(Character.forDigit(each & 15, 16));
    }
    return digits.toString();
  }

  private int delimited() throws IOException {
    if (wireType != BYTES) {
      throw wrong("a text or message has wire type " + wireType);
    }
    return length();
  }

  private int length() throws IOException {
    long length = varint();
    if (length < 0 || length > bytes.remaining()) {
      throw wrong(
          "a field of " + Long.toUnsignedString(length) + " bytes, but it ends after " + rest());
    }
    return (int) length;
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < VARINT_BITS_MAX; shift += 7) {
      byte each = take(1).get();
      value |= shift < Long.SIZE ? (each & 0x7FL) << shift : 0;
      if (each >= 0) {
        return value;
      }
    }
    throw wrong("a number of more than ten bytes");
  }

  private ByteBuffer take(int size) throws IOException {
    if (size > bytes.remaining()) {
      throw wrong("it ends after " + rest() + ", within a field");
    }
    ByteBuffer taken = bytes.slice(bytes.position(), size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(bytes.position() + size);
    return taken;
  }

  private String rest() {
    return bytes.remaining() + " more bytes";
  }

  /** The error of this place. */
  IOException wrong(String what) {
    return new IOException("byte " + (offset + bytes.position()) + ": " + what);
  }
}
