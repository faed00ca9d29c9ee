package org.terrace.middleware.terrace;

import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.PendingCall;

/** The sink of replies that nobody waits for any more. */
enum Ignored implements PendingCall.Sink {
  INSTANCE;

  @Override
  public void replied(CallReply reply) {}

  @Override
  public void failed(CallFailedException failure) {}
}
