package org.terrace.protocols.redis;

import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Endings;
import org.terrace.protocols.decoder.PendingRequests;
import org.terrace.protocols.decoder.PendingRequests.Pending;
import org.terrace.protocols.redis.RedisCommand.AnswerKind;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * Redis: a request is a command, from its first byte to the last of its reply; pipelined commands
 * are answered in their order. A subscription is answered by a confirmation for each channel. What
 * the server says unasked (published messages, other connections' commands, invalidations) is no
 * reply, and a command that asked for no reply is no request. Confined to one thread
 * (docs/decisions/0304).
 *
 * <p>Where a snap length or a loss hides the end of the only reply that is awaited, it ends with
 * the server's last byte before the client's next command, and that is counted.
 */
final class RedisDecoder implements Decoder {
  /** Commands of one connection that wait at most; all are given up when there are more. */
  static final int PIPELINED_MAX = 1 << 16;

  private static final int ONE_REPLY = 0;
  private static final int THEN_OTHERS = -1;
  private static final int THEN_REPLICATION = -2;

  private final DecoderContext context;
  private final DecoderOutput output;
  private final PendingRequests pending;
  private final RedisCommands commands;
  private final RedisReplies replies;
  private final byte[] name = new byte[RedisCommand.CLASS_BYTES_MAX];

  /** Replies to come to commands that were given up. */
  private long givenUp;

  private boolean subscribed;
  private boolean monitoring;

  /** Whether the connection copies data from now on, so that there are no requests on it. */
  private boolean replicating;

  private long hiddenEndNanos;
  private boolean hiddenFailed;

  RedisDecoder(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
    pending = new PendingRequests(context.memory, PIPELINED_MAX);
    commands = new RedisCommands(context, this);
    replies = new RedisReplies(context, this);
  }

  /** A decoder of a connection of which the beginning was not seen. */
  static RedisDecoder joinedMidStream(DecoderContext context, DecoderOutput output) {
    RedisDecoder decoder = new RedisDecoder(context, output);
    decoder.commands.lose();
    decoder.replies.lose();
    decoder.subscribed = true;
    return decoder;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    if (replicating) {
      return;
    }
    if (commands.isLost() || replies.isLost()) {
      boolean mayBegin = commands.isLost() || commands.isBetweenMessages();
      if (mayBegin && RedisProtocol.beginsCommand(bytes, from, to)) {
        startAnew(moment);
      }
    }
    if (replicating) {
      return;
    }
    commands.accept(bytes, from, to, moment);
  }

  /** The client begins a command behind a loss, so that whatever was hidden is over. */
  private void startAnew(Moment moment) {
    endHidden();
    if (replicating) {
      return;
    }
    giveUpAll(Outcome.UNFINISHED, moment.timeNanos());
    if (commands.isLost()) {
      commands.found();
    }
    if (replies.isLost()) {
      replies.found();
    }
    givenUp = 0;
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    if (replicating) {
      return;
    }
    if (replies.isLost()) {
      hidden(to - from, moment);
    } else {
      replies.accept(bytes, from, to, moment);
    }
  }

  private void hidden(long byteCount, Moment moment) {
    if (pending.size() == 1) {
      Pending first = pending.first();
      first.answered(moment.timeNanos(), moment.frame());
      first.bytesOut += byteCount;
      hiddenEndNanos = moment.timeNanos();
    }
  }

  private void endHidden() {
    if (replies.isLost() && pending.size() == 1 && pending.first().isAnswered()) {
      context.counters.increment(WireCount.ESTIMATED_ENDS);
      emitAnswered(hiddenFailed, hiddenEndNanos);
    }
  }

  /** A command is complete that is answered. */
  void command(RedisCommand command) {
    if (command.answer == AnswerKind.REPLICATION) {
      giveUpAll(Outcome.UNFINISHED, commands.lastNanos());
      replicating = true;
      return;
    }
    if (!pending.hasRoom()) {
      givenUp += pending.size();
      giveUpAll(Outcome.UNFINISHED, commands.lastNanos());
    }
    int requestClass = RedisCommand.classOf(context, commands, name);
    Pending added =
        pending.at(
            pending.add(commands.startNanos(), commands.startFrame(), requestClass, kind(command)));
    if (added != null) {
      added.bytesIn = commands.messageBytes();
      added.requestEnds(commands.lastNanos(), commands.lastFrame());
    }
  }

  /** The confirmations that answer it, or what stands for one reply of some kind. */
  private int kind(RedisCommand command) {
    return switch (command.answer) {
      case REPLY, REPLICATION -> ONE_REPLY;
      case CONFIRMATIONS -> Math.clamp(commands.size() - 1, 1, Integer.MAX_VALUE);
      case THEN_OTHERS -> THEN_OTHERS;
      case THEN_REPLICATION -> THEN_REPLICATION;
    };
  }

  /** A message of the server is complete. */
  void reply() {
    boolean push = replies.kind() == RespKind.PUSH;
    boolean confirms = (push || replies.kind() == RespKind.ARRAY) && replies.isConfirmation();
    if (confirms && (push || subscribed || awaitsConfirmation())) {
      confirmation();
      return;
    }
    boolean unasked =
        push
            || (subscribed && replies.kind() == RespKind.ARRAY && replies.isPublished())
            || (monitoring && replies.isOfMonitor());
    if (unasked) {
      return;
    }
    if (givenUp > 0) {
      givenUp--;
    } else if (pending.size() == 0) {
      context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
    } else {
      answer();
    }
  }

  private boolean awaitsConfirmation() {
    return pending.size() > 0 && pending.first().kind > 0;
  }

  private void confirmation() {
    subscribed = replies.number() > 0;
    if (awaitsConfirmation() && givenUp == 0) {
      notePart();
      if (--pending.first().kind == 0) {
        emitFirst(Outcome.OK, replies.lastNanos());
      }
    }
  }

  private void answer() {
    notePart();
    boolean failed = replies.kind() == RespKind.ERROR || replies.kind() == RespKind.BULK_ERROR;
    emitAnswered(failed, replies.lastNanos());
  }

  private void emitAnswered(boolean failed, long timeNanos) {
    int kind = pending.first().kind;
    monitoring |= kind == THEN_OTHERS && !failed;
    replicating = kind == THEN_REPLICATION && !failed;
    emitFirst(failed ? Outcome.ERROR : Outcome.OK, timeNanos);
    if (replicating) {
      giveUpAll(Outcome.UNFINISHED, timeNanos);
      replies.lose();
      commands.lose();
    }
  }

  /** Gives the server's bytes to the first command that waits. */
  private void notePart() {
    Pending first = pending.first();
    first.answered(replies.startNanos(), replies.startFrame());
    first.answered(replies.lastNanos(), replies.lastFrame());
    first.bytesOut += replies.messageBytes();
  }

  /** The commands break the protocol, or too many of them are missing. */
  void commandsBroken(boolean byGap) {
    count(byGap);
    giveUpAll(Outcome.UNFINISHED, commands.lastNanos());
    commands.lose();
  }

  /** The replies break the protocol, or too many of them are missing. */
  void repliesBroken(boolean byGap) {
    count(byGap);
    if (pending.size() > 1) {
      giveUpAll(Outcome.UNFINISHED, replies.lastNanos());
    } else if (pending.size() == 1) {
      notePart();
      hiddenEndNanos = replies.lastNanos();
      hiddenFailed = replies.first() == RespKind.ERROR;
    }
    replies.lose();
  }

  private void count(boolean byGap) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    if (!replicating) {
      commands.missing(byteCount, moment);
    }
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (replicating) {
      return;
    }
    if (replies.isLost()) {
      hidden(byteCount, moment);
    } else {
      replies.missing(byteCount, moment);
    }
  }

  @Override
  public void serverFinished(Moment moment) {
    endHidden();
    giveUpAll(Outcome.ABORTED, moment.timeNanos());
  }

  @Override
  public void end(Ending ending, Moment moment) {
    endHidden();
    giveUpAll(Endings.outcomeOfOpen(ending), moment.timeNanos());
    commands.release();
    replies.release();
    pending.release();
  }

  /** Ends all commands that wait, without their replies. */
  private void giveUpAll(Outcome outcome, long timeNanos) {
    if (pending.size() > 0 && !replies.isLost() && !replies.isBetweenMessages()) {
      notePart();
    }
    while (pending.size() > 0) {
      emitFirst(outcome, timeNanos);
    }
  }

  private void emitFirst(Outcome outcome, long departureNanos) {
    Pending first = pending.first();
    first.departureNanos = departureNanos;
    output.request(first.requestClass, first, outcome);
    pending.removeFirst();
  }
}
