package org.terrace.protocols.text;

import java.nio.charset.StandardCharsets;
import org.terrace.wire.bytes.Bytes;

/**
 * Collects the name of a class, up to a limit, in an array that is used again. What goes beyond the
 * limit is replaced by three dots. Confined to one thread.
 */
public final class TextBuffer {
  private static final int DOTS = 3;

  private final byte[] bytes;
  private int length;
  private boolean cut;

  /** An empty buffer that takes so many bytes at most. */
  public TextBuffer(int bytesMax) {
    bytes = new byte[bytesMax];
  }

  /** Forgets everything. */
  public void clear() {
    length = 0;
    cut = false;
  }

  /** The array in which the text lies, from its beginning on. */
  public byte[] bytes() {
    return bytes;
  }

  /** The bytes of the text. */
  public int length() {
    return length;
  }

  /** Whether nothing was added. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** Whether the limit is reached and nothing more is taken. */
  public boolean isCut() {
    return cut;
  }

  /** The last byte, or zero. */
  public int last() {
    return length == 0 ? 0 : bytes[length - 1];
  }

  /** Adds a byte, as it is unless it is a control character, for which a question mark stands. */
  public void add(int value) {
    if (cut) {
      return;
    }
    if (length == bytes.length) {
      cut = true;
      int end = length - DOTS;
      while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
        end--;
      }
      length = end;
      for (int i = 0; i < DOTS; i++) {
        bytes[length++] = '.';
      }
      return;
    }
    boolean control = (value >= 0 && value < ' ') || value == 0x7f;
    bytes[length++] = control ? (byte) '?' : (byte) value;
  }

  /** Adds a range of bytes. */
  public void add(byte[] from, int start, int end) {
    for (int i = start; i < end && !cut; i++) {
      add(from[i]);
    }
  }

  /** Adds a text. */
  public void add(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    add(encoded, 0, encoded.length);
  }

  /** Whether the text ends with these bytes. */
  public boolean endsWith(byte[] suffix) {
    return length >= suffix.length
        && Bytes.startsWith(bytes, length - suffix.length, length, suffix);
  }

  /** Takes back the last bytes. */
  public void drop(int count) {
    if (!cut) {
      length -= count;
    }
  }
}
