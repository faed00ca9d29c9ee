package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import org.terrace.protocols.prepared.ColumnNames;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.protocols.text.TextBuffer;
import org.terrace.wire.bytes.Bytes;

/**
 * The shape of a statement whose text was not seen, as MySQL's packets tell it: the definitions of
 * columns their tables and names, an OK packet what was written. An execution does not say how many
 * parameters it has; where it tells their types, only one number fits all of its bytes. Packets may
 * be cut anywhere. Nothing is read outside of a range. Stateless.
 *
 * <p>Source: MariaDB documentation, "COM_STMT_EXECUTE", "Result Set Packets", "OK_Packet".
 */
final class MySqlUnseen {
  /** The bytes of the definition of a column that are looked at. */
  static final int DEFINITION_BYTES_MAX = 1024;

  private static final int PARAMETERS_MAX = 64;
  private static final int FLAG_COUNT_IS_THERE = 8;
  private static final int FLAG_TYPES_ARE_THERE = 128;
  private static final int INDICATOR_MAX = 4;
  private static final int TYPES_SHOWN_MAX = 8;
  private static final int TYPE_FLAGS_MASK = 0x7f00;
  private static final byte[] MATCHED = "Rows matched:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECORDS = "Records:".getBytes(StandardCharsets.US_ASCII);

  private MySqlUnseen() {}

  /** Takes an execution, whose flags stand at {@code from}; a part of one tells nothing. */
  static void executed(UnseenStatement statement, byte[] bytes, int from, int to, boolean isWhole) {
    int at = from + 5;
    if (!isWhole || at > to || (bytes[from] & FLAG_COUNT_IS_THERE) != 0) {
      return;
    }
    int found = at == to ? 0 : -1;
    for (int count = 1; count <= PARAMETERS_MAX && at < to; count++) {
      if (fits(bytes, at, to, count)) {
        if (found >= 0) {
          return;
        }
        found = count;
      }
    }
    if (found == 0) {
      statement.asked("no parameters");
    } else if (found > 0) {
      int types = at + (found + 7) / Byte.SIZE + 1;
      boolean absent = false;
      for (int nulls = at; nulls < types - 1; nulls++) {
        absent |= bytes[nulls] != 0;
      }
      asked(statement, bytes, types, found, absent);
    }
  }

  /**
   * Whether an execution, whose flags stand at {@code from}, has parameters and leaves out their
   * types. The byte that says so is behind a bit for each parameter: of few bytes only few can be
   * that byte. An execution that might be either is none.
   */
  static boolean leavesOutTypes(byte[] bytes, int from, int to, boolean isWhole) {
    int at = from + 5;
    if (!isWhole || to - at < 2 || (bytes[from] & FLAG_COUNT_IS_THERE) != 0) {
      return false;
    }
    for (int behind = 1; ; behind++) {
      int countMin = (behind - 1) * Byte.SIZE + 1;
      if (to - at < behind + 1 + 2 * countMin) {
        return true;
      }
      if (bytes[at + behind] == 1) {
        return false;
      }
    }
  }

  /** Notes parameters: their types only where all are there, since that of an absent one varies. */
  private static void asked(
      UnseenStatement statement, byte[] bytes, int types, int count, boolean absent) {
    String number = count + (count == 1 ? " parameter" : " parameters");
    statement.askedByTypes();
    if (absent) {
      statement.askedInPart(number);
      return;
    }
    StringBuilder words = new StringBuilder(word(bytes[types]));
    boolean mixed = false;
    for (int each = 1; each < count; each++) {
      String word = word(bytes[types + 2 * each]);
      mixed |= !word.equals(word(bytes[types]));
      if (each <= TYPES_SHOWN_MAX) {
        words.append(", ").append(each < TYPES_SHOWN_MAX ? word : "...");
      }
    }
    statement.asked(number, "(" + (mixed ? words : word(bytes[types])) + ")");
  }

  private static String word(int type) {
    return switch (type & 0xff) {
      case 0x01, 0x02, 0x03, 0x08, 0x09, 0x0d -> "int";
      case 0x00, 0x04, 0x05, 0xf6 -> "number";
      case 0x07, 0x0a, 0x0b, 0x0c -> "time";
      default -> "text";
    };
  }

  private static boolean fits(byte[] bytes, int from, int to, int count) {
    int types = from + (count + 7) / Byte.SIZE + 1;
    int at = types + 2 * count;
    if (at > to || bytes[types - 1] != 1) {
      return false;
    }
    int unused = -count & (Byte.SIZE - 1);
    if (unused > 0 && (bytes[types - 2] & 0xff) >> (Byte.SIZE - unused) != 0) {
      return false;
    }
    for (int each = 0; each < count && at >= 0; each++) {
      int type = (int) MySqlPacket.number(bytes, types + 2 * each, to, 2);
      boolean absent = (bytes[from + each / Byte.SIZE] >> (each % Byte.SIZE) & 1) != 0;
      boolean known = (type & TYPE_FLAGS_MASK) == 0;
      at = !known ? -1 : absent ? at : MySqlValue.end(type, bytes, at, to);
    }
    return at == to;
  }

  /** Takes an execution for several rows at once, whose flags stand at {@code from}. */
  static void executedInBulk(
      UnseenStatement statement, byte[] bytes, int from, int to, boolean isWhole) {
    int flags = (int) MySqlPacket.number(bytes, from, to, 2);
    if (!isWhole || flags < 0 || (flags & FLAG_TYPES_ARE_THERE) == 0) {
      return;
    }
    int found = -1;
    for (int count = 1; count <= PARAMETERS_MAX; count++) {
      if (fitsInBulk(bytes, from + 2, to, count)) {
        if (found >= 0) {
          return;
        }
        found = count;
      }
    }
    if (found > 0) {
      asked(statement, bytes, from + 2, found, false);
    }
  }

  private static boolean fitsInBulk(byte[] bytes, int types, int to, int count) {
    int at = types + 2 * count;
    if (at >= to) {
      return false;
    }
    int parameter = 0;
    while (at >= 0 && at < to) {
      int type = (int) MySqlPacket.number(bytes, types + 2 * parameter, to, 2);
      int indicator = bytes[at++];
      boolean known = (type & TYPE_FLAGS_MASK) == 0 && indicator >= 0 && indicator <= INDICATOR_MAX;
      at = !known ? -1 : indicator != 0 ? at : MySqlValue.end(type, bytes, at, to);
      parameter = (parameter + 1) % count;
    }
    return at == to && parameter == 0;
  }

  /** Takes the definition of a column: its name in its table, or what the statement calls it. */
  static void column(ColumnNames names, byte[] bytes, int from, int to) {
    int end = Math.min(to, from + DEFINITION_BYTES_MAX);
    int at = from;
    for (int skipped = 0; skipped < 3 && at >= 0; skipped++) {
      at = MySqlValue.textEnd(bytes, at, end);
    }
    int behindTable = MySqlValue.textEnd(bytes, at, end);
    int behindAlias = behindTable < 0 ? -1 : MySqlValue.textEnd(bytes, behindTable, end);
    int behindName = behindAlias < 0 ? -1 : MySqlValue.textEnd(bytes, behindAlias, end);
    if (behindName < 0) {
      names.add("", "?");
      return;
    }
    String table = text(bytes, at, behindTable);
    names.add(
        table,
        table.isEmpty()
            ? expression(bytes, behindTable, behindAlias)
            : text(bytes, behindAlias, behindName));
  }

  /** An expression has its own text for a name, whose literals are data. */
  private static String expression(byte[] bytes, int from, int end) {
    int start = MySqlPacket.behindInteger(bytes, from, end);
    TextBuffer text = new SqlText().normalise(bytes, start, end);
    return new String(text.bytes(), 0, text.length(), StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes, int from, int end) {
    int start = MySqlPacket.behindInteger(bytes, from, end);
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /** Takes the columns of a result, which tell more than its parameters do. */
  static void answered(UnseenStatement statement, ColumnNames names) {
    statement.answers(names.text(names.count()), names.count());
    statement.needNotAsk();
    statement.settle();
  }

  /** Takes the number of columns that the server does not define once more. */
  static void answered(UnseenStatement statement, int columns) {
    statement.answers("of " + columns + (columns == 1 ? " column" : " columns"), columns);
    statement.settle();
  }

  /**
   * Takes an OK packet in the place of a result. An UPDATE tells how many rows it found, an INSERT
   * of several rows how many it had, one of a row the number it was given.
   */
  static void wrote(UnseenStatement statement, byte[] bytes, int from, int to) {
    long rows = MySqlPacket.integer(bytes, from + 1, to);
    int identity = MySqlPacket.behindInteger(bytes, from + 1, to);
    int behind = identity < 0 ? -1 : MySqlPacket.behindInteger(bytes, identity, to);
    if (behind < 0) {
      return;
    }
    boolean update = contains(bytes, behind, to, MATCHED);
    boolean insert = contains(bytes, behind, to, RECORDS);
    insert |= MySqlPacket.integer(bytes, identity, to) != 0;
    statement.does(update ? "UPDATE" : insert ? "INSERT" : "without result");
    if (update || insert || rows != 0) {
      statement.settle();
    }
  }

  private static boolean contains(byte[] bytes, int from, int to, byte[] text) {
    for (int at = from; to - at >= text.length; at++) {
      if (Bytes.startsWith(bytes, at, to, text)) {
        return true;
      }
    }
    return false;
  }
}
