package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.prepared.StatementNames;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.protocols.prepared.UnseenStatements;

/**
 * The turns of one connection of a database: what the client sends, and what the server answers.
 * PostgreSQL's go up to a Sync or a simple query and to ReadyForQuery, MySQL's are commands;
 * pipelined ones wait in order. Confined to one thread.
 */
final class DatabaseTurns {
  private static final int TURNS_MAX = 1024;
  private static final int TURN_BYTES = 224;
  private static final int STATEMENTS_NAMED_MAX = 4;
  private static final int NONE = StatementNames.UNKNOWN;

  private final DecoderContext context;
  private final DecoderOutput output;

  /** The statements that were prepared before the capture began. */
  final UnseenStatements unseen;

  private @Nullable Turn first;
  private @Nullable Turn last;
  private @Nullable Turn spare;
  private int size;
  private boolean doubtsNext;

  /** Whether the answers may have been one turn late since a place that was in doubt. */
  private boolean mayBeLate;

  /** Whether turns were given up, whose answers may still come, and none was asked for since. */
  private boolean awaitsGivenUp;

  DatabaseTurns(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
    unseen = new UnseenStatements(context.memory);
  }

  int size() {
    return size;
  }

  /** The turn to which the client's next message belongs, begun when the last one is closed. */
  Turn current(long timeNanos, long frame) {
    Turn turn = last;
    return turn == null || turn.closed ? add(timeNanos, frame) : turn;
  }

  /**
   * Says that the client's next message may be in the middle of a turn, or stand behind turns that
   * were not seen, so that the first answers may be to what was not seen.
   */
  void doubtNext() {
    doubtsNext = true;
    unseen.holdSoFar();
  }

  /**
   * Says that the end of a turn is estimated: what is left of its answer may come behind that. An
   * answer to what was not asked for then tells that it did.
   */
  void endIsEstimated() {
    mayBeLate = true;
    unseen.holdSoFar();
  }

  private Turn add(long timeNanos, long frame) {
    if (size >= TURNS_MAX || (spare == null && !context.memory.take(TURN_BYTES))) {
      giveUpAll(Outcome.UNFINISHED, timeNanos);
    }
    Turn turn = spare == null ? new Turn() : spare;
    spare = null;
    turn.reset(timeNanos, frame);
    turn.isDoubtful = doubtsNext;
    doubtsNext = false;
    awaitsGivenUp = false;
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
    awaitsGivenUp = true;
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
    if (turn.isDoubtful) {
      believe(turn, outcome == Outcome.OK && turn.answers == turn.asked);
    }
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
    unseen.release();
  }

  /** The statement whose answer is read and may tell more of it than is known, or null. */
  @Nullable UnseenStatement awaited(Turn turn) {
    return turn.awaits ? awaited(turn, turn.statements, turn.ordinals, turn.count) : null;
  }

  /** The statement whose description is read, or null if more is known of it already. */
  @Nullable UnseenStatement described(Turn turn) {
    return turn.awaits
        ? awaited(turn, turn.described, turn.describedOrdinals, turn.describedCount)
        : null;
  }

  private @Nullable UnseenStatement awaited(
      Turn turn, int[] statements, int[] ordinals, int count) {
    for (int i = 0; i < count; i++) {
      if (ordinals[i] == turn.answers && UnseenStatements.isUnseen(statements[i])) {
        UnseenStatement statement = unseen.of(statements[i]);
        if (turn.isDoubtful) {
          statement.doubt();
        }
        return statement.isCertain() ? null : statement;
      }
    }
    return null;
  }

  /**
   * An answer came to what was not seen. As many answers as were asked for are no proof where turns
   * are pipelined: all answers so far may have been those to the turns before. So may those to
   * turns behind one that was not believed. It tells nothing of answers before the last place in
   * doubt.
   */
  void answeredUnasked() {
    if (mayBeLate && !awaitsGivenUp) {
      mayBeLate = false;
      unseen.takeBack();
    }
  }

  /**
   * Keeps what the answers to a doubtful turn told, or takes it back. Where they were not its own,
   * its own may come to the turns that wait behind it.
   */
  private void believe(Turn turn, boolean isRight) {
    mayBeLate = true;
    for (int i = 0; i < turn.count; i++) {
      believe(turn.statements[i], isRight);
    }
    for (int i = 0; i < turn.describedCount; i++) {
      believe(turn.described[i], isRight);
    }
    for (Turn at = first; at != null && !isRight; at = at.next) {
      at.isDoubtful = true;
    }
  }

  private void believe(int statement, boolean isRight) {
    if (UnseenStatements.isUnseen(statement)) {
      unseen.of(statement).believe(isRight);
    }
  }

  /** Puts classes in the place of statements that were not seen, by what is told of them now. */
  private void nameUnseen(Turn turn) {
    int asked = turn.count;
    turn.count = 0;
    for (int i = 0; i < asked; i++) {
      int statement = turn.statements[i];
      turn.named(
          UnseenStatements.isUnseen(statement)
              ? context.statements.unseen(unseen.of(statement))
              : statement);
    }
  }

  /**
   * The class of a turn: its statements. One that only begins a transaction is not named beside
   * others, because drivers send it along with the first statement.
   */
  private int requestClass(Turn turn) {
    if (turn.awaits) {
      nameUnseen(turn);
    }
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

    /** Whether it executes a statement that was prepared before the capture began. */
    boolean awaits;

    /** The executions and descriptions that were asked for. */
    int asked;

    /** Those that the server has answered. */
    int answers;

    /** Whether more may have been asked than was seen. */
    boolean isDoubtful;

    private final int[] statements = new int[STATEMENTS_NAMED_MAX];

    /** For each statement what was asked for before its first execution. */
    private final int[] ordinals = new int[STATEMENTS_NAMED_MAX];

    private final int[] described = new int[STATEMENTS_NAMED_MAX];

    /** For each of these statements what was asked for before its first description. */
    private final int[] describedOrdinals = new int[STATEMENTS_NAMED_MAX];

    private int describedCount;
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
      awaits = false;
      asked = 0;
      answers = 0;
      isDoubtful = false;
      describedCount = 0;
      count = 0;
      more = false;
      prepared = NONE;
      next = null;
    }

    /** A statement named its transaction, unless the number is 0; the first name is kept. */
    void names(long transaction) {
      identifier = TransactionIdentifiers.orElse(identifier, transaction);
    }

    /** A statement was executed: its class, or the number of one that was not seen. */
    void executed(int statement) {
      awaits |= UnseenStatements.isUnseen(statement);
      named(statement);
      asked++;
    }

    /** A description was asked for, of a class or of the number of one that was not seen. */
    void describes(int statement) {
      if (UnseenStatements.isUnseen(statement) && describedCount < STATEMENTS_NAMED_MAX) {
        awaits = true;
        describedOrdinals[describedCount] = asked;
        described[describedCount++] = statement;
      }
      asked++;
    }

    private void named(int statement) {
      for (int i = 0; i < count; i++) {
        if (statements[i] == statement) {
          return;
        }
      }
      if (count < STATEMENTS_NAMED_MAX) {
        ordinals[count] = asked;
        statements[count++] = statement;
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
