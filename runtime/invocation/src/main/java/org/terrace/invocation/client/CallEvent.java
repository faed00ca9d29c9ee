package org.terrace.invocation.client;

import java.util.List;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;

/** An event of a call, with its monotonic time. */
sealed interface CallEvent {

  /** It is issued; the candidates are the known replicas in the order to try them. */
  record Begin(Candidates candidates) implements CallEvent {}

  /** A replica answered an attempt. */
  record Replied(int attempt, CallReply reply) implements CallEvent {}

  /** An attempt will get no answer. */
  record Lost(int attempt, boolean executed, boolean timedOut, String reason)
      implements CallEvent {}

  /** The replica of an attempt was asked for a sign of life, and gave one or gave none in time. */
  record Sign(int attempt, boolean given) implements CallEvent {}

  /** The naming service answered; the candidates are the old ones where it had no better. */
  record Resolved(Candidates candidates) implements CallEvent {}

  /** A newer reference became known without asking. */
  record Noticed(Candidates candidates) implements CallEvent {}

  /** Time has passed. */
  record Tick() implements CallEvent {}

  /**
   * A reference with its replicas in the order to try them.
   *
   * @param version the reference's, 0 for none
   * @param primary which replica it names first; empty for none
   * @param toAll whether a call goes to all of them at once (active style)
   * @param order the replicas to try
   */
  record Candidates(long version, String primary, boolean toAll, List<Endpoint> order) {
    static final Candidates NONE = new Candidates(0, "", false, List.of());

    /** Copies the order. */
    public Candidates {
      order = List.copyOf(order);
    }

    static Candidates of(ServiceReference reference, List<Endpoint> order) {
      String primary =
          reference.endpoints().isEmpty() ? "" : reference.endpoints().getFirst().replica();
      return new Candidates(reference.version(), primary, reference.style() == Style.ACTIVE, order);
    }
  }
}
