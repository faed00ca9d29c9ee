package org.terrace.invocation;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * The part of a replica that runs calls so that each identity takes effect once: it stands between
 * the dispatch of a call and the service's method. Thread-safe.
 *
 * <p>An execution never throws for what a call did: an error of the infrastructure becomes a reply
 * of status FAILED after what was written is rolled back.
 */
public interface Execution extends AutoCloseable {

  /**
   * Runs an update, or gives the reply that its identity was given before. A duplicate that arrives
   * while the first is under way waits for the first one's reply.
   */
  CallReply execute(CallRequest request, Executable work);

  /** Whether replies are retained for callers that give keys and never acknowledge them. */
  default boolean retainsKeys() {
    return false;
  }

  /** Runs a read, whose reply is not retained; in memory, unless an execution has a database. */
  default CallReply read(CallRequest request, Executable work) {
    try {
      return work.run(null);
    } catch (Throwable e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return CallReply.saying(CallReply.Status.FAILED, String.valueOf(e));
    }
  }

  /**
   * Does what {@link #execute} does for a request of a client that does not exist, and undoes it:
   * so that the first call finds code, connections and statements that have been used. Nothing is
   * retained, and the work has no effects.
   */
  default CallReply warmUp(CallRequest request, Executable work) {
    return read(request, work);
  }

  /**
   * Notes that a client is there, though it sends no update: what is kept for it is kept on.
   *
   * @param client the client's number
   */
  default void renewLease(long client) {}

  /** The highest epoch that the service's database has shown; 0 for none. */
  default long epochSeen() {
    return 0;
  }

  /**
   * The time at which the service's database last answered, on the system's monotonic clock; empty
   * without a database.
   */
  default OptionalLong databaseAnsweredNanos() {
    return OptionalLong.empty();
  }

  /** Whether this replica is known to miss updates that others have; reads then go elsewhere. */
  default boolean isBehind() {
    return false;
  }

  @Override
  void close();

  /** The call itself: its arguments are decoded, its method known. */
  @FunctionalInterface
  interface Executable {
    /**
     * Runs the method within the transaction of the connection, which is null for a service without
     * a database, and encodes what came of it.
     *
     * @return RESULT, or REFUSED for a {@link BusinessException}: then what the method wrote is
     *     rolled back, and the refusal is retained like a result; WITHDRAWN for a key under which
     *     nothing is to run any more, which is retained too; or REJECTED if it came too late and
     *     was not run: nothing is retained
     * @throws Exception what else the method threw: everything is rolled back, nothing retained
     */
    CallReply run(java.sql.@Nullable Connection connection) throws Exception;
  }

  /** Makes the execution of a service when it is exported. */
  @FunctionalInterface
  interface Factory {
    /**
     * An execution.
     *
     * @param service the service's name
     * @param epoch the epoch this replica believes to be in, which the replication manager tells; 0
     *     while it was told none
     */
    Execution open(String service, LongSupplier epoch);
  }
}
