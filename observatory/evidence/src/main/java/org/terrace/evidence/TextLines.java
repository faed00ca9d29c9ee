package org.terrace.evidence;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log, unpacked if it is gzip by its content, in bounded memory: of a line, at most
 * {@value #LONGEST_LINE} bytes are kept. A packed log that ends in the middle ends there. Confined
 * to one thread.
 */
final class TextLines implements AutoCloseable {
  /** More than any line whose meaning is read. */
  static final int LONGEST_LINE = 1 << 14;

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private final InputStream bytes;
  private final byte[] line = new byte[LONGEST_LINE];
  private long number;

  private TextLines(InputStream bytes) {
    this.bytes = bytes;
  }

  static TextLines open(Path file) throws IOException {
    return new TextLines(unpacked(file));
  }

  /** The bytes of a file, unpacked if they are gzip. */
  static InputStream unpacked(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      raw.mark(2);
      boolean packed = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
      raw.reset();
      return packed ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER) : raw;
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  /** The next line without its end; null after the last. */
  @Nullable String next() throws IOException {
    int length = 0;
    int next = read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (length < LONGEST_LINE) {
        line[length++] = (byte) next;
      }
      next = read();
    }
    number++;
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, end, StandardCharsets.UTF_8);
  }

  private int read() throws IOException {
    try {
      return bytes.read();
    } catch (EOFException | ZipException e) {
      return -1; // cut while it was written
    }
  }

  /** The number of the line that was read last, from 1. */
  long number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
