package org.terrace.middleware;

/** A replica's handler of calls: called on a thread of its own, which may block. */
@FunctionalInterface
public interface CallHandler {

  /** The reply to a call; never throws for what the caller did wrong. */
  CallReply handle(CallRequest request);
}
