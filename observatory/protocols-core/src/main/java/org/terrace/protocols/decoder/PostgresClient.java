package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;
import org.terrace.observation.RequestClass;
import org.terrace.protocols.decoder.DatabaseTurns.Turn;
import org.terrace.protocols.prepared.PostgresShape;
import org.terrace.protocols.prepared.StatementNames;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.protocols.prepared.UnseenStatements;
import org.terrace.protocols.values.CarriedValues;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.WireCount;

/**
 * The messages of a PostgreSQL client after the start: queries, and the names they are called by.
 */
final class PostgresClient extends PostgresStream {
  private final DatabaseTurns turns;
  private final StatementNames statements;
  private final StatementNames portals;

  PostgresClient(DecoderContext context, DatabaseTurns turns) {
    super(context);
    this.turns = turns;
    statements = new StatementNames(context.memory);
    portals = new StatementNames(context.memory);
  }

  /** Whether a segment begins with a message that can begin a turn. */
  static boolean looksLikeStart(byte[] bytes, int from, int to) {
    if (to - from < 5 || !beginsTurn(bytes[from])) {
      return false;
    }
    int length = Bytes.i32(bytes, from + 1);
    return length >= 4
        && length <= KEPT_BYTES_MAX
        && (from + 1 + length >= to || isClientType(bytes[from + 1 + length]));
  }

  private static boolean beginsTurn(int type) {
    return switch (type) {
      case 'Q', 'P', 'B', 'D', 'C', 'E', 'S', 'F' -> true;
      default -> false;
    };
  }

  /** Whether a client has a message of this type. */
  static boolean isClientType(int type) {
    return switch (type) {
      case 'Q', 'P', 'B', 'D', 'C', 'E', 'S', 'F', 'H', 'X', 'd', 'c', 'f', 'p' -> true;
      default -> false;
    };
  }

  @Override
  boolean isType(int type) {
    return isClientType(type);
  }

  @Override
  int bytesThatMatter(int type) {
    return switch (type) {
      case 'Q', 'P', 'B', 'E', 'C', 'D' -> KEPT_BYTES_MAX;
      default -> 0;
    };
  }

  @Override
  void begins(int type, int length) {
    switch (type) {
      case 'Q', 'P', 'B', 'D', 'C', 'E', 'S', 'F' ->
          turns.current(startNanos, startFrame).bytesIn += length;
      default -> {
        Turn last = turns.last();
        if (last != null) {
          last.bytesIn += length;
        }
      }
    }
  }

  @Override
  void message(int type, byte[] bytes, int from, int to) {
    Turn turn = turns.last();
    if (turn != null) {
      turn.requestEnds(lastNanos, lastFrame);
    }
    if (turn == null || turn.closed) {
      // Copied data, a password, a flush, a good-bye; or a turn given up meanwhile.
      return;
    }
    switch (type) {
      case 'Q' -> {
        int end = stringEnd(bytes, from, to);
        turn.executed(context.statements.classOf(bytes, from, end));
        turn.names(TransactionIdentifiers.ofStatement(bytes, from, end));
        turn.carriedValues = literals(turn.carriedValues, bytes, from, end, to);
        turn.closed = true;
      }
      case 'P' -> parse(turn, bytes, from, to);
      case 'B' -> bind(turn, bytes, from, to);
      case 'E' -> execute(turn, bytes, from, to);
      case 'D' -> describe(turn, bytes, from, to);
      case 'C' -> closeNamed(bytes, from, to);
      case 'S' -> {
        turn.closed = true;
        turn.closedBySync = true;
      }
      case 'F' -> {
        turn.executed(context.classes.of("FUNCTION CALL"));
        turn.closed = true;
      }
      default -> {}
    }
  }

  private void parse(Turn turn, byte[] bytes, int from, int to) {
    int nameEnd = stringEnd(bytes, from, to);
    int text = Math.min(nameEnd + 1, to);
    int end = stringEnd(bytes, text, to);
    int requestClass = context.statements.classOf(bytes, text, end);
    turn.names(TransactionIdentifiers.ofStatement(bytes, text, end));
    turn.carriedValues = literals(turn.carriedValues, bytes, text, end, to);
    statements.put(bytes, from, nameEnd, requestClass);
    turn.prepared(requestClass);
  }

  private void bind(Turn turn, byte[] bytes, int from, int to) {
    int portalEnd = stringEnd(bytes, from, to);
    int name = Math.min(portalEnd + 1, to);
    int nameEnd = stringEnd(bytes, name, to);
    int parameters = Math.min(nameEnd + 1, to);
    int statement = statements.get(bytes, name, nameEnd);
    if (statement == StatementNames.UNKNOWN) {
      statement = turns.unseen.add();
      statements.put(bytes, name, nameEnd, statement);
    }
    if (UnseenStatements.isUnseen(statement)) {
      UnseenStatement unseen = turns.unseen.of(statement);
      if (!unseen.isCertain()) {
        PostgresShape.bound(unseen, bytes, parameters, to);
      }
    }
    portals.put(bytes, from, portalEnd, statement);
    turn.carriedValues = CarriedValues.ofBind(turn.carriedValues, bytes, parameters, to);
  }

  private void execute(Turn turn, byte[] bytes, int from, int to) {
    int statement = portals.get(bytes, from, stringEnd(bytes, from, to));
    if (statement <= StatementNames.UNKNOWN) {
      context.counters.increment(WireCount.UNKNOWN_STATEMENTS);
    }
    boolean unknown = statement == StatementNames.UNKNOWN;
    turn.executed(unknown ? context.classes.of(RequestClass.PREPARED_BEFORE) : statement);
  }

  /** The server answers in order, so that a description counts whatever is described. */
  private void describe(Turn turn, byte[] bytes, int from, int to) {
    int name = Math.min(from + 1, to);
    StatementNames names = from < to && bytes[from] == 'S' ? statements : portals;
    turn.describes(names.get(bytes, name, stringEnd(bytes, name, to)));
  }

  private void closeNamed(byte[] bytes, int from, int to) {
    if (to - from > 2) {
      StatementNames names = bytes[from] == 'S' ? statements : portals;
      names.put(bytes, from + 1, stringEnd(bytes, from + 1, to), StatementNames.UNKNOWN);
    }
  }

  /** Adds the literals of a statement, which is cut unless a zero ends it before {@code to}. */
  private static long literals(long sketch, byte[] bytes, int from, int end, int to) {
    int whole = end < to ? end : CarriedValues.endOfWhole(bytes, from, to);
    return CarriedValues.ofStatement(sketch, bytes, from, whole);
  }

  private static int stringEnd(byte[] bytes, int from, int to) {
    int zero = Bytes.indexOf(bytes, from, to, (byte) 0);
    return zero < 0 ? to : zero;
  }

  @Override
  protected void broken(boolean byGap) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    turns.giveUpAll(Outcome.UNFINISHED, lastNanos);
    lose();
  }

  void releaseAll() {
    release();
    statements.release();
    portals.release();
  }
}
