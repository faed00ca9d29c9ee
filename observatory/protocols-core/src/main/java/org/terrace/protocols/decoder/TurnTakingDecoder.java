package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * Any protocol in which client and server take turns, without knowing it: a request is everything
 * the client says until the server speaks, its response everything the server says until the client
 * speaks again. What the server says first is a greeting and no response. Requests that overlap on
 * one connection come out as fewer, longer ones. Confined to one thread.
 */
final class TurnTakingDecoder implements Decoder {
  private final DecoderOutput output;
  private final int requestClass;
  private final OpenRequest turn = new OpenRequest();
  private boolean open;

  TurnTakingDecoder(DecoderOutput output, int requestClass) {
    this.output = output;
    this.requestClass = requestClass;
  }

  /** A decoder of a connection of which no more can be known, which is counted. */
  static TurnTakingDecoder opaque(
      DecoderContext context, DecoderOutput output, String requestClass) {
    context.counters.increment(WireCount.OPAQUE_CONNECTIONS);
    return new TurnTakingDecoder(output, context.classes.of(requestClass));
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    clientMissing(to - from, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    serverMissing(to - from, moment);
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    if (isAnswered()) {
      complete(Outcome.OK);
    }
    if (!open) {
      open = true;
      turn.begin(moment.timeNanos(), moment.frame());
    }
    turn.bytesIn += byteCount;
    turn.requestEnds(moment.timeNanos(), moment.frame());
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (open) {
      turn.answered(moment.timeNanos(), moment.frame());
      turn.departureNanos = Math.max(turn.departureNanos, moment.timeNanos());
      turn.bytesOut += byteCount;
    }
  }

  @Override
  public void serverFinished(Moment moment) {
    if (isAnswered()) {
      complete(Outcome.OK);
    }
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (isAnswered()) {
      complete(Outcome.OK);
    } else if (open) {
      turn.departureNanos = moment.timeNanos();
      complete(Endings.outcomeOfOpen(ending));
    }
  }

  private boolean isAnswered() {
    return open && turn.isAnswered();
  }

  private void complete(Outcome outcome) {
    output.request(requestClass, turn, outcome);
    open = false;
  }
}
