package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * The decoder of any protocol in which client and server take turns, without knowing it: a request
 * is everything the client says until the server speaks, its response everything the server says
 * until the client speaks again. What the server says first is a greeting and no response. Requests
 * that overlap on one connection come out as fewer, longer ones. Confined to one thread.
 */
public final class TurnTakingDecoder implements Decoder {
  private final DecoderOutput output;
  private int requestClass;
  private final OpenRequest turn = new OpenRequest();
  private boolean open;

  /**
   * A decoder of a connection from its beginning on, or from a byte on.
   *
   * @param requestClass the class of all turns, a number of {@link RequestClasses}
   */
  public TurnTakingDecoder(DecoderOutput output, int requestClass) {
    this.output = output;
    this.requestClass = requestClass;
  }

  /** A decoder of a connection of which no more can be known, which is counted. */
  static TurnTakingDecoder opaque(
      DecoderContext context, DecoderOutput output, String requestClass) {
    context.counters.increment(WireCount.OPAQUE_CONNECTIONS);
    return new TurnTakingDecoder(output, context.classes.of(requestClass));
  }

  /** Gives another class to the turn that is open, and to all behind it. */
  public void classify(int otherClass) {
    requestClass = otherClass;
  }

  /** Ends the turn that is open, if it was answered: what comes is no part of it. */
  public void complete() {
    if (isAnswered()) {
      complete(Outcome.OK);
    }
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
    complete();
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
    complete();
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
