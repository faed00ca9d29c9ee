package org.terrace.middleware.terrace;

import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.PendingCall;

/** Where replies go that nobody waits for any more. */
enum Ignored implements PendingCall.Sink {
  INSTANCE;

  @Override
  public void replied(CallReply reply) {}

  @Override
  public void failed(CallFailedException failure) {}
}
