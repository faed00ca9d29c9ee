package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * Any protocol in which client and server take turns, without knowing it: a request is everything
 * the client says until the server speaks, its response everything the server says until the client
 * speaks again. What the server says first is a greeting and no response. Requests that overlap on
 * one connection come out as fewer, longer ones. Confined to one thread.
 */
final class TurnTakingDecoder implements Decoder {
  private final RequestOutput output;
  private final int requestClass;
  private boolean open;
  private boolean answered;
  private long arrivalNanos;
  private long departureNanos;
  private long bytesIn;
  private long bytesOut;

  TurnTakingDecoder(RequestOutput output, int requestClass) {
    this.output = output;
    this.requestClass = requestClass;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, long timeNanos) {
    clientMissing(to - from, timeNanos);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, long timeNanos) {
    serverMissing(to - from, timeNanos);
  }

  @Override
  public void clientMissing(long byteCount, long timeNanos) {
    if (answered) {
      complete(Outcome.OK, departureNanos);
    }
    if (!open) {
      open = true;
      arrivalNanos = timeNanos;
    }
    bytesIn += byteCount;
  }

  @Override
  public void serverMissing(long byteCount, long timeNanos) {
    if (open) {
      departureNanos = answered ? Math.max(departureNanos, timeNanos) : timeNanos;
      answered = true;
      bytesOut += byteCount;
    }
  }

  @Override
  public void serverFinished(long timeNanos) {
    if (answered) {
      complete(Outcome.OK, departureNanos);
    }
  }

  @Override
  public void end(Ending ending, long timeNanos) {
    if (answered) {
      complete(Outcome.OK, departureNanos);
    } else if (open) {
      complete(Endings.outcomeOfOpen(ending), timeNanos);
    }
  }

  private void complete(Outcome outcome, long endNanos) {
    output.request(requestClass, arrivalNanos, endNanos, bytesIn, bytesOut, outcome);
    open = false;
    answered = false;
    bytesIn = 0;
    bytesOut = 0;
  }
}
