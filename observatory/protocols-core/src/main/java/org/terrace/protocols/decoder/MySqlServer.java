package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.DatabaseTurns.Turn;
import org.terrace.protocols.prepared.ColumnNames;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.WireCount;

/**
 * The packets of a MySQL server: its greeting, then answers, each of the shape that its command has
 * (MariaDB documentation, "Clients and Utilities: Protocol"). Whether an EOF packet stands behind
 * columns is told by the login, or learnt from the first result. Confined to one thread.
 */
final class MySqlServer extends MessageStream {
  private enum State {
    GREETING,
    FIRST,
    COLUMNS,
    BEHIND_COLUMNS,
    ROWS,
    DEFINITIONS
  }

  private static final int PROTOCOL_VERSION = 10;
  private static final int LOCAL_FILE = 0xfb;
  private static final int STATUS_MORE_RESULTS = 0x08;
  private static final int STATUS_CURSOR = 0x40;
  private static final int CLASSIC_EOF_BYTES = 5;
  private static final int SHORTEST_ROW_BYTES = 9;
  private static final int COLUMNS_MAX = 4096;
  private static final int BYTES_THAT_MATTER = 64;
  private static final int GREETING_BYTES_THAT_MATTER = 512;
  private static final int ANY = -1;

  private final DecoderOutput output;
  private final DatabaseTurns turns;
  private final MySqlClient client;
  private State state = State.GREETING;
  private int length;
  private int sequence;
  private int expectedSequence = ANY;
  private boolean continues;
  private int left;
  private int leftBehind;
  private boolean compressed;

  /** The columns of a statement that was prepared before the capture began, while they come. */
  private @Nullable ColumnNames names;

  /** Whether columns and definitions are followed by an EOF packet, as far as seen. */
  private boolean classicEof;

  MySqlServer(
      DecoderContext context, DecoderOutput output, DatabaseTurns turns, MySqlClient client) {
    super(context, MySqlPacket.HEADER_BYTES);
    this.output = output;
    this.turns = turns;
    this.client = client;
  }

  /** Expects the beginning of an answer. */
  void restart() {
    found();
    answerEnds();
  }

  private void answerEnds() {
    state = State.FIRST;
    expectedSequence = ANY;
    continues = false;
    names = null;
  }

  /** Whether everything from the next byte on is compressed. */
  boolean isCompressed() {
    return compressed;
  }

  @Override
  protected long header(byte[] bytes, int at) {
    length = (int) MySqlPacket.number(bytes, at, at + MySqlPacket.HEADER_BYTES, 3);
    sequence = bytes[at + 3] & 0xff;
    if (expectedSequence != ANY && sequence != expectedSequence) {
      return NO_MESSAGE;
    }
    Turn first = turns.first();
    if (first != null) {
      first.answered(startNanos, startFrame);
      first.bytesOut += MySqlPacket.HEADER_BYTES + length;
    }
    return length;
  }

  @Override
  protected int bytesThatMatter() {
    return switch (state) {
      case GREETING -> GREETING_BYTES_THAT_MATTER;
      case COLUMNS -> names == null ? 0 : MySqlUnseen.DEFINITION_BYTES_MAX;
      case FIRST, DEFINITIONS, BEHIND_COLUMNS, ROWS -> BYTES_THAT_MATTER;
    };
  }

  @Override
  protected void message(byte[] bytes, int from, int to) {
    boolean goesOn = continues;
    continues = length == MySqlPacket.LENGTH_MAX;
    expectedSequence = (sequence + 1) & 0xff;
    Turn first = turns.first();
    if (state == State.GREETING) {
      greeting(bytes, from, to);
      return;
    }
    if (first == null) {
      // Nobody asked: the server says good-bye, or what it answers was given up.
      answerEnds();
      return;
    }
    first.seen(lastNanos, lastFrame);
    first.lastNanos = Math.max(first.lastNanos, lastNanos);
    if (goesOn) {
      return;
    }
    int type = from < to ? bytes[from] & 0xff : ANY;
    switch (state) {
      case FIRST -> first(first, type, bytes, from, to);
      case COLUMNS -> column(first, bytes, from, to);
      case BEHIND_COLUMNS -> behindColumns(first, type, bytes, from, to);
      case ROWS -> row(first, type, bytes, from, to);
      case DEFINITIONS -> definition(first, type);
      case GREETING -> {}
    }
  }

  private void greeting(byte[] bytes, int from, int to) {
    answerEnds();
    if (from < to && bytes[from] == PROTOCOL_VERSION) {
      int versionEnd = Bytes.indexOf(bytes, from, to, (byte) 0);
      long thread = versionEnd < 0 ? MySqlPacket.CUT : threadAt(bytes, versionEnd + 1, to);
      if (thread != MySqlPacket.CUT) {
        output.backend(thread);
      }
      client.greeted();
    }
  }

  private static long threadAt(byte[] bytes, int at, int to) {
    return MySqlPacket.number(bytes, at, to, 4);
  }

  private void first(Turn turn, int type, byte[] bytes, int from, int to) {
    if (type == ANY) {
      broken(true);
      return;
    }
    if (sequence > 1 && isClassicEof(type) && turn.bytesOut == MySqlPacket.HEADER_BYTES + length) {
      // Belongs to the answer before, of which the end could not be told.
      classicEof = true;
      turn.bytesOut = 0;
      turn.notAnsweredYet();
      expectedSequence = ANY;
      return;
    }
    if (type == MySqlPacket.ERROR) {
      fail(turn);
      return;
    }
    switch (MySqlCommand.of(turn).shape) {
      case ONE, NONE -> complete();
      case LOGIN -> {
        // The client answers in between, with the next sequence number.
        expectedSequence = ANY;
        if (type == MySqlPacket.OK) {
          loggedIn(turn);
        }
      }
      case ROWS -> {
        state = State.ROWS;
        row(turn, type, bytes, from, to);
      }
      case PREPARE -> prepared(turn, type, bytes, from, to);
      case RESULTS -> result(turn, type, bytes, from, to);
    }
  }

  private void loggedIn(Turn turn) {
    boolean first = MySqlCommand.of(turn) == MySqlCommand.LOGIN;
    complete();
    if (first) {
      classicEof = !client.deprecatesEof();
      if (client.asksCompression()) {
        compressed = true;
        lose();
      }
    }
  }

  private void prepared(Turn turn, int type, byte[] bytes, int from, int to) {
    long columns = MySqlPacket.number(bytes, from + 5, to, 2);
    long parameters = MySqlPacket.number(bytes, from + 7, to, 2);
    if (type != MySqlPacket.OK || parameters == MySqlPacket.CUT) {
      broken(to - from < length);
      return;
    }
    client.prepared(turn, bytes, from + 1, to, (int) parameters);
    left = (int) parameters;
    leftBehind = (int) columns;
    state = State.DEFINITIONS;
    nextDefinitions();
  }

  /** Goes on to the columns when the parameters are over; completes the answer behind both. */
  private void nextDefinitions() {
    if (left == 0) {
      left = leftBehind;
      leftBehind = 0;
    }
    if (left == 0) {
      complete();
    }
  }

  private void definition(Turn turn, int type) {
    if (isClassicEof(type)) {
      // Behind parameters that were thought to be over without one, there is nothing to go on to.
      classicEof = true;
      if (left == 0) {
        nextDefinitions();
      }
    } else if (left > 0) {
      if (--left == 0 && !classicEof) {
        nextDefinitions();
      }
    } else {
      // No EOF came after all.
      classicEof = false;
      nextDefinitions();
      if (turns.first() == turn) {
        definition(turn, type);
      }
    }
  }

  private void result(Turn turn, int type, byte[] bytes, int from, int to) {
    UnseenStatement awaited = turns.awaited(turn);
    if (type == MySqlPacket.OK) {
      if (awaited != null) {
        MySqlUnseen.wrote(awaited, bytes, from, Math.min(to, from + BYTES_THAT_MATTER));
        turn.answers++;
      }
      resultEnds(MySqlPacket.okStatus(bytes, from, to));
    } else if (type == LOCAL_FILE) {
      // The client sends the file, with the next sequence numbers, before the server goes on.
      expectedSequence = ANY;
      client.fileAsked();
    } else {
      long columns = MySqlPacket.integer(bytes, from, to);
      if (columns <= 0 || columns > COLUMNS_MAX) {
        broken(to - from < length);
        return;
      }
      // MariaDB leaves out columns that the client knows, and says so behind their number.
      int behind = MySqlPacket.behindInteger(bytes, from, to);
      boolean leftOut = behind > 0 && behind < to && bytes[behind] == 0;
      left = leftOut ? 0 : (int) columns;
      state = leftOut ? State.BEHIND_COLUMNS : State.COLUMNS;
      names = awaited == null || leftOut ? null : new ColumnNames();
      if (awaited != null && leftOut) {
        MySqlUnseen.answered(awaited, (int) columns);
      }
    }
  }

  private void column(Turn turn, byte[] bytes, int from, int to) {
    ColumnNames told = names;
    if (told != null) {
      MySqlUnseen.column(told, bytes, from, to);
    }
    if (--left > 0) {
      return;
    }
    state = State.BEHIND_COLUMNS;
    UnseenStatement awaited = turns.awaited(turn);
    if (told != null && awaited != null) {
      MySqlUnseen.answered(awaited, told);
    }
    names = null;
  }

  private void behindColumns(Turn turn, int type, byte[] bytes, int from, int to) {
    state = State.ROWS;
    classicEof = isClassicEof(type);
    if (!classicEof) {
      row(turn, type, bytes, from, to);
      return;
    }
    int status = (int) Math.max(0, MySqlPacket.number(bytes, from + 3, to, 2));
    if ((status & STATUS_CURSOR) != 0) {
      resultEnds(status);
    }
  }

  private boolean isClassicEof(int type) {
    return type == MySqlPacket.EOF && length == CLASSIC_EOF_BYTES;
  }

  private void row(Turn turn, int type, byte[] bytes, int from, int to) {
    if (type == ANY && length < SHORTEST_ROW_BYTES) {
      broken(true);
    } else if (type == MySqlPacket.ERROR) {
      fail(turn);
    } else if (type == MySqlPacket.EOF && length < MySqlPacket.LENGTH_MAX) {
      resultEnds(
          isClassicEof(type)
              ? (int) Math.max(0, MySqlPacket.number(bytes, from + 3, to, 2))
              : MySqlPacket.okStatus(bytes, from, to));
    }
  }

  private void resultEnds(int status) {
    Turn turn = turns.first();
    boolean several = turn != null && MySqlCommand.of(turn).shape == MySqlCommand.Shape.RESULTS;
    if (several && (status & STATUS_MORE_RESULTS) != 0) {
      state = State.FIRST;
    } else {
      complete();
    }
  }

  private void fail(Turn turn) {
    turn.failed = true;
    complete();
  }

  private void complete() {
    turns.completeFirst(lastNanos);
    answerEnds();
  }

  @Override
  protected void broken(boolean byGap) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    lose();
    Turn first = turns.first();
    if (first != null && (turns.size() > 1 || !first.isAnswered())) {
      turns.giveUpAll(Outcome.UNFINISHED, lastNanos);
    } else if (first != null) {
      first.lastNanos = Math.max(first.lastNanos, lastNanos);
    }
  }
}
