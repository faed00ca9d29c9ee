package org.terrace.invocation.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.invocation.softstate.SoftStateCaller;
import org.terrace.invocation.softstate.SoftStateCounters;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * The calls of one client to services of style {@link Style#SOFT_STATE}, each service through a
 * caller of its own. Thread-safe.
 */
final class SoftStateCalls {
  private final ClientOptions options;
  private final LongSupplier client;
  private final TimeSource time;
  private final Map<String, SoftStateCaller> callers = new ConcurrentHashMap<>();

  SoftStateCalls(ClientOptions options, LongSupplier client, TimeSource time) {
    this.options = options;
    this.client = client;
    this.time = time;
  }

  /** Whether the service is one of soft state, as far as is known. */
  static boolean serves(@Nullable ServiceReference reference) {
    return reference != null && reference.style() == Style.SOFT_STATE;
  }

  /** The way to a service whose reference is known; it follows the view's references. */
  SoftStateCaller caller(ServiceView view, ServiceReference reference) {
    return callers.computeIfAbsent(
        view.service(),
        name -> {
          SoftStateCaller caller =
              new SoftStateCaller(
                  reference,
                  client.getAsLong(),
                  (endpoint, timeout) ->
                      options.middlewareOf(endpoint.middleware()).connect(endpoint, timeout),
                  options.softState(),
                  time);
          Consumer<ServiceView> listener =
              changed -> {
                ServiceReference newest = changed.reference();
                if (newest != null) {
                  caller.update(newest);
                }
              };
          view.addListener(listener);
          listener.accept(view);
          return caller;
        });
  }

  Optional<SoftStateCounters> counters(String service) {
    return Optional.ofNullable(callers.get(service)).map(SoftStateCaller::counters);
  }

  /**
   * The reply to a call: RESULT or REFUSED.
   *
   * @param steps where what was done for the call goes
   */
  CallReply call(
      SoftStateCaller caller, ServiceMethod method, CallRequest request, List<CallStep> steps) {
    Duration deadline = Duration.ofNanos(request.remainingNanos());
    CallReply reply = caller.call(request, method.isUpdate(), deadline, steps);
    return switch (reply.status()) {
      case RESULT, REFUSED -> reply;
      case FAILED, ROLLED_BACK, IN_DOUBT -> throw failed(Outcome.UNKNOWN, request, method, reply);
      case REJECTED, NOT_PRIMARY, DRAINING, UNAVAILABLE, FORGOTTEN, WITHDRAWN ->
          throw failed(
              method.isUpdate() ? Outcome.UNKNOWN : Outcome.NOT_EXECUTED, request, method, reply);
    };
  }

  private static InvocationException failed(
      Outcome outcome, CallRequest request, ServiceMethod method, CallReply reply) {
    String said = new String(reply.body(), StandardCharsets.UTF_8);
    return new InvocationException(
        outcome,
        "%s.%s got %s: %s".formatted(request.service(), method.name(), reply.status(), said),
        null);
  }

  void close() {
    callers.values().forEach(SoftStateCaller::close);
  }
}
