package org.terrace.invocation.softstate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.terrace.core.RequestIdentity;

/**
 * An update: sent to all replicas, answered by the first of them in hash order. If that one cannot
 * be reached, declines or takes too long, the next is asked under the same identity, while the
 * earlier one may still answer. Confined.
 */
final class UpdateCall extends FrontEndCall {
  UpdateCall(FrontEnd frontEnd, RequestIdentity identity, long begunNanos, long deadlineNanos) {
    super(frontEnd, identity, begunNanos, deadlineNanos);
  }

  @Override
  boolean isUpdate() {
    return true;
  }

  @Override
  void begin(long nowNanos, List<FrontEndEffect> effects) {
    List<String> order = order(nowNanos);
    if (order.isEmpty()) {
      askNext(nowNanos, effects);
      return;
    }
    ask(order.getFirst(), effects);
    for (String copy : order.subList(1, order.size())) {
      copyTo(copy, effects);
    }
    wakeAt(nowNanos + frontEnd.answerDelayNanos(), effects);
  }

  /** Hash order; those that cannot be reached come last. */
  @Override
  List<String> order(long nowNanos) {
    List<String> order = new ArrayList<>(AnswerOrder.of(identity, frontEnd.replicas.names()));
    order.sort(Comparator.comparing((String name) -> !frontEnd.replicas.isReachable(name)));
    return order;
  }

  @Override
  void woken(long nowNanos, List<FrontEndEffect> effects) {
    askNext(nowNanos, effects);
  }
}
