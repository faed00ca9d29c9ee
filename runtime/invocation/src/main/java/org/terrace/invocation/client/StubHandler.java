package org.terrace.invocation.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.middleware.CallReply;

/** The handler behind a stub. */
final class StubHandler implements InvocationHandler {
  private final MethodTable methods;
  private final String service;
  private final Calls calls;

  /** Calls of the table's methods at the service. */
  public StubHandler(MethodTable methods, String service, Calls calls) {
    this.methods = methods;
    this.service = service;
    this.calls = calls;
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
    CallReply reply = calls.call(service, called, called.encodeArguments(arguments));
    if (reply.status() == CallReply.Status.REFUSED) {
      Decoder in = new Decoder(reply.body());
      throw new BusinessException(in.getString(), in.getString());
    }
    return called.decodeResult(reply.body());
  }
}
