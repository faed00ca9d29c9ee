package org.terrace.core.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A run of bytes that values are read from, in the format of {@link Encoder}. Reading past the end,
 * or a length that the run cannot hold, throws {@link MalformedDataException}. Confined to one
 * thread.
 */
public final class Decoder {
  private final byte[] bytes;
  private final int end;
  private int position;
  private boolean skippedUnknown;

  /** Reads the whole array. */
  public Decoder(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private Decoder(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /** Reads a copy of the buffer's remaining bytes. */
  public static Decoder copyOf(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(copy);
    return new Decoder(copy);
  }

  /** Reads one byte, 0 to 255. */
  public int getByte() {
    need(1);
    return bytes[position++] & 0xFF;
  }

  /** Reads eight bytes, most significant first. */
  public long getFixedLong() {
    need(Long.BYTES);
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = (value << Byte.SIZE) | (bytes[position++] & 0xFF);
    }
    return value;
  }

  /** Reads what {@link Encoder#putUnsigned} wrote. */
  public long getUnsigned() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = getByte();
      value |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new MalformedDataException("a number takes more than ten bytes");
  }

  /** Reads a number of 0 to the given limit. */
  public int getCount(int max) {
    long count = getUnsigned();
    if (count < 0 || count > max) {
      throw new MalformedDataException("expected a number of 0 to " + max + ", got " + count);
    }
    return (int) count;
  }

  /** Reads what {@link Encoder#putSigned} wrote. */
  public long getSigned() {
    long value = getUnsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads that many bytes. */
  public byte[] getRaw(int count) {
    need(count);
    byte[] copy = Arrays.copyOfRange(bytes, position, position + count);
    position += count;
    return copy;
  }

  /** Reads what {@link Encoder#putBytes} wrote. */
  public byte[] getBytes() {
    return getRaw(getCount(end - position));
  }

  /** Reads a text. */
  public String getString() {
    int count = getCount(end - position);
    need(count);
    String text = new String(bytes, position, count, StandardCharsets.UTF_8);
    position += count;
    return text;
  }

  /** Reads a value that was written with its size, whether or not the codec reads all of it. */
  public <T> T getSized(Codec<T> codec) {
    Decoder part = slice();
    T value = codec.decode(part);
    skippedUnknown |= part.skippedUnknown || part.remaining() > 0;
    return value;
  }

  /** The next bytes as a run of their own; their number is in front. */
  public Decoder slice() {
    int count = getCount(end - position);
    need(count);
    Decoder part = new Decoder(bytes, position, position + count);
    position += count;
    return part;
  }

  /** Passes over that many bytes. */
  public void skip(int count) {
    need(count);
    position += count;
  }

  /** The number of bytes that are left. */
  public int remaining() {
    return end - position;
  }

  int position() {
    return position;
  }

  byte[] bytesSince(int start) {
    return Arrays.copyOfRange(bytes, start, position);
  }

  /** Notes that something was passed over that this version does not know. */
  void noteSkippedUnknown() {
    skippedUnknown = true;
  }

  /** Whether something was passed over: then re-encoding the value would lose it. */
  public boolean hasSkippedUnknown() {
    return skippedUnknown;
  }

  private void need(int count) {
    if (count < 0 || count > end - position) {
      throw new MalformedDataException(
          "expected " + count + " more bytes, " + (end - position) + " are left");
    }
  }
}
