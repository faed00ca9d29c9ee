package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.text.MemoryBudget;

/**
 * The parameters of the prepared statements of one MySQL connection: how many each has and of which
 * types, as an execution tells them once and later ones leave out, and the values that an execution
 * carries. Of statements whose numbers differ by a multiple of {@value #SLOTS} the latest is
 * remembered. What is damaged, cut or not known gives the values before it. Confined to one thread.
 *
 * <p>Source: MariaDB documentation, "COM_STMT_EXECUTE", "COM_STMT_BULK_EXECUTE" and "Binary
 * Protocol Encoding"; MySQL source documentation, "COM_STMT_EXECUTE" (query attributes).
 */
final class MySqlParameters {
  private static final int SLOTS = 128;
  private static final int PARAMETERS_MAX = 64;
  private static final int TEXT_BYTES_MAX = 4096;
  private static final int SLOT_BYTES = 32 + PARAMETERS_MAX;
  private static final int FLAG_COUNT_IS_THERE = 8;
  private static final int FLAG_TYPES_ARE_THERE = 128;

  private final MemoryBudget memory;
  private @Nullable Statement[] statements = {};
  private int taken;

  MySqlParameters(MemoryBudget memory) {
    this.memory = memory;
  }

  /** A statement was prepared under a number. */
  void prepared(long id, int count) {
    if (count == 0) {
      return;
    }
    if (statements.length == 0) {
      statements = new @Nullable Statement[SLOTS];
    }
    int slot = slot(id);
    if (statements[slot] == null) {
      if (!memory.take(SLOT_BYTES)) {
        return;
      }
      taken += SLOT_BYTES;
    }
    statements[slot] = new Statement(id, count);
  }

  /** Says that a parameter was sent beforehand, which the next execution leaves out. */
  void sentBefore(long id) {
    Statement statement = find(id);
    if (statement != null) {
      statement.sentBefore = true;
    }
  }

  /** Adds the values of an execution, whose flags stand at {@code from}. */
  long ofExecution(long sketch, long id, byte[] bytes, int from, int to, boolean attributes) {
    Statement statement = find(id);
    if (statement == null || to - from < 5) {
      return sketch;
    }
    boolean whole = !statement.sentBefore;
    statement.sentBefore = false;
    int at = from + 5;
    int count = statement.count;
    if (attributes && (bytes[from] & FLAG_COUNT_IS_THERE) != 0) {
      count = (int) MySqlPacket.integer(bytes, at, to);
      at = MySqlPacket.behindInteger(bytes, at, to);
      if (at < 0) {
        return sketch;
      }
    }
    int nulls = at;
    at += (count + 7) / Byte.SIZE;
    if (count <= 0 || at >= to) {
      return sketch;
    }
    boolean told = bytes[at++] != 0;
    if (told) {
      at = statement.learn(bytes, at, to, count, attributes);
    }
    int present = Math.min(count, statement.count);
    return whole && at >= 0 ? values(sketch, statement, present, bytes, nulls, at, to) : sketch;
  }

  /**
   * Adds the values of an execution for several rows at once, whose flags stand at {@code from}.
   */
  long ofBulk(long sketch, long id, byte[] bytes, int from, int to) {
    Statement statement = find(id);
    int flags = (int) MySqlPacket.number(bytes, from, to, 2);
    if (statement == null || flags < 0) {
      return sketch;
    }
    int at = from + 2;
    if ((flags & FLAG_TYPES_ARE_THERE) != 0) {
      at = statement.learn(bytes, at, to, statement.count, false);
    }
    long result = sketch;
    int parameter = 0;
    for (int left = PARAMETERS_MAX; left > 0 && at >= 0 && at < to; left--) {
      int type = statement.type(parameter);
      boolean present = bytes[at++] == 0;
      int end = present && type >= 0 ? valueEnd(type, bytes, at, to) : present ? -1 : at;
      if (end < 0) {
        return result;
      }
      result = present ? add(result, type, bytes, at, end) : result;
      at = end;
      parameter = (parameter + 1) % statement.count;
    }
    return result;
  }

  /** The number of question marks of a statement that stand for parameters. */
  static int placeholders(byte[] bytes, int from, int to) {
    int count = 0;
    int quote = 0;
    for (int at = from; at < to; at++) {
      int c = bytes[at];
      if (quote != 0) {
        if (c == '\\' && quote != '`') {
          at++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"' || c == '`') {
        quote = c;
      } else if (c == '?') {
        count++;
      }
    }
    return count;
  }

  void release() {
    memory.giveBack(taken);
    taken = 0;
    Arrays.fill(statements, null);
  }

  private static long values(
      long sketch, Statement statement, int count, byte[] bytes, int nulls, int from, int to) {
    long result = sketch;
    int at = from;
    for (int each = 0; each < Math.min(count, PARAMETERS_MAX); each++) {
      if ((bytes[nulls + each / Byte.SIZE] >> (each % Byte.SIZE) & 1) != 0) {
        continue;
      }
      int type = statement.type(each);
      int end = type < 0 ? -1 : valueEnd(type, bytes, at, to);
      if (end < 0) {
        return result;
      }
      result = add(result, type, bytes, at, end);
      at = end;
    }
    return result;
  }

  private static long add(long sketch, int type, byte[] bytes, int from, int end) {
    if (isNumber(type)) {
      long value = bytes[end - 1];
      for (int i = end - 2; i >= from; i--) {
        value = value << Byte.SIZE | (bytes[i] & 0xff);
      }
      return ValueSketch.add(sketch, value);
    }
    if (isText(type)) {
      int text = MySqlPacket.behindInteger(bytes, from, end);
      return ValueSketch.add(sketch, bytes, text, Math.min(end, text + TEXT_BYTES_MAX));
    }
    return sketch;
  }

  /** The index behind a value, or -1 where it is cut or of a type that is not known. */
  private static int valueEnd(int type, byte[] bytes, int at, int to) {
    int length =
        switch (type) {
          case 0x06 -> 0; // NULL
          case 0x01 -> 1; // TINY
          case 0x02, 0x0d -> 2; // SHORT, YEAR
          case 0x03, 0x09, 0x04 -> 4; // LONG, INT24, FLOAT
          case 0x05, 0x08 -> 8; // DOUBLE, LONGLONG
          case 0x07, 0x0a, 0x0b, 0x0c -> at < to ? 1 + (bytes[at] & 0xff) : -1; // times
          default -> isText(type) ? textLength(bytes, at, to) : -1;
        };
    return length < 0 || length > to - at ? -1 : at + length;
  }

  private static int textLength(byte[] bytes, int at, int to) {
    long length = MySqlPacket.integer(bytes, at, to);
    int text = MySqlPacket.behindInteger(bytes, at, to);
    return text < 0 || length < 0 ? -1 : (int) Math.min(Integer.MAX_VALUE, text - at + length);
  }

  private static boolean isNumber(int type) {
    return type == 0x01
        || type == 0x02
        || type == 0x0d
        || type == 0x03
        || type == 0x09
        || type == 0x08;
  }

  /** Whether values of a type begin with their length: decimals, texts, JSON, binary objects. */
  private static boolean isText(int type) {
    return type == 0x00 || type == 0x0f || type == 0x10 || type >= 0xf5;
  }

  private @Nullable Statement find(long id) {
    Statement statement = statements.length == 0 ? null : statements[slot(id)];
    return statement != null && statement.id == id ? statement : null;
  }

  private static int slot(long id) {
    return (int) id & (SLOTS - 1);
  }

  /** A statement, with the types that were told last. */
  private static final class Statement {
    private final long id;
    private final int count;
    private byte[] types = {};
    private boolean sentBefore;

    Statement(long id, int count) {
      this.id = id;
      this.count = count;
    }

    /** The type of a parameter, or -1. */
    int type(int parameter) {
      return parameter < types.length ? types[parameter] & 0xff : -1;
    }

    /** Reads the types, and the names of query attributes: the index behind them, or -1. */
    int learn(byte[] bytes, int from, int to, int number, boolean named) {
      byte[] told = new byte[Math.min(number, PARAMETERS_MAX)];
      int at = from;
      for (int each = 0; each < number; each++) {
        if (at < 0 || to - at < 2) {
          return -1;
        }
        if (each < told.length) {
          told[each] = bytes[at];
        }
        at += 2;
        if (named) {
          int length = textLength(bytes, at, to);
          at = length < 0 || length > to - at ? -1 : at + length;
        }
      }
      types = told;
      return at;
    }
  }
}
