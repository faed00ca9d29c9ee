package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestClass;
import org.terrace.protocols.decoder.DatabaseTurns.Turn;
import org.terrace.protocols.prepared.StatementNames;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.protocols.prepared.UnseenStatements;
import org.terrace.protocols.values.CarriedValues;
import org.terrace.wire.statistics.WireCount;

/**
 * The packets of a MySQL client: its answer to the greeting, then commands, each of which begins
 * with sequence number zero, and what belongs to them. Confined to one thread.
 */
final class MySqlClient extends MessageStream {
  private static final int CAPABILITY_COMPRESS = 0x20;
  private static final int CAPABILITY_TLS = 0x800;
  private static final int CAPABILITY_DEPRECATE_EOF = 1 << 24;
  private static final int CAPABILITY_ZSTD = 1 << 26;
  private static final int CAPABILITY_QUERY_ATTRIBUTES = 1 << 27;
  private static final int CAPABILITIES_BYTES = 4;
  private static final long LAST_PREPARED = 0xffff_ffffL;
  private static final int ID_BYTES = 4;

  private final DatabaseTurns turns;
  private final StatementNames statements;
  private final MySqlParameters parameters;
  private int lastPrepared = StatementNames.UNKNOWN;
  private long capabilities;
  private boolean loggingIn;

  /** Whether a file is sent, the packets of which are numbered round and round. */
  private boolean sendingFile;

  private boolean asksTls;
  private int length;
  private int sequence;
  private boolean continues;

  /** Whether the packets that go on belong to the last turn. */
  private boolean counted;

  MySqlClient(DecoderContext context, DatabaseTurns turns) {
    super(context, MySqlPacket.HEADER_BYTES);
    this.turns = turns;
    statements = new StatementNames(context.memory);
    parameters = new MySqlParameters(context.memory);
  }

  /** Whether a segment begins with a command that fills it, or behind which another one begins. */
  static boolean looksLikeStart(byte[] bytes, int from, int to) {
    if (commandAt(bytes, from, to) == null) {
      return false;
    }
    long next = from + MySqlPacket.HEADER_BYTES + MySqlPacket.number(bytes, from, to, 3);
    return next >= to
        || to - next <= MySqlPacket.HEADER_BYTES
        || commandAt(bytes, (int) next, to) != null;
  }

  /** The command of which a packet begins somewhere, or null. */
  static @Nullable MySqlCommand commandAt(byte[] bytes, int at, int to) {
    if (to - at <= MySqlPacket.HEADER_BYTES
        || MySqlPacket.number(bytes, at, to, 3) == 0
        || bytes[at + 3] != 0) {
      return null;
    }
    return MySqlCommand.of(bytes[at + MySqlPacket.HEADER_BYTES]);
  }

  /** The server greeted, so that the next packet logs in. */
  void greeted() {
    loggingIn = true;
  }

  /** The server asks for a file, so that all packets up to an empty one are its text. */
  void fileAsked() {
    sendingFile = true;
  }

  /** Whether it asked for TLS, which begins with its next byte. */
  boolean asksTls() {
    return asksTls;
  }

  /** TLS begins: it carries the login once more, then commands. */
  void restartInsideTls() {
    found();
    loggingIn = true;
  }

  boolean asksCompression() {
    return (capabilities & (CAPABILITY_COMPRESS | CAPABILITY_ZSTD)) != 0;
  }

  /** Whether the compression it asks for is zlib's, which servers prefer to zstd's. */
  boolean asksZlib() {
    return (capabilities & CAPABILITY_COMPRESS) != 0;
  }

  /** Whether it told that there is no EOF packet behind columns. */
  boolean deprecatesEof() {
    return (capabilities & CAPABILITY_DEPRECATE_EOF) != 0;
  }

  /** A statement is prepared: remembers its number, which lies in a range, and its parameters. */
  void prepared(Turn turn, byte[] bytes, int from, int to, int parameterCount) {
    if (to - from >= ID_BYTES) {
      statements.put(bytes, from, from + ID_BYTES, turn.prepared());
      parameters.prepared(MySqlPacket.number(bytes, from, to, ID_BYTES), parameterCount);
    }
  }

  @Override
  protected long header(byte[] bytes, int at) {
    length = (int) MySqlPacket.number(bytes, at, at + MySqlPacket.HEADER_BYTES, 3);
    sequence = bytes[at + 3] & 0xff;
    boolean expected = sequence == 0 || loggingIn || continues || turns.last() != null;
    return expected ? length : NO_MESSAGE;
  }

  @Override
  protected int bytesThatMatter() {
    return (sequence == 0 || loggingIn) && !sendingFile ? KEPT_BYTES_MAX : 0;
  }

  @Override
  protected void message(byte[] bytes, int from, int to) {
    boolean goesOn = continues;
    continues = length == MySqlPacket.LENGTH_MAX;
    Turn last = turns.last();
    if (loggingIn) {
      logIn(bytes, from, to);
    } else if (goesOn || sequence != 0 || sendingFile) {
      sendingFile &= length > 0;
      if (last != null && (counted || !goesOn)) {
        last.bytesIn += MySqlPacket.HEADER_BYTES + length;
        last.requestEnds(lastNanos, lastFrame);
      }
    } else {
      command(bytes, from, to);
    }
  }

  private void logIn(byte[] bytes, int from, int to) {
    loggingIn = false;
    capabilities = Math.max(0, MySqlPacket.number(bytes, from, to, CAPABILITIES_BYTES));
    if ((capabilities & CAPABILITY_TLS) != 0 && !asksTls) {
      asksTls = true;
      lose();
      return;
    }
    begin(MySqlCommand.LOGIN).executed(context.classes.of(MySqlCommand.LOGIN.requestClass));
  }

  private Turn begin(MySqlCommand command) {
    Turn turn = turns.current(startNanos, startFrame);
    turn.kind = command.ordinal();
    turn.bytesIn += MySqlPacket.HEADER_BYTES + length;
    turn.closed = true;
    turn.requestEnds(lastNanos, lastFrame);
    return turn;
  }

  private void command(byte[] bytes, int from, int to) {
    MySqlCommand command = from < to ? MySqlCommand.of(bytes[from]) : null;
    if (command == null) {
      broken(length > 0 && from == to);
      return;
    }
    counted = command.shape != MySqlCommand.Shape.NONE;
    switch (command) {
      case QUERY -> query(bytes, from + 1, to);
      case STMT_PREPARE -> {
        lastPrepared = context.statements.classOf(bytes, from + 1, to);
        Turn turn = begin(command);
        turn.prepared(lastPrepared);
        turn.names(TransactionIdentifiers.ofStatement(bytes, from + 1, to));
        parameters.prepared(
            LAST_PREPARED,
            to - from < length ? 0 : MySqlParameters.placeholders(bytes, from + 1, to));
      }
      case STMT_EXECUTE, STMT_BULK_EXECUTE -> {
        Turn turn = begin(command);
        turn.executed(prepared(command, bytes, from + 1, to));
        turn.carriedValues = executedValues(turn.carriedValues, command, bytes, from + 1, to);
      }
      case STMT_SEND_LONG_DATA ->
          parameters.sentBefore(MySqlPacket.number(bytes, from + 1, to, ID_BYTES));
      case STMT_CLOSE -> {
        parameters.closed(MySqlPacket.number(bytes, from + 1, to, ID_BYTES));
        if (to - from > ID_BYTES) {
          statements.put(bytes, from + 1, from + 1 + ID_BYTES, StatementNames.UNKNOWN);
        }
      }
      default -> {
        forget(command, MySqlPacket.number(bytes, from + 1, to, ID_BYTES));
        if (counted) {
          begin(command).executed(context.classes.of(command.requestClass));
        }
      }
    }
  }

  /** Forgets of statements what a command lets the server forget. */
  private void forget(MySqlCommand command, long id) {
    switch (command) {
      case STMT_RESET -> parameters.reset(id);
      case CHANGE_USER, RESET_CONNECTION -> parameters.release();
      default -> {}
    }
  }

  private void query(byte[] bytes, int from, int to) {
    Turn turn = begin(MySqlCommand.QUERY);
    int text = attributes() && from < to ? MySqlParameters.behindAttributes(bytes, from, to) : from;
    if (text < 0) {
      turn.executed(context.classes.of("(query with attributes)"));
      return;
    }
    int end = isWhole(from, to) ? to : CarriedValues.endOfWhole(bytes, text, to);
    turn.executed(context.statements.classOf(bytes, text, to));
    turn.names(TransactionIdentifiers.ofStatement(bytes, text, to));
    turn.carriedValues = CarriedValues.ofStatement(turn.carriedValues, bytes, text, end);
  }

  private boolean attributes() {
    return (capabilities & CAPABILITY_QUERY_ATTRIBUTES) != 0;
  }

  /** Whether all of a command is there, of which the part behind its code begins at an index. */
  private boolean isWhole(int from, int to) {
    return to - from + 1 == length;
  }

  private long executedValues(long sketch, MySqlCommand command, byte[] bytes, int from, int to) {
    long id = MySqlPacket.number(bytes, from, to, ID_BYTES);
    int flags = from + ID_BYTES;
    return command == MySqlCommand.STMT_BULK_EXECUTE
        ? parameters.ofBulk(sketch, id, bytes, flags, to, isWhole(from, to))
        : parameters.ofExecution(sketch, id, bytes, flags, to, isWhole(from, to), attributes());
  }

  /** The class of what is executed, or the number of a statement that was not seen. */
  private int prepared(MySqlCommand command, byte[] bytes, int from, int to) {
    long id = MySqlPacket.number(bytes, from, to, ID_BYTES);
    int flags = from + ID_BYTES;
    int statement = StatementNames.UNKNOWN;
    if (id == LAST_PREPARED) {
      statement = lastPrepared;
    } else if (id != MySqlPacket.CUT) {
      statement = statements.get(bytes, from, flags);
      if (statement == StatementNames.UNKNOWN) {
        statement = turns.unseen.add();
        statements.put(bytes, from, flags, statement);
      }
    }
    if (UnseenStatements.isUnseen(statement)) {
      tells(turns.unseen.of(statement), command, bytes, flags, to, isWhole(from, to));
    }
    if (statement <= StatementNames.UNKNOWN) {
      context.counters.increment(WireCount.UNKNOWN_STATEMENTS);
    }
    return statement == StatementNames.UNKNOWN
        ? context.classes.of(RequestClass.PREPARED_BEFORE)
        : statement;
  }

  private void tells(
      UnseenStatement unseen, MySqlCommand command, byte[] bytes, int from, int to, boolean whole) {
    if (unseen.isCertain()) {
      return;
    }
    if (command == MySqlCommand.STMT_BULK_EXECUTE) {
      MySqlUnseen.executedInBulk(unseen, bytes, from, to, whole);
    } else {
      MySqlUnseen.executed(unseen, bytes, from, to, whole);
      if (MySqlUnseen.leavesOutTypes(bytes, from, to, whole)) {
        context.statements.typesLeftOut();
      }
    }
  }

  @Override
  protected void broken(boolean byGap) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    turns.giveUpAll(Outcome.UNFINISHED, lastNanos);
    loseCommand();
  }

  /** Waits for a segment that begins with a command. */
  void loseCommand() {
    parameters.lost();
    loggingIn = false;
    sendingFile = false;
    continues = false;
    lose();
  }

  void releaseAll() {
    release();
    statements.release();
    parameters.release();
  }
}
