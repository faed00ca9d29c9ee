package org.terrace.middleware;

/** What a replica does with a call: called on a thread of its own, which may block. */
@FunctionalInterface
public interface CallHandler {

  /** The reply to a call; never throws for what the caller did wrong. */
  CallReply handle(CallRequest request);
}
