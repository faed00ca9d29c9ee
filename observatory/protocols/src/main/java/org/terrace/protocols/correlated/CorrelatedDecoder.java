package org.terrace.protocols.correlated;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Endings;
import org.terrace.protocols.decoder.OpenRequest;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * Any protocol of messages with a length and an id: a request is a message of the client, with
 * those that continue it, answered by the server's messages with its id, in whatever order; of
 * requests with one id the eldest. Requests that are not answered are none. Confined to one thread
 * (docs/decisions/0306, 0274).
 *
 * <p>Where a snap length or a loss hides the end of the only answer that is awaited, it ends with
 * the server's last byte before the client's next request, and that is counted. Behind a loss the
 * server is followed again from a segment that begins with the answer to a request that waits.
 */
final class CorrelatedDecoder implements Decoder {
  /** Requests of one connection that wait at most; the eldest is given up when there are more. */
  static final int WAITING_MAX = 1024;

  private static final int BYTES_EACH = 160;
  private static final String UNNAMED = "(unknown request)";

  private final DecoderContext context;
  private final DecoderOutput output;
  private final CorrelatedStream client;
  private final CorrelatedStream server;
  private final StartOfMessage start;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** Whether the last answer said that others follow that nobody asks for. */
  private boolean moreFollows;

  /** A test of whether a segment of one side begins with a message. */
  interface StartOfMessage {
    /** Whether it does. */
    boolean isAt(boolean ofClient, byte[] bytes, int from, int to);
  }

  CorrelatedDecoder(
      DecoderContext context, DecoderOutput output, MessageFormat format, StartOfMessage start) {
    this.context = context;
    this.output = output;
    this.start = start;
    client = new CorrelatedStream(context, this, format, true);
    server = new CorrelatedStream(context, this, format, false);
  }

  /** Waits on both sides for a segment that begins with a message. */
  CorrelatedDecoder joinMidStream() {
    client.lose();
    server.lose();
    return this;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    accept(client, true, bytes, from, to, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    accept(server, false, bytes, from, to, moment);
  }

  private void accept(
      CorrelatedStream side, boolean ofClient, byte[] bytes, int from, int to, Moment moment) {
    if (side.isLost()
        && start.isAt(ofClient, bytes, from, to)
        && (ofClient || answersSomebody(bytes, from, to))) {
      side.found();
    }
    if (side.isLost() && !ofClient) {
      hidden(to - from, moment);
    }
    side.accept(bytes, from, to, moment);
  }

  private boolean answersSomebody(byte[] bytes, int from, int to) {
    MessageHead head = server.ahead(bytes, from, to);
    return head != null && head.answered && find(head.id) != null;
  }

  /**
   * Gives bytes of the server that cannot be followed to the only request that waits, if there is
   * one.
   */
  private void hidden(long byteCount, Moment moment) {
    Waiting only = waiting.size() == 1 ? waiting.getFirst() : null;
    if (only != null) {
      only.answered(moment.timeNanos(), moment.frame());
      only.bytesOut += byteCount;
      only.departureNanos = moment.timeNanos();
    }
  }

  /** Ends the request whose answer is hidden, when the client goes on. */
  private void endHidden() {
    Waiting only = server.isLost() ? waiting.peek() : null;
    if (only != null && waiting.size() == 1 && only.isAnswered()) {
      waiting.remove();
      context.counters.increment(WireCount.ESTIMATED_ENDS);
      output(only, only.failed ? Outcome.ERROR : Outcome.OK, only.departureNanos);
    }
  }

  /** A message of the client is complete. */
  void request(CorrelatedStream side) {
    MessageHead head = side.head();
    if (head.continues) {
      further(side);
      return;
    }
    if (!head.answered) {
      return;
    }
    endHidden();
    if (waiting.size() == WAITING_MAX || !context.memory.take(BYTES_EACH)) {
      Waiting eldest = waiting.poll();
      if (eldest == null) {
        return;
      }
      output(eldest, Outcome.UNFINISHED, side.endNanos());
      if (!context.memory.take(BYTES_EACH)) {
        return;
      }
    }
    Waiting added = new Waiting(head.id, classOf(head));
    added.named = head.isNamed();
    added.begin(side.beginNanos(), side.beginFrame());
    added.bytesIn = side.messageBytes();
    added.requestEnds(side.endNanos(), side.endFrame());
    waiting.add(added);
  }

  /** A further part of a request is complete. */
  private void further(CorrelatedStream side) {
    MessageHead head = side.head();
    Waiting begun = find(head.id);
    if (begun != null) {
      begun.bytesIn += side.messageBytes();
      begun.requestEnds(side.endNanos(), side.endFrame());
      if (!begun.named && head.isNamed()) {
        begun.requestClass = classOf(head);
        begun.named = true;
      }
    }
  }

  private int classOf(MessageHead head) {
    if (head.requestClass != MessageHead.BY_NAME) {
      return head.requestClass;
    }
    return head.nameLength() == 0
        ? context.classes.of(UNNAMED)
        : context.classes.of(head.name(), head.nameLength());
  }

  /** A message of the server is complete. */
  void answer(CorrelatedStream side) {
    MessageHead head = side.head();
    boolean unasked = moreFollows;
    moreFollows = head.follows;
    if (!head.answered) {
      return;
    }
    Waiting answered = find(head.id);
    if (answered == null) {
      if (!unasked) {
        context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
      }
      return;
    }
    answered.answered(side.beginNanos(), side.beginFrame());
    answered.answered(side.endNanos(), side.endFrame());
    answered.bytesOut += side.messageBytes();
    answered.failed |= head.failed && !(head.settles && answered.settled);
    answered.settled |= head.settles;
    if (!head.more) {
      waiting.remove(answered);
      output(answered, answered.failed ? Outcome.ERROR : Outcome.OK, side.endNanos());
    }
  }

  private @Nullable Waiting find(long id) {
    for (Waiting each : waiting) {
      if (each.id == id) {
        return each;
      }
    }
    return null;
  }

  /** A side breaks the protocol, or too much of it is missing. */
  void broken(CorrelatedStream side, boolean byGap) {
    if (!byGap) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    if (side == server && waiting.size() == 1) {
      Waiting only = waiting.getFirst();
      if (!side.isBetweenMessages()) {
        only.answered(side.beginNanos(), side.beginFrame());
      }
      only.answered(side.endNanos(), side.endFrame());
      only.departureNanos = side.endNanos();
    } else if (side == server) {
      giveUpAll(Outcome.UNFINISHED, side.endNanos());
    }
    side.lose();
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    client.missing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (server.isLost()) {
      hidden(byteCount, moment);
    }
    server.missing(byteCount, moment);
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
    client.release();
    server.release();
  }

  private void giveUpAll(Outcome outcome, long timeNanos) {
    for (Waiting each = waiting.poll(); each != null; each = waiting.poll()) {
      output(each, outcome, timeNanos);
    }
  }

  private void output(Waiting request, Outcome outcome, long timeNanos) {
    request.departureNanos = timeNanos;
    output.request(request.requestClass, request, outcome);
    context.memory.giveBack(BYTES_EACH);
  }

  /** A request that waits for its answer. */
  private static final class Waiting extends OpenRequest {
    private final long id;
    private int requestClass;

    /** Whether the client told what it asks. */
    private boolean named;

    private boolean failed;

    /** Whether the part of the answer came that tells whether it failed. */
    private boolean settled;

    Waiting(long id, int requestClass) {
      this.id = id;
      this.requestClass = requestClass;
    }
  }
}
