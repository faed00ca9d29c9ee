package org.terrace.middleware.terrace;

import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.PendingCall;

/** A call that was sent over a line, which goes back to its channel with the reply. */
final class TerraceCall implements PendingCall {
  private static final CallReply NOTHING = new CallReply(CallReply.Status.RESULT, new byte[0]);

  private final TerraceChannel channel;
  private final Line line;
  private final long number;
  private final CallRequest request;

  TerraceCall(TerraceChannel channel, Line line, long number, CallRequest request) {
    this.channel = channel;
    this.line = line;
    this.number = number;
    this.request = request;
  }

  @Override
  public @Nullable CallReply await(long patienceNanos) throws CallFailedException {
    if (!request.replyWanted()) {
      channel.giveBack(line);
      return NOTHING;
    }
    try {
      CallReply reply = line.read(number, Math.max(1, patienceNanos));
      channel.giveBack(line);
      return reply;
    } catch (SocketTimeoutException e) {
      return null;
    } catch (IOException | MalformedDataException e) {
      throw ended(e);
    }
  }

  @Override
  public void detach(Sink sink) {
    Thread.ofVirtual().name("terrace-reply").start(() -> waitFor(sink));
  }

  private void waitFor(Sink sink) {
    try {
      long patience = request.remainingNanos() + TerraceChannel.GRACE_NANOS;
      CallReply reply = request.replyWanted() ? line.read(number, patience) : NOTHING;
      channel.giveBack(line);
      sink.replied(reply);
    } catch (SocketTimeoutException e) {
      channel.discard(line);
      sink.failed(
          new CallFailedException(true, true, channel.endpoint() + " gave no reply in time", e));
    } catch (IOException | RuntimeException | Error e) {
      sink.failed(ended(e));
    }
  }

  private CallFailedException ended(Throwable cause) {
    channel.lost(line);
    return new CallFailedException(
        true, false, channel.endpoint() + " is gone: " + cause.getMessage(), cause);
  }

  @Override
  public void abandon() {
    channel.cancel(line, number);
  }
}
