package org.terrace.board.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A writer of rows in the text format of PostgreSQL's COPY: fields between tabs, a line a row, in
 * UTF-8, with backslashes before what would be mistaken for either.
 *
 * <p>Confined to one thread; what it holds is bounded by its buffer and one row.
 */
public final class CopyText {
  private static final int BUFFER_CHARACTERS = 64 * 1024;

  private final OutputStream out;
  private final StringBuilder buffer = new StringBuilder(BUFFER_CHARACTERS);
  private boolean firstField = true;
  private long rows;

  public CopyText(OutputStream out) {
    this.out = out;
  }

  /** A field that is a number. */
  CopyText number(long number) {
    next().append(number);
    return this;
  }

  /** A field that is null for 0. */
  CopyText reference(long id) {
    if (id == 0) {
      next().append("\\N");
    } else {
      next().append(id);
    }
    return this;
  }

  /** A field that is a text. */
  CopyText text(String text) {
    next();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> buffer.append("\\\\");
        case '\t' -> buffer.append("\\t");
        case '\n' -> buffer.append("\\n");
        case '\r' -> buffer.append("\\r");
        default -> buffer.append(c);
      }
    }
    return this;
  }

  /** A field that is a time, in seconds since the Unix epoch. */
  CopyText time(long seconds) {
    LocalDateTime at = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    next().append(at.toLocalDate()).append(' ').append(at.toLocalTime()).append("+00");
    return this;
  }

  /** Ends the row. */
  void endRow() throws IOException {
    buffer.append('\n');
    firstField = true;
    rows++;
    if (buffer.length() > BUFFER_CHARACTERS / 2) {
      flush();
    }
  }

  /** Hands on what is still in the buffer. */
  public void flush() throws IOException {
    out.write(buffer.toString().getBytes(StandardCharsets.UTF_8));
    buffer.setLength(0);
  }

  /** The number of rows that have ended. */
  public long rows() {
    return rows;
  }

  private StringBuilder next() {
    if (!firstField) {
      buffer.append('\t');
    }
    firstField = false;
    return buffer;
  }
}
