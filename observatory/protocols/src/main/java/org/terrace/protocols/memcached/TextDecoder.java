package org.terrace.protocols.memcached;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Endings;
import org.terrace.protocols.decoder.PendingRequests;
import org.terrace.protocols.decoder.PendingRequests.Pending;
import org.terrace.protocols.memcached.TextCommand.Answer;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * Memcached's text protocol: a request is a command, with the value that it sends, from its first
 * byte to the last of its answer; pipelined commands are answered in their order. One that asks for
 * no reply ({@code noreply}), or for one only if it matters (the flag {@code q}), is no request.
 * Confined to one thread (docs/decisions/0275).
 *
 * <p>Where a snap length or a loss hides the end of the only answer that is awaited, it ends with
 * the server's last byte before the client's next command, and that is counted.
 */
final class TextDecoder implements Decoder {
  /** Commands of one connection that wait at most; all are given up when there are more. */
  static final int PIPELINED_MAX = 1 << 13;

  private static final String UNKNOWN = "(unknown command)";
  private static final Answer[] ANSWERS = Answer.values();

  private final DecoderContext context;
  private final DecoderOutput output;
  private final PendingRequests pending;
  private final TextCommands commands;
  private final TextReplies replies;

  /** Answers to come to commands that were given up. */
  private long givenUp;

  /** Whether quiet commands were sent that may be answered all the same. */
  private boolean quiet;

  private long hiddenEndNanos;

  TextDecoder(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
    pending = new PendingRequests(context.memory, PIPELINED_MAX);
    commands = new TextCommands(context, this);
    replies = new TextReplies(context, this);
  }

  /** Waits on both sides for a segment that begins with a command. */
  TextDecoder joinMidStream() {
    commands.lose();
    replies.lose();
    return this;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    if (commands.isLost() || replies.isLost()) {
      boolean mayBegin = commands.isLost() || commands.isBetweenMessages();
      if (mayBegin && TextProtocol.beginsCommand(bytes, from, to)) {
        startAnew(moment);
      }
    }
    commands.accept(bytes, from, to, moment);
  }

  /** The client begins a command behind a loss, so that whatever was hidden is over. */
  private void startAnew(Moment moment) {
    endHidden();
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
      emitFirst(Outcome.OK, hiddenEndNanos);
    }
  }

  /** A command is complete, with its value; null is an unknown one. */
  void command(@Nullable TextCommand command, boolean answered) {
    if (!answered) {
      quiet |= command != null && command.isMeta();
      return;
    }
    if (!pending.hasRoom()) {
      givenUp += pending.size();
      giveUpAll(Outcome.UNFINISHED, commands.lastNanos);
    }
    int requestClass = context.classes.of(command == null ? UNKNOWN : command.name());
    Answer answer = command == null ? Answer.LINE : command.answer;
    long ordinal =
        pending.add(commands.startNanos, commands.startFrame, requestClass, answer.ordinal());
    Pending added = pending.at(ordinal);
    if (added != null) {
      added.bytesIn = commands.messageBytes;
      added.requestEnds(commands.lastNanos, commands.lastFrame);
    }
  }

  /** A line of the server is complete, with the value that it announced. */
  void reply() {
    if (givenUp > 0) {
      givenUp -= replies.hasMore() ? 0 : 1;
    } else if (pending.size() == 0) {
      if (!quiet && !replies.hasMore()) {
        context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
      }
    } else if (replies.isBarrier() == (kind() == Answer.BARRIER)) {
      answer();
    }
  }

  private Answer kind() {
    return ANSWERS[pending.first().kind];
  }

  private void answer() {
    notePart();
    if (!replies.hasMore()) {
      emitFirst(replies.isError() ? Outcome.ERROR : Outcome.OK, replies.lastNanos);
    }
  }

  /** Gives the server's bytes to the first command that waits. */
  private void notePart() {
    Pending first = pending.first();
    first.answered(replies.startNanos, replies.startFrame);
    first.answered(replies.lastNanos, replies.lastFrame);
    first.bytesOut += replies.messageBytes;
  }

  /** The commands break the protocol, or too many of them are missing. */
  void commandsBroken(boolean byGap) {
    count(byGap);
    giveUpAll(Outcome.UNFINISHED, commands.lastNanos);
    commands.lose();
  }

  /** The answers break the protocol, or too much of them is missing. */
  void repliesBroken(boolean byGap) {
    count(byGap);
    if (pending.size() > 1) {
      giveUpAll(Outcome.UNFINISHED, replies.lastNanos);
    } else if (pending.size() == 1) {
      if (!replies.isBetweenMessages()) {
        notePart();
      }
      pending.first().answered(replies.lastNanos, replies.lastFrame);
      hiddenEndNanos = replies.lastNanos;
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
    commands.missing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
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

  /** Ends all commands that wait, without their answers. */
  private void giveUpAll(Outcome outcome, long timeNanos) {
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
