package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.DatabaseTurns.Turn;
import org.terrace.protocols.prepared.PostgresShape;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * PostgreSQL's protocol, version 3: a request is a turn, from the first message of the client to
 * the ReadyForQuery that answers its Sync or simple query. Counting Syncs pairs pipelined turns.
 * The connection's start is a request of its own, and so is a cancel request. After the server
 * accepts encryption only turns of the connection are known. Confined to one thread.
 *
 * <p>Where a snap length or a loss hides the end of a turn, it ends with the server's last byte
 * before the client speaks again, and that is counted.
 */
final class PostgresDecoder implements Decoder {
  private static final int READY_MESSAGE_BYTES = 6;

  private final DecoderContext context;
  private final DecoderOutput output;
  private final DatabaseTurns turns;
  private final PostgresStartup startup;
  private final PostgresClient client;
  private final Server server;
  private @Nullable Decoder encrypted;

  PostgresDecoder(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
    turns = new DatabaseTurns(context, output);
    startup = new PostgresStartup(context, turns);
    client = new PostgresClient(context, turns);
    server = new Server();
  }

  /** A decoder of a connection of which the beginning was not seen. */
  static PostgresDecoder joinedMidStream(DecoderContext context, DecoderOutput output) {
    PostgresDecoder decoder = new PostgresDecoder(context, output);
    decoder.startup.skip();
    decoder.client.lose();
    decoder.server.lose();
    decoder.turns.doubtNext();
    return decoder;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    if (encrypted != null) {
      encrypted.clientData(bytes, from, to, moment);
      return;
    }
    int at = from;
    if (!startup.isOver()) {
      at = startup.clientData(bytes, from, to, moment);
      if (startup.isBroken()) {
        lose(false, moment.timeNanos());
      }
    }
    if (at < to) {
      turnMayEnd(bytes, at, to, moment);
      client.accept(bytes, at, to, moment);
    }
  }

  /** Ends the turn whose end is hidden, when the client begins another. */
  private void turnMayEnd(byte[] bytes, int from, int to, Moment moment) {
    if (!server.lost && !client.lost) {
      return;
    }
    boolean mayBegin = client.lost || client.isBetweenMessages();
    if (!mayBegin || !PostgresClient.looksLikeStart(bytes, from, to)) {
      return;
    }
    Turn first = turns.first();
    if (first != null && first.closed) {
      if (turns.size() == 1 && first.isAnswered()) {
        context.counters.increment(WireCount.ESTIMATED_ENDS);
        turns.completeFirst(first.lastNanos);
        turns.endIsEstimated();
      } else {
        turns.giveUpAll(Outcome.UNFINISHED, moment.timeNanos());
        turns.doubtNext();
      }
    }
    if (client.lost) {
      clientFound();
    }
  }

  /** Knows again where the client's messages begin, and not what was asked before. */
  private void clientFound() {
    client.found();
    turns.doubtNext();
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    if (encrypted != null) {
      encrypted.serverData(bytes, from, to, moment);
      return;
    }
    int at = from;
    if (startup.awaitsAnswer()) {
      PostgresStartup.Answer answer = startup.answer(bytes[at]);
      switch (answer) {
        case ACCEPTED -> {
          Protocol tls = context.registry.tls();
          output.recognised(tls, "the server accepts encryption");
          encrypted = tls.decoder(context, output, Protocol.Entry.INSIDE);
          return;
        }
        case REFUSED -> at++;
        case ERROR -> {}
      }
    }
    if (server.lost && awaitsBeginning() && PostgresStream.beginsAnswer(bytes, at, to)) {
      server.found();
    }
    if (server.lost) {
      lostServerData(bytes, at, to, moment);
    } else {
      server.accept(bytes, at, to, moment);
    }
  }

  /** Whether nothing can come from the server but the answer to the only turn. */
  private boolean awaitsBeginning() {
    Turn first = turns.first();
    return !client.lost && turns.size() == 1 && first != null && !first.isAnswered();
  }

  private void lostServerData(byte[] bytes, int from, int to, Moment moment) {
    answered(to - from, moment);
    int ready = to - READY_MESSAGE_BYTES;
    if (ready >= from
        && bytes[ready] == 'Z'
        && Bytes.i32(bytes, ready + 1) == READY_MESSAGE_BYTES - 1
        && isTransactionState(bytes[to - 1])) {
      turns.completeFirst(moment.timeNanos());
      server.found();
      if (client.lost) {
        clientFound();
      }
    }
  }

  private static boolean isTransactionState(int state) {
    return state == 'I' || state == 'T' || state == 'E';
  }

  private void answered(long byteCount, Moment moment) {
    Turn first = turns.first();
    if (first != null) {
      first.answered(moment.timeNanos(), moment.frame());
      first.bytesOut += byteCount;
      first.lastNanos = Math.max(first.lastNanos, moment.timeNanos());
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    if (encrypted != null) {
      encrypted.clientMissing(byteCount, moment);
    } else if (!startup.isOver()) {
      startup.skip();
      lose(true, moment.timeNanos());
    } else {
      client.missing(byteCount, moment);
    }
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (encrypted != null) {
      encrypted.serverMissing(byteCount, moment);
    } else if (server.lost || startup.awaitsAnswer()) {
      answered(byteCount, moment);
      startup.skip();
      server.lose();
    } else {
      server.missing(byteCount, moment);
    }
  }

  private void lose(boolean byGap, long timeNanos) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    turns.giveUpAll(Outcome.UNFINISHED, timeNanos);
    client.lose();
    server.lose();
  }

  @Override
  public void serverFinished(Moment moment) {
    if (encrypted != null) {
      encrypted.serverFinished(moment);
    } else {
      close(Outcome.ABORTED, moment.timeNanos());
    }
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (encrypted != null) {
      encrypted.end(ending, moment);
    }
    close(Endings.outcomeOfOpen(ending), moment.timeNanos());
    client.releaseAll();
    server.release();
    turns.release();
  }

  private void close(Outcome outcome, long timeNanos) {
    Turn first = turns.first();
    if (first != null && startup.isCancel()) {
      turns.completeFirst(timeNanos);
    } else if (first != null && server.lost && first.isAnswered() && turns.size() == 1) {
      context.counters.increment(WireCount.ESTIMATED_ENDS);
      turns.completeFirst(first.lastNanos);
    }
    turns.giveUpAll(outcome, timeNanos);
  }

  /** The server's side of the connection. */
  private final class Server extends PostgresStream {
    Server() {
      super(PostgresDecoder.this.context);
    }

    @Override
    boolean isType(int type) {
      return isServerType(type);
    }

    @Override
    int bytesThatMatter(int type) {
      Turn first = turns.first();
      return switch (type) {
        case 'K' -> Integer.BYTES;
        case 'T' -> awaits(first) ? PostgresShape.DESCRIPTION_BYTES_MAX : 0;
        case 'D' -> awaits(first) ? Short.BYTES : 0;
        case 'C' -> awaits(first) ? PostgresShape.TAG_BYTES_MAX : 0;
        default -> 0;
      };
    }

    private static boolean awaits(@Nullable Turn first) {
      return first != null && first.awaits;
    }

    @Override
    void begins(int type, int length) {
      Turn first = turns.first();
      if (first != null) {
        first.answered(startNanos, startFrame);
        first.bytesOut += length;
      }
    }

    @Override
    void message(int type, byte[] bytes, int from, int to) {
      if (type == 'K' && to - from >= Integer.BYTES) {
        output.backend(Bytes.u32(bytes, from));
      }
      Turn first = turns.first();
      if (first == null) {
        if (answers(type)) {
          turns.answeredUnasked();
        }
        return;
      }
      first.seen(lastNanos, lastFrame);
      if (first.awaits) {
        tells(first, type, bytes, from, to);
      }
      first.answers += answers(type) ? 1 : 0;
      switch (type) {
        case 'Z' -> {
          turns.completeFirst(lastNanos);
          if (client.lost) {
            clientFound();
          }
        }
        case 'E' -> {
          first.failed = true;
          first.lastNanos = lastNanos;
        }
        case 'G', 'W' -> {
          // The server ignores a Sync sent along with a COPY FROM; another one follows the data.
          if (first.closedBySync && first == turns.last()) {
            first.closed = false;
            first.closedBySync = false;
          }
        }
        default -> {}
      }
    }

    /** Takes what an answer tells of a statement that was prepared before the capture began. */
    private void tells(Turn turn, int type, byte[] bytes, int from, int to) {
      switch (type) {
        case 'T', 'n' -> {
          UnseenStatement described = turns.described(turn);
          if (described != null && type == 'T') {
            PostgresShape.described(described, bytes, from, to);
          } else if (described != null) {
            PostgresShape.describedWithoutRows(described);
          }
        }
        case 'D' -> {
          UnseenStatement awaited = turns.awaited(turn);
          if (awaited != null) {
            PostgresShape.row(awaited, bytes, from, to);
          }
        }
        case 'C' -> {
          UnseenStatement awaited = turns.awaited(turn);
          if (awaited != null) {
            PostgresShape.completed(awaited, bytes, from, to);
          }
        }
        default -> {}
      }
    }

    /** Whether a message ends the answer to an execution, or to a description. */
    private static boolean answers(int type) {
      return switch (type) {
        case 'T', 'n', 'C', 'I', 's' -> true;
        default -> false;
      };
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
        turns.doubtNext();
      } else if (first != null) {
        first.lastNanos = Math.max(first.lastNanos, lastNanos);
      }
    }
  }
}
