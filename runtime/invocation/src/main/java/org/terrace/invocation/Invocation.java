package org.terrace.invocation;

import java.sql.Connection;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;

/**
 * The call that a service's method is running for: who asked, and the database transaction that its
 * effects and its retained reply share.
 *
 * <p>Bound to the running thread for the time of the call, and inherited by the scopes of
 * structured concurrency. Immutable; the connection is used by one thread at a time.
 */
public final class Invocation {
  private static final ScopedValue<Invocation> CURRENT = ScopedValue.newInstance();

  private final RequestIdentity identity;
  private final String method;
  private final @Nullable Connection connection;

  /** A call; {@code connection} is null for a service without a database. */
  public Invocation(RequestIdentity identity, String method, @Nullable Connection connection) {
    this.identity = Objects.requireNonNull(identity);
    this.method = Objects.requireNonNull(method);
    this.connection = connection;
  }

  /**
   * The call this thread is running.
   *
   * @throws IllegalStateException outside of a call
   */
  public static Invocation current() {
    if (!CURRENT.isBound()) {
      throw new IllegalStateException("This thread is running no call of a service.");
    }
    return CURRENT.get();
  }

  /** The client, and the number of this request among the client's. */
  public RequestIdentity identity() {
    return identity;
  }

  /** The name of the method called. */
  public String method() {
    return method;
  }

  /**
   * The call's transaction: begun before the method runs, committed with the reply after it
   * returns. The method neither commits, rolls back nor closes it.
   *
   * @throws IllegalStateException if the service has no database
   */
  public Connection connection() {
    if (connection == null) {
      throw new IllegalStateException(
          "The service of " + method + " was exported without a database.");
    }
    return connection;
  }

  /** Runs the work as this call. */
  public <T extends @Nullable Object> T run(Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, this).call(work::call);
  }
}
