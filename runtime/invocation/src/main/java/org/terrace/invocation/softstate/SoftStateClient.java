package org.terrace.invocation.softstate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.ClientOptions;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Naming;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Probes;
import org.terrace.invocation.ServiceReference;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.invocation.middleware.CallReply;
import org.terrace.invocation.middleware.CallRequest;
import org.terrace.invocation.middleware.Middlewares;

/**
 * A front end: gives typed stubs of soft-state services, whose updates go to all replicas and whose
 * reads go to the fastest. Thread-safe; each call blocks its thread.
 */
public final class SoftStateClient implements AutoCloseable {
  private final ClientOptions options;
  private final SoftStateOptions softState;
  private final Map<String, SoftStateCaller> callers = new ConcurrentHashMap<>();
  private final Map<String, Naming.Watch> watches = new ConcurrentHashMap<>();
  private final TreeSet<Long> incomplete = new TreeSet<>();
  private long sequences;

  private SoftStateClient(ClientOptions options, SoftStateOptions softState) {
    this.options = options;
    this.softState = softState;
  }

  /** A front end; it connects when it must. */
  public static SoftStateClient open(ClientOptions options, SoftStateOptions softState) {
    return new SoftStateClient(options, softState);
  }

  /**
   * A stub of a service. Its methods throw {@link BusinessException} for what the service's rules
   * refuse and {@link InvocationException} for what came to no reply.
   */
  public <T> T stub(Class<T> type, String service) {
    MethodTable methods = MethodTable.of(type);
    InvocationHandler handler =
        (proxy, method, arguments) -> invoke(methods, service, proxy, method, arguments);
    return Objects.requireNonNull(
        type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler)));
  }

  /** The way to a service, for what it has counted. */
  public SoftStateCaller caller(String service) {
    return callers.computeIfAbsent(
        service,
        name -> {
          ServiceReference reference =
              options
                  .naming()
                  .resolve(name)
                  .orElseThrow(() ->
                      new InvocationException(
                          Outcome.NOT_EXECUTED, "No service is named " + name + ".", null));
          SoftStateCaller caller =
              new SoftStateCaller(
                  reference,
                  options.client(),
                  (profile, timeout) ->
                      Middlewares.byName(profile.middleware()).connect(profile, timeout),
                  softState,
                  TimeSource.system());
          watches.put(name, options.naming().watch(name, caller::update));
          return caller;
        });
  }

  @SuppressWarnings("ReferenceEquality") // a stub equals itself alone
  private @Nullable Object invoke(
      MethodTable methods,
      String service,
      Object proxy,
      Method method,
      @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "hashCode" -> System.identityHashCode(proxy);
        case "equals" -> arguments != null && proxy == arguments[0];
        default -> "stub of " + service;
      };
    }
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    ServiceMethod called = methods.get(method);
    CallReply reply = call(service, called, called.encodeArguments(arguments));
    return switch (reply.status()) {
      case RESULT -> called.decodeResult(reply.body());
      case REFUSED -> {
        Decoder in = new Decoder(reply.body());
        throw new BusinessException(in.getString(), in.getString());
      }
      case FAILED -> throw failed(Outcome.UNKNOWN, service, called, reply);
      case REJECTED, NOT_PRIMARY, DRAINING ->
          throw failed(
              called.isUpdate() ? Outcome.UNKNOWN : Outcome.NOT_EXECUTED, service, called, reply);
    };
  }

  private static InvocationException failed(
      Outcome outcome, String service, ServiceMethod method, CallReply reply) {
    return new InvocationException(
        outcome,
        service
            + "."
            + method.name()
            + " got "
            + reply.status()
            + ": "
            + new String(reply.body(), StandardCharsets.UTF_8),
        null);
  }

  private CallReply call(String service, ServiceMethod method, byte[] arguments) {
    long sequence;
    long firstIncomplete;
    synchronized (incomplete) {
      sequence = ++sequences;
      incomplete.add(sequence);
      firstIncomplete = incomplete.first();
    }
    RequestIdentity identity = new RequestIdentity(options.client(), sequence);
    Duration deadline = options.deadline();
    Probes probes = options.probes();
    long arrival = probes == null ? 0 : probes.nowNanos();
    String outcome = "ERROR";
    int bytes = 0;
    try {
      CallRequest request =
          new CallRequest(
              service,
              method.wireName(),
              identity,
              firstIncomplete,
              deadline.toNanos(),
              true,
              arguments);
      CallReply reply = caller(service).call(request, method.isUpdate(), deadline);
      outcome = reply.status() == CallReply.Status.RESULT ? "OK" : "ERROR";
      bytes = reply.body().length;
      return reply;
    } finally {
      synchronized (incomplete) {
        incomplete.remove(sequence);
      }
      if (probes != null) {
        probes.add(
            identity, method.name(), arrival, probes.nowNanos(), arguments.length, bytes, outcome);
      }
    }
  }

  /** Closes all connections; calls under way fail. */
  @Override
  public void close() {
    watches.values().forEach(Naming.Watch::close);
    callers.values().forEach(SoftStateCaller::close);
  }
}
