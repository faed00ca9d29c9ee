package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.text.MemoryBudget;

/**
 * The parameters of the prepared statements of one MySQL connection: how many each has and of which
 * types, as an execution tells them once and later ones leave out, and the values that an execution
 * carries. Of statements whose numbers differ by a multiple of {@value #SLOTS} the latest is
 * remembered. Confined to one thread.
 *
 * <p>Of an execution that is cut the values before the cut count. One that is whole has to end
 * where its last value does; otherwise it is of other types than those that are known, since what
 * told them was lost, and none of its values count.
 *
 * <p>Source: MariaDB documentation, "COM_STMT_EXECUTE", "COM_STMT_BULK_EXECUTE" and "Binary
 * Protocol Encoding"; MySQL source documentation, "COM_STMT_EXECUTE" (query attributes).
 */
final class MySqlParameters {
  private static final int SLOTS = 128;
  private static final int PARAMETERS_MAX = 64;
  private static final int SLOT_BYTES = 64 + Character.BYTES * PARAMETERS_MAX;
  private static final int TABLE_BYTES = 4 * SLOTS;
  private static final int FLAG_COUNT_IS_THERE = 8;
  private static final int FLAG_TYPES_ARE_THERE = 128;

  /** The last of the reasons why a row has no value: null, default, ignored, and all of the row. */
  private static final int INDICATOR_MAX = 4;

  private static final char[] UNTOLD = {};

  private final MemoryBudget memory;
  private @Nullable Statement[] statements = {};
  private int taken;
  private int losses;

  MySqlParameters(MemoryBudget memory) {
    this.memory = memory;
  }

  /** A statement was prepared under a number, in the place of any before it. */
  void prepared(long id, int count) {
    closed(id);
    if (count == 0 || (statements.length == 0 && !takeTable())) {
      return;
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

  private boolean takeTable() {
    if (!memory.take(TABLE_BYTES)) {
      return false;
    }
    taken += TABLE_BYTES;
    statements = new @Nullable Statement[SLOTS];
    return true;
  }

  /** A statement is no more. */
  void closed(long id) {
    if (find(id) != null) {
      statements[slot(id)] = null;
      memory.giveBack(SLOT_BYTES);
      taken -= SLOT_BYTES;
    }
  }

  /** Says that a parameter was sent beforehand, which the next execution leaves out. */
  void sentBefore(long id) {
    Statement statement = find(id);
    if (statement != null) {
      statement.sentBefore = true;
    }
  }

  /** Says that what was sent beforehand is forgotten. */
  void reset(long id) {
    Statement statement = find(id);
    if (statement != null) {
      statement.sentBefore = false;
    }
  }

  /** Says that executions may have been lost, and types that they told. */
  void lost() {
    losses++;
  }

  /**
   * Adds the values of an execution, whose flags stand at {@code from}.
   *
   * @param whole whether it ends at {@code to}, rather than being cut there
   * @param attributes whether client and server agreed on query attributes
   */
  long ofExecution(
      long sketch, long id, byte[] bytes, int from, int to, boolean whole, boolean attributes) {
    Statement statement = find(id);
    if (statement == null) {
      return sketch;
    }
    boolean complete = !statement.sentBefore;
    statement.sentBefore = false;
    // Until it is seen what this one tells of them.
    char[] known = statement.types;
    statement.types = UNTOLD;
    if (to - from < 5) {
      return sketch;
    }
    int at = from + 5;
    int count = statement.count;
    boolean named = attributes || (bytes[from] & FLAG_COUNT_IS_THERE) != 0;
    if (named) {
      count = (int) MySqlPacket.integer(bytes, at, to);
      at = MySqlPacket.behindInteger(bytes, at, to);
    }
    if (at < 0 || count <= 0 || to - at <= (count + 7) / Byte.SIZE) {
      return sketch;
    }
    int nulls = at;
    at += (count + 7) / Byte.SIZE;
    if (bytes[at++] == 0) {
      statement.types = known;
    } else {
      at = statement.learn(bytes, at, to, count, named, losses);
    }
    boolean certain = whole || statement.toldAfter == losses;
    return complete && at >= 0 && certain
        ? values(sketch, statement, count, bytes, nulls, at, to, whole)
        : sketch;
  }

  private static long values(
      long sketch,
      Statement statement,
      int count,
      byte[] bytes,
      int nulls,
      int from,
      int to,
      boolean whole) {
    long result = sketch;
    int at = from;
    for (int each = 0; each < Math.min(count, PARAMETERS_MAX); each++) {
      if ((bytes[nulls + each / Byte.SIZE] >> (each % Byte.SIZE) & 1) != 0) {
        continue;
      }
      int end = MySqlValue.end(statement.type(each), bytes, at, to);
      if (end < 0) {
        return whole ? statement.unlearn(sketch) : result;
      }
      // Behind the statement's own there are query attributes.
      result =
          each < statement.count
              ? MySqlValue.add(result, statement.type(each), bytes, at, end)
              : result;
      at = end;
    }
    boolean differs = whole && count <= PARAMETERS_MAX && at != to;
    return differs ? statement.unlearn(sketch) : result;
  }

  /**
   * Adds the values of an execution for several rows at once, whose flags stand at {@code from}.
   *
   * @param whole whether it ends at {@code to}, rather than being cut there
   */
  long ofBulk(long sketch, long id, byte[] bytes, int from, int to, boolean whole) {
    Statement statement = find(id);
    int flags = (int) MySqlPacket.number(bytes, from, to, 2);
    if (statement == null) {
      return sketch;
    }
    int at = flags < 0 ? -1 : from + 2;
    if (at < 0 || (flags & FLAG_TYPES_ARE_THERE) != 0) {
      statement.types = UNTOLD;
      at = at < 0 ? at : statement.learn(bytes, at, to, statement.count, false, losses);
    }
    boolean certain = whole || statement.toldAfter == losses;
    return at >= 0 && certain ? rows(sketch, statement, bytes, at, to, whole) : sketch;
  }

  private static long rows(
      long sketch, Statement statement, byte[] bytes, int from, int to, boolean whole) {
    long result = sketch;
    int parameter = 0;
    int at = from;
    for (int each = 0; at < to; each++) {
      int type = statement.type(parameter);
      int indicator = bytes[at++];
      boolean present = indicator == 0;
      int end = present ? MySqlValue.end(type, bytes, at, to) : at;
      end = indicator < 0 || indicator > INDICATOR_MAX ? -1 : end;
      if (end < 0) {
        return whole ? statement.unlearn(sketch) : result;
      }
      if (present && each < PARAMETERS_MAX) {
        result = MySqlValue.add(result, type, bytes, at, end);
      }
      at = end;
      parameter = (parameter + 1) % statement.count;
    }
    return whole && parameter != 0 ? statement.unlearn(sketch) : result;
  }

  /**
   * The index behind the query attributes that stand before the text of a query, or -1 if they are
   * cut or damaged.
   */
  static int behindAttributes(byte[] bytes, int from, int to) {
    int count = (int) MySqlPacket.integer(bytes, from, to);
    int sets = MySqlPacket.behindInteger(bytes, from, to);
    int at = sets < 0 ? -1 : MySqlPacket.behindInteger(bytes, sets, to);
    if (at < 0 || count <= 0) {
      return count == 0 ? at : -1;
    }
    int nulls = at;
    at += (count + 7) / Byte.SIZE;
    // New types are always told here.
    if (count > PARAMETERS_MAX || at >= to || bytes[at++] == 0) {
      return -1;
    }
    Statement attributes = new Statement(0, count);
    at = attributes.learn(bytes, at, to, count, true, 0);
    for (int each = 0; each < count && at >= 0; each++) {
      if ((bytes[nulls + each / Byte.SIZE] >> (each % Byte.SIZE) & 1) == 0) {
        at = MySqlValue.end(attributes.type(each), bytes, at, to);
      }
    }
    return at;
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

  /** Forgets all statements and gives back their memory. */
  void release() {
    memory.giveBack(taken);
    taken = 0;
    statements = new @Nullable Statement[0];
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

    /** For each parameter its type, and its flags in the upper half. */
    private char[] types = UNTOLD;

    /** The losses before the types were told. */
    private int toldAfter;

    private boolean sentBefore;

    Statement(long id, int count) {
      this.id = id;
      this.count = count;
    }

    /** The type and flags of a parameter, or -1. */
    int type(int parameter) {
      return parameter < types.length ? types[parameter] : -1;
    }

    /** Forgets types that cannot be those of what was sent; returns the sketch as it was. */
    long unlearn(long sketch) {
      types = UNTOLD;
      return sketch;
    }

    /** Reads the types, and the names of query attributes: the index behind them, or -1. */
    int learn(byte[] bytes, int from, int to, int number, boolean named, int losses) {
      char[] told = new char[Math.min(number, PARAMETERS_MAX)];
      int at = from;
      for (int each = 0; each < number; each++) {
        int type = (int) MySqlPacket.number(bytes, at, to, 2);
        if (type < 0) {
          return -1;
        }
        if (each < told.length) {
          told[each] = (char) type;
        }
        at += 2;
        at = named ? MySqlValue.textEnd(bytes, at, to) : at;
      }
      types = at < 0 ? UNTOLD : told;
      toldAfter = losses;
      return at;
    }
  }
}
