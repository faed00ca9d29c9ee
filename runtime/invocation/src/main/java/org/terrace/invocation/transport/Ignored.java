package org.terrace.invocation.transport;

import org.terrace.invocation.middleware.CallFailedException;
import org.terrace.invocation.middleware.CallReply;
import org.terrace.invocation.middleware.PendingCall;

/** Where replies go that nobody waits for any more. */
enum Ignored implements PendingCall.Sink {
  INSTANCE;

  @Override
  public void replied(CallReply reply) {}

  @Override
  public void failed(CallFailedException failure) {}
}
