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
 * Any protocol of messages with a length and an id: a request is a message of the client, answered
 * by the server's message with its id, in whatever order; of requests with one id the eldest.
 * Requests that are not answered are none. Confined to one thread (docs/decisions/0306).
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
    if (side.isLost() && start.isAt(ofClient, bytes, from, to)) {
      side.found();
    }
    side.accept(bytes, from, to, moment);
  }

  /** A message of the client is complete. */
  void request(CorrelatedStream side) {
    MessageHead head = side.head();
    if (!head.answered) {
      return;
    }
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
    int requestClass =
        head.nameLength() == 0
            ? context.classes.of(UNNAMED)
            : context.classes.of(head.name(), head.nameLength());
    Waiting added = new Waiting(head.id, requestClass);
    added.begin(side.beginNanos(), side.beginFrame());
    added.bytesIn = side.messageBytes();
    added.requestEnds(side.endNanos(), side.endFrame());
    waiting.add(added);
  }

  /** A message of the server is complete. */
  void answer(CorrelatedStream side) {
    MessageHead head = side.head();
    Waiting answered = find(head.id);
    boolean unasked = moreFollows;
    moreFollows = head.follows;
    if (answered == null) {
      if (!unasked && head.answered) {
        context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
      }
      return;
    }
    answered.answered(side.beginNanos(), side.beginFrame());
    answered.answered(side.endNanos(), side.endFrame());
    answered.bytesOut += side.messageBytes();
    if (!head.more) {
      waiting.remove(answered);
      output(answered, head.failed ? Outcome.ERROR : Outcome.OK, side.endNanos());
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
    side.lose();
    if (side == server) {
      giveUpAll(Outcome.UNFINISHED, side.endNanos());
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    client.missing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    server.missing(byteCount, moment);
  }

  @Override
  public void serverFinished(Moment moment) {
    giveUpAll(Outcome.ABORTED, moment.timeNanos());
  }

  @Override
  public void end(Ending ending, Moment moment) {
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
    private final int requestClass;

    Waiting(long id, int requestClass) {
      this.id = id;
      this.requestClass = requestClass;
    }
  }
}
