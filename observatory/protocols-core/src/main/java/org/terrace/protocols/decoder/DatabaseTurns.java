package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;

/**
 * The turns of one connection of a database: what the client sends, and what the server answers.
 * PostgreSQL's go up to a Sync or a simple query and to ReadyForQuery, MySQL's are commands;
 * pipelined ones wait in order. Confined to one thread.
 */
final class DatabaseTurns {
  private static final int TURNS_MAX = 1024;
  private static final int TURN_BYTES = 128;
  private static final int STATEMENTS_NAMED_MAX = 4;
  private static final int NONE = StatementNames.UNKNOWN;

  private final DecoderContext context;
  private final DecoderOutput output;
  private @Nullable Turn first;
  private @Nullable Turn last;
  private @Nullable Turn spare;
  private int size;

  DatabaseTurns(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
  }

  int size() {
    return size;
  }

  /** The turn to which the client's next message belongs, begun when the last one is closed. */
  Turn current(long timeNanos, long frame) {
    Turn turn = last;
    return turn == null || turn.closed ? add(timeNanos, frame) : turn;
  }

  private Turn add(long timeNanos, long frame) {
    if (size >= TURNS_MAX || (spare == null && !context.memory.take(TURN_BYTES))) {
      giveUpAll(Outcome.UNFINISHED, timeNanos);
    }
    Turn turn = spare == null ? new Turn() : spare;
    spare = null;
    turn.reset(timeNanos, frame);
    if (last == null) {
      first = turn;
    } else {
      last.next = turn;
    }
    last = turn;
    size++;
    return turn;
  }

  @Nullable Turn first() {
    return first;
  }

  @Nullable Turn last() {
    return last;
  }

  /** The server answered the first turn in full. */
  void completeFirst(long timeNanos) {
    Turn turn = first;
    if (turn != null) {
      emit(turn, turn.failed ? Outcome.ERROR : Outcome.OK, timeNanos);
    }
  }

  /** Ends all turns without their answers; one that reported an error has failed. */
  void giveUpAll(Outcome outcome, long timeNanos) {
    for (Turn turn = first; turn != null; turn = first) {
      emit(turn, turn.failed ? Outcome.ERROR : outcome, turn.failed ? turn.lastNanos : timeNanos);
    }
  }

  private void emit(Turn turn, Outcome outcome, long timeNanos) {
    first = turn.next;
    if (first == null) {
      last = null;
    }
    size--;
    turn.departureNanos = timeNanos;
    output.request(requestClass(turn), turn, outcome);
    if (spare == null) {
      spare = turn;
      turn.next = null;
    } else {
      context.memory.giveBack(TURN_BYTES);
    }
  }

  /** Gives back the memory; the last call. */
  void release() {
    if (spare != null) {
      context.memory.giveBack(TURN_BYTES);
      spare = null;
    }
  }

  /**
   * The class of a turn: its statements. One that only begins a transaction is not named beside
   * others, because drivers send it along with the first statement.
   */
  private int requestClass(Turn turn) {
    int count = turn.count;
    if (count == 0) {
      return turn.prepared != NONE
          ? context.statements.prepareOf(turn.prepared)
          : context.classes.of("SYNC");
    }
    if (count == 1) {
      return turn.statements[0];
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (!context.statements.isBeginning(turn.statements[i])) {
        turn.statements[kept++] = turn.statements[i];
      }
    }
    if (kept <= 1 && !turn.more) {
      return turn.statements[0];
    }
    return context.statements.joined(turn.statements, Math.max(1, kept), turn.more);
  }

  /** One turn. */
  static final class Turn extends OpenRequest {
    /** The meaning of it in its protocol's own numbers. */
    int kind;

    boolean closed;
    boolean closedBySync;
    boolean failed;
    long lastNanos;
    private final int[] statements = new int[STATEMENTS_NAMED_MAX];
    private int count;
    private boolean more;
    private int prepared;
    private @Nullable Turn next;

    private void reset(long timeNanos, long frame) {
      begin(timeNanos, frame);
      kind = 0;
      closed = false;
      closedBySync = false;
      failed = false;
      lastNanos = timeNanos;
      count = 0;
      more = false;
      prepared = NONE;
      next = null;
    }

    /** A statement named its transaction, unless the number is 0; the first name is kept. */
    void names(long transaction) {
      identifier = TransactionIdentifiers.orElse(identifier, transaction);
    }

    /** A statement was executed. */
    void executed(int requestClass) {
      for (int i = 0; i < count; i++) {
        if (statements[i] == requestClass) {
          return;
        }
      }
      if (count < STATEMENTS_NAMED_MAX) {
        statements[count++] = requestClass;
      } else {
        more = true;
      }
    }

    /** The statement that was prepared, or {@link StatementNames#UNKNOWN}. */
    int prepared() {
      return prepared;
    }

    /** A statement was prepared. */
    void prepared(int requestClass) {
      prepared = requestClass;
    }
  }
}
