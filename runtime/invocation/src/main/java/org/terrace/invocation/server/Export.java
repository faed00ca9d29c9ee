package org.terrace.invocation.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Style;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Execution;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.Probes;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/** A service at one replica. */
final class Export {
  private static final String LATE =
      "its deadline had passed when its turn came: it was not executed";

  private static final String WITHDRAWN =
      "its key was asked for before it was executed: it was not executed and never will be under this key";

  private final String service;
  private final MethodTable methods;
  private final Object implementation;
  private final Style style;
  private final Execution execution;
  private final int replyBytesMax;
  private final List<ServiceMethod> warmedUp;
  private final Object standIn;
  private final boolean isOfPrimaryAlone;

  /** The implementation, called through the execution by what the table names. */
  public Export(
      String service,
      MethodTable methods,
      Object implementation,
      Style style,
      Execution execution,
      int replyBytesMax) {
    this.service = service;
    this.methods = methods;
    this.implementation = implementation;
    this.style = style;
    this.execution = execution;
    this.replyBytesMax = replyBytesMax;
    warmedUp = List.copyOf(methods.methods());
    isOfPrimaryAlone = style == Style.WARM_PASSIVE && execution instanceof MemoryExecution;
    standIn =
        Proxy.newProxyInstance(
            methods.type().getClassLoader(),
            new Class<?>[] {methods.type()},
            (proxy, method, arguments) -> methods.get(method).sampleResult());
  }

  /** The service's name. */
  public String service() {
    return service;
  }

  /** The way in which its replicas share the work. */
  public Style style() {
    return style;
  }

  /** Whether updates have their effects in this process, so that only a primary may run them. */
  public boolean isOfPrimaryAlone() {
    return isOfPrimaryAlone;
  }

  /** The method that a call names, or null. */
  public @Nullable ServiceMethod find(String wireName) {
    return methods.find(wireName);
  }

  /** Whether replies are retained for callers that give keys. */
  boolean retainsKeys() {
    return execution.retainsKeys();
  }

  /**
   * Runs a call, unless its time is over when its turn comes.
   *
   * @param isLate whether nobody waits for a call that begins now
   */
  public CallReply call(ServiceMethod method, CallRequest request, BooleanSupplier isLate) {
    if (request.kind() == CallRequest.Kind.RETAINED) {
      return execution.execute(
          request, inTime(isLate, _ -> CallReply.saying(CallReply.Status.WITHDRAWN, WITHDRAWN)));
    }
    @Nullable Object[] arguments;
    try {
      arguments = method.decodeArguments(request.arguments());
    } catch (MalformedDataException e) {
      return CallReply.saying(
          CallReply.Status.REJECTED, "the arguments are malformed: " + e.getMessage());
    }
    Execution.Executable work = inTime(isLate, work(implementation, method, arguments, request));
    return method.isUpdate() ? execution.execute(request, work) : execution.read(request, work);
  }

  private static Execution.Executable inTime(BooleanSupplier isLate, Execution.Executable work) {
    return connection ->
        isLate.getAsBoolean()
            ? CallReply.saying(CallReply.Status.REJECTED, LATE)
            : work.run(connection);
  }

  private Execution.Executable work(
      Object target, ServiceMethod method, @Nullable Object[] arguments, CallRequest request) {
    return connection -> {
      try {
        Invocation call = new Invocation(request.identity(), method.name(), connection);
        Object result = call.run(() -> invoke(target, method, arguments));
        return sendable(CallReply.Status.RESULT, method.encodeResult(result));
      } catch (BusinessException refusal) {
        Encoder out = new Encoder();
        out.putString(refusal.code());
        out.putString(String.valueOf(refusal.getMessage()));
        return sendable(CallReply.Status.REFUSED, out.toBytes());
      }
    };
  }

  /**
   * The reply, if it can be sent: one that cannot is an exception before the commit, since
   * afterwards nobody would learn of it.
   */
  private CallReply sendable(CallReply.Status status, byte[] body) {
    if (body.length > replyBytesMax) {
      throw new IllegalStateException(
          "a reply of %d bytes is too large to be sent, of which the middleware takes %d"
              .formatted(body.length, replyBytesMax));
    }
    return new CallReply(status, body);
  }

  /** The time at which the service's database last answered a call; empty if it has none. */
  OptionalLong databaseAnsweredNanos() {
    return execution.databaseAnsweredNanos();
  }

  /**
   * Does for one of the methods what {@link #call} does, with a stand-in that answers instead of
   * the implementation.
   *
   * @param whole whether also the execution is warmed up, with a transaction if there is a database
   */
  CallReply warmUp(CallRequest request, boolean whole, CallDeadline late) throws Exception {
    if (warmedUp.isEmpty()) {
      return new CallReply(CallReply.Status.RESULT, new byte[0]);
    }
    int turn = (int) Long.remainderUnsigned(request.identity().sequence(), warmedUp.size());
    ServiceMethod method = warmedUp.get(turn);
    Execution.Executable work = work(standIn, method, method.sampleArguments(), request);
    return whole ? execution.warmUp(request, inTime(late, work)) : inTime(late, work).run(null);
  }

  private static @Nullable Object invoke(
      Object target, ServiceMethod method, @Nullable Object[] arguments) throws Exception {
    try {
      return method.method().invoke(target, arguments);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case Exception exception -> throw exception;
        case Error error -> throw error;
        case null, default -> throw e;
      }
    }
  }

  /** Notes that a client is there. */
  void renewLease(long client) {
    execution.renewLease(client);
  }

  /** The answer to a health probe: one byte, which is 1 if this replica misses updates. */
  public CallReply health() {
    byte[] behind = {(byte) (execution.isBehind() ? 1 : 0)};
    return new CallReply(CallReply.Status.RESULT, behind);
  }

  /** Ends the execution. */
  public void close() {
    execution.close();
  }

  /** Notes a call with its reply among the probes. */
  static void record(Probes probes, CallRequest request, long arrivalNanos, CallReply reply) {
    probes.add(
        request.identity(),
        nameOf(request),
        arrivalNanos,
        probes.nowNanos(),
        request.arguments().length,
        reply.body().length,
        reply.status() == CallReply.Status.RESULT ? "OK" : "ERROR");
  }

  /** The method's name without its signature, or the kind of a call to the server itself. */
  private static String nameOf(CallRequest request) {
    if (request.method().isEmpty()) {
      return request.kind().name().toLowerCase(Locale.ROOT);
    }
    String wire = request.method();
    int colon = wire.indexOf(':');
    return colon < 0 ? wire : wire.substring(0, colon);
  }
}
