package org.terrace.middleware.grpc;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/** Notes whether a call's message was handed to a connection: only then may it have been run. */
final class SentTracer extends ClientStreamTracer.Factory {
  private volatile boolean sent;

  /**
   * A tracer of one call.
   *
   * @param sent whether the call counts as sent from the beginning
   */
  SentTracer(boolean sent) {
    this.sent = sent;
  }

  boolean sent() {
    return sent;
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void outboundMessage(int sequence) {
        sent = true;
      }
    };
  }
}
