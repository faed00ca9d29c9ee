package org.terrace.invocation.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.CallKey;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/** The handler behind a stub. */
final class StubHandler implements InvocationHandler {
  private final MethodTable methods;
  private final String service;
  private final Calls calls;
  private final @Nullable CallKey key;
  private final CallRequest.Kind kind;

  /**
   * Calls of the table's methods at the service.
   *
   * @param key of the update that is called, if its caller gave one
   * @param kind whether it is to be run, or only what is retained for it is asked for
   */
  public StubHandler(
      MethodTable methods,
      String service,
      Calls calls,
      @Nullable CallKey key,
      CallRequest.Kind kind) {
    this.methods = methods;
    this.service = service;
    this.calls = calls;
    this.key = key;
    this.kind = kind;
  }

  @SuppressWarnings("ReferenceEquality") // a stub equals itself alone
  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
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
    CallReply reply =
        key == null
            ? calls.call(service, called, called.encodeArguments(arguments))
            : calls.call(
                service, called, called.encodeArguments(arguments, Encoder.canonical()), key, kind);
    if (reply.status() == CallReply.Status.REFUSED) {
      Decoder in = new Decoder(reply.body());
      throw new BusinessException(in.getString(), in.getString());
    }
    return called.decodeResult(reply.body());
  }
}
