package org.terrace.core.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing run of bytes that values are written to. Integers take as many bytes as they need
 * (seven bits each, least significant first; signed ones zig-zag). Confined to one thread.
 */
public final class Encoder {
  private static final int FIRST_BYTES = 256;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;
  private final boolean canonical;

  /** An empty run. */
  public Encoder() {
    this(false);
  }

  private Encoder(boolean canonical) {
    this.canonical = canonical;
  }

  /**
   * An empty run that is the same in every process for equal values: elements of sets and entries
   * of maps are written in the order of their bytes, and not in that in which they are found.
   */
  public static Encoder canonical() {
    return new Encoder(true);
  }

  /** Whether sets and maps are written in the order of their bytes. */
  boolean isCanonical() {
    return canonical;
  }

  /** Writes one byte. */
  public void putByte(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  /** Writes eight bytes, most significant first. */
  public void putFixedLong(long value) {
    ensure(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /** Writes a number that is seldom large and never negative; negative ones take ten bytes. */
  public void putUnsigned(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** Writes a number of either sign. */
  public void putSigned(long value) {
    putUnsigned((value << 1) ^ (value >> (Long.SIZE - 1)));
  }

  /** Writes the bytes and nothing else. */
  public void putRaw(byte[] source, int offset, int count) {
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Writes the number of bytes and the bytes. */
  public void putBytes(byte[] source) {
    putUnsigned(source.length);
    putRaw(source, 0, source.length);
  }

  /** Writes a text as UTF-8 with its length. */
  public void putString(String text) {
    putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a value with the number of its bytes in front, so that a reader can skip it. */
  public <T> void putSized(Codec<T> codec, T value) {
    int start = length;
    codec.encode(value, this);
    int size = length - start;
    int prefix = unsignedBytes(size);
    ensure(prefix);
    System.arraycopy(bytes, start, bytes, start + prefix, size);
    length = start;
    putUnsigned(size);
    length += size;
  }

  /** The number of bytes that have been written. */
  public int length() {
    return length;
  }

  /** A copy of what has been written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** All that has been written, ready to be read, without a copy: valid until the next change. */
  public ByteBuffer asBuffer() {
    return ByteBuffer.wrap(bytes, 0, length);
  }

  /** The bytes themselves, of which the first {@link #length()} count. */
  public byte[] array() {
    return bytes;
  }

  /** Forgets everything, keeping the room. */
  public void clear() {
    length = 0;
  }

  /** The number of bytes that {@link #putUnsigned} takes for a value. */
  public static int unsignedBytes(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }

  private void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
