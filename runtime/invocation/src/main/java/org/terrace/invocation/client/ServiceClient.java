package org.terrace.invocation.client;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Style;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.CallKey;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.softstate.SoftStateCounters;
import org.terrace.middleware.CallRequest;

/**
 * A client of replicated services: it gives typed stubs by name, and finds, watches and changes
 * replicas for them. Thread-safe; each call blocks its thread.
 */
public final class ServiceClient implements AutoCloseable {
  private final Calls calls;

  private ServiceClient(ClientOptions options) {
    calls = new Calls(options);
  }

  /** A client; it connects when it must. */
  public static ServiceClient open(ClientOptions options) {
    return new ServiceClient(options);
  }

  /**
   * A stub of a service: its methods are calls of the service's primary or replicas, as the style
   * in its reference says.
   *
   * <p>They throw {@link BusinessException} for what the service's rules refuse and {@link
   * InvocationException} for what came to no reply.
   */
  public <T> T stub(Class<T> type, String service) {
    return stub(type, service, null, CallRequest.Kind.SERVICE);
  }

  /**
   * A stub for one update under a key of the caller's: called again, here, by another client or
   * after a restart, it gives the reply of the first call and has no second effect.
   *
   * <p>Its updates throw {@link BusinessException} and {@link InvocationException}. The latter is
   * of outcome NOT_EXECUTED only once the key was withdrawn by {@link #retained}, and UNKNOWN else,
   * whatever ended the attempts, also once the key's retention is over: what became of them tells
   * nothing of earlier calls under the key. Repeat an unknown one under the same key, never under
   * another. A call of a read throws {@link IllegalArgumentException}. The service retains its
   * replies in a database.
   */
  public <T> T stub(Class<T> type, String service, CallKey key) {
    return stub(type, service, key, CallRequest.Kind.SERVICE);
  }

  /**
   * A stub that asks for what is retained of an update under a key, and never runs it: called with
   * the same arguments it gives the reply, or withdraws the key if there is none, and throws an
   * {@link InvocationException} of outcome NOT_EXECUTED. That is final: no attempt, late as it may
   * arrive, runs under a key that is withdrawn; the request is made under a new key, if at all. One
   * of outcome UNKNOWN says that the question had no answer: ask again.
   */
  public <T> T retained(Class<T> type, String service, CallKey key) {
    return stub(type, service, key, CallRequest.Kind.RETAINED);
  }

  private <T> T stub(Class<T> type, String service, @Nullable CallKey key, CallRequest.Kind kind) {
    MethodTable methods = MethodTable.of(type);
    calls.follow(service);
    return Objects.requireNonNull(
        type.cast(
            Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                new StubHandler(methods, service, calls, key, kind))));
  }

  /**
   * The number under which the replicas know this client: drawn at random when it is opened, and
   * again if all of them have forgotten it.
   */
  public long client() {
    return calls.client();
  }

  /** The last calls, oldest first. */
  public List<CallRecord> attempts() {
    return calls.attempts();
  }

  /**
   * The counts of all that was done for the calls to a service of style {@link Style#SOFT_STATE};
   * empty if none was called.
   */
  public Optional<SoftStateCounters> softStateCounters(String service) {
    return calls.softStateCounters(service);
  }

  /** Closes all connections. */
  @Override
  public void close() {
    calls.close();
  }
}
