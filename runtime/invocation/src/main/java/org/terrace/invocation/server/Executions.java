package org.terrace.invocation.server;

import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Style;
import org.terrace.invocation.Execution;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.invocation.retention.Peers;
import org.terrace.invocation.retention.RetainedExecution;

/** The choice of the execution of a replica's services. Thread-safe. */
final class Executions {
  private final ServerOptions options;
  private final DatabaseWait databaseWait;
  private final ClientSessions sessions;

  Executions(ServerOptions options, DatabaseWait databaseWait, ClientSessions sessions) {
    this.options = options;
    this.databaseWait = databaseWait;
    this.sessions = sessions;
  }

  /**
   * The execution that the options make, or of the style SOFT_STATE give; else in the database if
   * there is one, so that it holds for all replicas; else in memory.
   *
   * @param epoch that the replica believes to be in
   * @param silent the names of the other replicas that give no sign of life now
   * @throws IllegalArgumentException if the options lack what the style needs
   */
  Execution open(
      String service,
      MethodTable methods,
      Style style,
      LongSupplier epoch,
      Supplier<? extends Collection<String>> silent) {
    Execution.Factory factory = options.execution();
    if (factory != null) {
      return factory.open(service, epoch);
    }
    if (style == Style.SOFT_STATE) {
      Execution softState = options.softState();
      if (softState == null) {
        throw new IllegalArgumentException(
            "A service of style SOFT_STATE needs soft state that its updates take effect in: give"
                + " it with ServerOptions.withSoftState.");
      }
      return softState;
    }
    DataSource database = database();
    if (database != null) {
      return databaseWait.retry(() ->
          RetainedExecution.open(
              database,
              options.retention(),
              () -> options.fence(style, epoch.getAsLong()),
              new Peers(options.replica(), silent)));
    }
    if (style != Style.NONE && methods.methods().stream().anyMatch(ServiceMethod::isUpdate)) {
      throw new IllegalArgumentException(
          "A service of style %s with updates needs a database that all of its replicas share: there an update that is sent again after a fail-over finds its reply. Give it with ServerOptions.withDatabase, or accept with ServerOptions.withUnsharedReplies that such an update runs twice."
              .formatted(style));
    }
    return new MemoryExecution();
  }

  /** The database of calls: a pool, or the connection of the client's session. */
  private @Nullable DataSource database() {
    DataSource given = options.database();
    return given == null || options.failOver().databasePool()
        ? given
        : new SessionDataSource(given, sessions);
  }
}
