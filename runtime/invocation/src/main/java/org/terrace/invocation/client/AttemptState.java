package org.terrace.invocation.client;

import org.jspecify.annotations.Nullable;
import org.terrace.invocation.CallStep;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.PendingCall;

/** An attempt under way and its times on the monotonic clock; handed over between threads. */
final class AttemptState {
  final int number;
  final Endpoint endpoint;
  final long startNanos;
  volatile long connectNanos;
  volatile long restoreNanos;
  volatile long sendStartNanos;
  volatile long sentNanos;
  volatile @Nullable PendingCall pending;
  CallStep.@Nullable Ending ending;
  String detail = "";
  long endNanos;

  AttemptState(int number, Endpoint endpoint, long startNanos) {
    this.number = number;
    this.endpoint = endpoint;
    this.startNanos = startNanos;
    this.sendStartNanos = startNanos;
    this.sentNanos = startNanos;
  }

  void end(CallStep.Ending how, String why, long nowNanos) {
    if (ending == null) {
      ending = how;
      detail = why;
      endNanos = nowNanos;
    }
  }

  void end(CallReply reply, long nowNanos) {
    switch (reply.status()) {
      case RESULT -> end(CallStep.Ending.ANSWERED, "", nowNanos);
      case REFUSED -> end(CallStep.Ending.REFUSED, "", nowNanos);
      case REJECTED, FORGOTTEN, WITHDRAWN ->
          end(CallStep.Ending.REJECTED, CallTexts.reason(reply), nowNanos);
      case NOT_PRIMARY -> end(CallStep.Ending.NOT_PRIMARY, CallTexts.reason(reply), nowNanos);
      case DRAINING -> end(CallStep.Ending.DRAINING, CallTexts.reason(reply), nowNanos);
      case FAILED, ROLLED_BACK, UNAVAILABLE, IN_DOUBT ->
          end(CallStep.Ending.FAILED, CallTexts.reason(reply), nowNanos);
    }
  }

  CallStep.Attempt toStep(long callStartNanos, long nowNanos) {
    CallStep.Ending how = ending == null ? CallStep.Ending.OVERTAKEN : ending;
    long end = ending == null ? nowNanos : endNanos;
    return new CallStep.Attempt(
        endpoint.replica(),
        startNanos - callStartNanos,
        connectNanos,
        restoreNanos,
        Math.max(0, sentNanos - sendStartNanos),
        Math.max(0, end - Math.max(sentNanos, startNanos + connectNanos + restoreNanos)),
        how,
        detail);
  }
}
