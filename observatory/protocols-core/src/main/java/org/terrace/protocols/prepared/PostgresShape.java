package org.terrace.protocols.prepared;

import java.nio.charset.StandardCharsets;
import org.terrace.wire.bytes.Bytes;

/**
 * The shape of a statement whose text was not seen, as PostgreSQL's messages tell it: Bind the
 * number of its parameters and the formats of parameters and columns, RowDescription the columns
 * and their tables, DataRow their number, CommandComplete what it did. Messages may be cut
 * anywhere. Nothing is read outside of a range. Stateless.
 *
 * <p>Source: PostgreSQL documentation, "Message Formats".
 */
public final class PostgresShape {
  /** The bytes of a description of rows that are looked at. */
  public static final int DESCRIPTION_BYTES_MAX = 8192;

  /** The bytes of the end of a command that are looked at. */
  public static final int TAG_BYTES_MAX = 64;

  private static final int COLUMN_BYTES = 18;
  private static final int NUMBERS_MAX = 1 << 12;
  private static final int FORMATS_SHOWN_MAX = 64;
  private static final int NOTHING = -1;

  private PostgresShape() {}

  /** Takes a Bind from behind its two names on; one that is cut tells nothing. */
  public static void bound(UnseenStatement statement, byte[] bytes, int from, int to) {
    int formats = number(bytes, from, to);
    int behindFormats = from + 2 + 2 * formats;
    int count = formats < 0 ? NOTHING : number(bytes, behindFormats, to);
    int at = count < 0 ? NOTHING : behindParameters(bytes, behindFormats + 2, to, count);
    int columns = at < 0 ? NOTHING : number(bytes, at, to);
    if (columns < 0 || to - at - 2 < 2 * columns) {
      return;
    }
    String shown = formats(bytes, from + 2, formats, count);
    statement.asked(
        count == 0 ? "" : count + (count == 1 ? " parameter (" : " parameters (") + shown + ")");
    if (columns > 1 && !statement.hasKnownColumns()) {
      statement.answers(ofColumns(columns, formats(bytes, at + 2, columns, columns)), columns);
    }
    statement.asksFor(formats(bytes, at + 2, columns, columns));
  }

  private static int behindParameters(byte[] bytes, int from, int to, int count) {
    int at = from;
    for (int each = 0; each < count; each++) {
      if (to - at < Integer.BYTES) {
        return NOTHING;
      }
      int length = Math.max(0, Bytes.i32(bytes, at));
      at += Integer.BYTES;
      if (length > to - at) {
        return NOTHING;
      }
      at += length;
    }
    return at;
  }

  /** The formats of so many values: of all by one word, else a letter each, b or t. */
  private static String formats(byte[] bytes, int from, int codes, int count) {
    StringBuilder letters = new StringBuilder();
    boolean mixed = false;
    for (int each = 0; each < Math.min(codes, count); each++) {
      char letter = bytes[from + 2 * each + 1] == 1 ? 'b' : 't';
      mixed |= !letters.isEmpty() && letters.charAt(0) != letter;
      if (letters.length() < FORMATS_SHOWN_MAX) {
        letters.append(letter);
      }
    }
    if (mixed) {
      return letters.toString();
    }
    return letters.indexOf("b") == 0 ? "binary" : "text";
  }

  private static String ofColumns(int count, String formats) {
    String columns = "of " + count + (count == 1 ? " column" : " columns");
    return formats.isEmpty() ? columns : columns + " (" + formats + ")";
  }

  /** Takes a DataRow, which nearly always a query gives; the end of the answer may be cut. */
  public static void row(UnseenStatement statement, byte[] bytes, int from, int to) {
    int count = number(bytes, from, to);
    if (statement.verb().isEmpty()) {
      statement.does("SELECT");
    }
    if (count >= 0 && !statement.hasKnownColumns()) {
      statement.answers(ofColumns(count, statement.format()), count);
    }
  }

  /** Takes a RowDescription, which tells more than anything else. */
  public static void described(UnseenStatement statement, byte[] bytes, int from, int to) {
    int end = Math.min(to, from + DESCRIPTION_BYTES_MAX);
    int count = number(bytes, from, end);
    if (count < 0) {
      return;
    }
    ColumnNames names = new ColumnNames();
    int at = from + 2;
    while (names.count() < count) {
      int zero = at < end ? Bytes.indexOf(bytes, at, end, (byte) 0) : NOTHING;
      if (zero < 0 || end - zero - 1 < COLUMN_BYTES) {
        break;
      }
      long table = Bytes.u32(bytes, zero + 1);
      names.add(
          table == 0 ? "" : "table " + table,
          new String(bytes, at, zero - at, StandardCharsets.UTF_8));
      at = zero + 1 + COLUMN_BYTES;
    }
    statement.answers(names.text(count), count);
  }

  /** Takes a NoData, which says that there are no rows. */
  public static void describedWithoutRows(UnseenStatement statement) {
    statement.answers("", 0);
  }

  /**
   * Takes a CommandComplete, such as {@code SELECT 1} or {@code INSERT 0 1}. What a statement does
   * never changes; that it has rows may show only when there are some.
   */
  public static void completed(UnseenStatement statement, byte[] bytes, int from, int to) {
    int end = Math.min(to, from + TAG_BYTES_MAX);
    int at = from;
    while (at < end && ((bytes[at] >= 'A' && bytes[at] <= 'Z') || bytes[at] == ' ')) {
      at++;
    }
    String verb = new String(bytes, from, at - from, StandardCharsets.US_ASCII).strip();
    if (verb.isEmpty()) {
      return;
    }
    statement.does(verb);
    if (statement.hasKnownColumns()) {
      statement.settle();
      return;
    }
    switch (verb) {
      case "SELECT", "FETCH", "SHOW", "CALL", "EXPLAIN", "EXECUTE" -> {}
      case "INSERT", "UPDATE", "DELETE", "MERGE" -> {
        if (affected(bytes, at, end)) {
          statement.answers("", 0);
          statement.settle();
        }
      }
      default -> statement.settle();
    }
  }

  /** Whether the last number of the end of a command is above zero. */
  private static boolean affected(byte[] bytes, int from, int to) {
    boolean affected = false;
    for (int at = from; at < to && bytes[at] != 0; at++) {
      affected = bytes[at] != ' ' && (affected || bytes[at] > '0');
    }
    return affected;
  }

  private static int number(byte[] bytes, int at, int to) {
    if (at < 0 || to - at < 2) {
      return NOTHING;
    }
    int number = Bytes.u16(bytes, at);
    return number > NUMBERS_MAX ? NOTHING : number;
  }
}
