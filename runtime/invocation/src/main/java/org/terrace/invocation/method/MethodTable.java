package org.terrace.invocation.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;

/**
 * The methods of one service interface, by their names on the wire: nothing that it does not name
 * can be called or decoded. Immutable and thread-safe.
 */
public final class MethodTable {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Class<?> type;
  private final Map<String, ServiceMethod> byWireName = new HashMap<>();
  private final Map<Method, ServiceMethod> byMethod = new HashMap<>();

  private MethodTable(Class<?> type) {
    this.type = type;
  }

  /**
   * The table of an interface, each of whose methods is marked {@link Update} or {@link Read}.
   *
   * @throws IllegalArgumentException if a method is not marked or a type has no codec
   */
  public static MethodTable of(Class<?> type) {
    if (!type.isInterface()) {
      throw new IllegalArgumentException("A service is an interface, not " + type.getName() + ".");
    }
    MethodTable table = new MethodTable(type);
    for (Method method : type.getMethods()) {
      if (method.isDefault() || Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      boolean update = method.isAnnotationPresent(Update.class);
      if (update == method.isAnnotationPresent(Read.class)) {
        throw new IllegalArgumentException(
            "A method of a service is marked either @Update or @Read: " + method);
      }
      String wireName = wireName(method);
      ServiceMethod found = new ServiceMethod(method, wireName, update);
      table.byMethod.put(method, found);
      if (table.byWireName.put(wireName, found) != null) {
        throw new IllegalArgumentException("Two methods share one signature: " + method);
      }
    }
    return table;
  }

  /** The interface. */
  public Class<?> type() {
    return type;
  }

  /** The method of that name on the wire, or null. */
  public @Nullable ServiceMethod find(String wireName) {
    return byWireName.get(wireName);
  }

  /** The entry of a method of the interface. */
  public ServiceMethod get(Method method) {
    return Objects.requireNonNull(byMethod.get(method), () -> "not of " + type + ": " + method);
  }

  /** All methods. */
  public Collection<ServiceMethod> methods() {
    return byMethod.values();
  }

  private static String wireName(Method method) {
    StringBuilder signature = new StringBuilder(method.getName()).append('(');
    for (Type parameter : method.getGenericParameterTypes()) {
      signature.append(parameter.getTypeName()).append(',');
    }
    signature.append(')').append(method.getGenericReturnType().getTypeName());
    return method.getName() + ':' + Long.toHexString(hash(signature.toString()));
  }

  private static long hash(String text) {
    long hash = FNV_OFFSET;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }
}
