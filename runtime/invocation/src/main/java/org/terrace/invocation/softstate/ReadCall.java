package org.terrace.invocation.softstate;

import java.util.List;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.softstate.SoftStateOptions.Discovery;

/**
 * A read: sent to the k fastest replicas; the first reply counts. If it hangs longer than most, it
 * is sent to one more as long as hedges are saved up, and to others in any case once it is clear
 * that no reply comes. Confined.
 */
final class ReadCall extends FrontEndCall {
  private boolean mayStillHedge;

  ReadCall(FrontEnd frontEnd, RequestIdentity identity, long begunNanos, long deadlineNanos) {
    super(frontEnd, identity, begunNanos, deadlineNanos);
  }

  @Override
  boolean isUpdate() {
    return false;
  }

  @Override
  void begin(long nowNanos, List<FrontEndEffect> effects) {
    List<String> order = order(nowNanos);
    if (order.isEmpty()) {
      askNext(nowNanos, effects);
      return;
    }
    boolean adaptive = frontEnd.options.discovery() == Discovery.ADAPTIVE;
    int first =
        adaptive ? frontEnd.options.redundancy() : frontEnd.preferred() == null ? order.size() : 1;
    order.stream().limit(first).forEach(replica -> ask(replica, effects));
    mayStillHedge = adaptive && first < order.size();
    wakeAt(
        nowNanos + (mayStillHedge ? frontEnd.hedgeDelayNanos() : frontEnd.answerDelayNanos()),
        effects);
  }

  @Override
  List<String> order(long nowNanos) {
    List<String> order = frontEnd.replicas.fastest(nowNanos);
    String preferred = frontEnd.preferred();
    return frontEnd.options.discovery() == Discovery.ADAPTIVE || preferred == null
        ? order
        : List.of(preferred);
  }

  @Override
  void woken(long nowNanos, List<FrontEndEffect> effects) {
    if (mayStillHedge && nowNanos < deadlineNanos && !frontEnd.mayHedge()) {
      mayStillHedge = false;
      wakeAt(nowNanos + frontEnd.answerDelayNanos(), effects);
      return;
    }
    mayStillHedge = false;
    askNext(nowNanos, effects);
  }
}
