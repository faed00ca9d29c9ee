package org.terrace.wire.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reading of numbers out of byte arrays in network order, and search and hash of ranges of them,
 * eight bytes at a time. Stateless and thread-safe. Every read checks its bounds as an array does.
 */
public final class Bytes {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private Bytes() {}

  /** The unsigned byte at an offset. */
  public static int u8(byte[] bytes, int offset) {
    return bytes[offset] & 0xff;
  }

  /** The unsigned 16-bit number at an offset. */
  public static int u16(byte[] bytes, int offset) {
    return (short) SHORT.get(bytes, offset) & 0xffff;
  }

  /** The 32-bit number at an offset. */
  public static int i32(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  /** The unsigned 32-bit number at an offset. */
  public static long u32(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset) & 0xffff_ffffL;
  }

  /** The 64-bit number at an offset. */
  public static long i64(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  /** The first index of a byte in a range, or -1. */
  public static int indexOf(byte[] bytes, int from, int to, byte wanted) {
    long pattern = LOW_BITS * (wanted & 0xff);
    int position = from;
    for (; position <= to - Long.BYTES; position += Long.BYTES) {
      long difference = (long) LONG_LITTLE.get(bytes, position) ^ pattern;
      long zeroes = (difference - LOW_BITS) & ~difference & HIGH_BITS;
      if (zeroes != 0) {
        return position + (Long.numberOfTrailingZeros(zeroes) >>> 3);
      }
    }
    for (; position < to; position++) {
      if (bytes[position] == wanted) {
        return position;
      }
    }
    return -1;
  }

  /** A 64-bit hash of a range: fast and well mixed, not safe against chosen input. */
  public static long hash(byte[] bytes, int from, int to) {
    long hash = (to - from) * MIX;
    int position = from;
    for (; position <= to - Long.BYTES; position += Long.BYTES) {
      hash = mix(hash ^ (long) LONG_LITTLE.get(bytes, position));
    }
    long tail = 0;
    for (; position < to; position++) {
      tail = tail << 8 | (bytes[position] & 0xff);
    }
    return mix(hash ^ tail);
  }

  /** Spreads the bits of a number over the whole of it. */
  public static long mix(long value) {
    long mixed = value * MIX;
    return mixed ^ (mixed >>> 32);
  }

  /** Whether a range equals the whole of another array. */
  public static boolean equal(byte[] bytes, int from, int to, byte[] whole) {
    return to - from == whole.length && Arrays.equals(bytes, from, to, whole, 0, whole.length);
  }

  /** Whether a range begins with the given bytes. */
  public static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
    return to - from >= prefix.length
        && Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
  }
}
