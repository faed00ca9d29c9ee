package org.terrace.cluster.jdbc.session;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.FreshnessToken;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.ResultSetHandler;

/**
 * The metadata of a cluster: those of one of its replicas, which are equal, but for what tells of
 * the connection. Each call takes a connection of its own.
 */
final class MetaDataHandler implements InvocationHandler {
  private final ClusterConnection connection;

  private MetaDataHandler(ClusterConnection connection) {
    this.connection = connection;
  }

  static DatabaseMetaData of(ClusterConnection connection) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            MetaDataHandler.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            new MetaDataHandler(connection));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    DatabaseCluster cluster = connection.session().cluster();
    return switch (method.getName()) {
      case "getConnection" -> connection;
      case "getURL" -> cluster.configuration().url();
      case "getDriverName" -> "Terrace";
      case "supportsStoredProcedures" -> false;
      case "supportsTransactionIsolationLevel" ->
          arguments != null && arguments[0].equals(Connection.TRANSACTION_READ_COMMITTED);
      case "equals" -> ResultSetHandler.isSame(proxy, arguments);
      case "hashCode" -> System.identityHashCode(proxy);
      default -> ask(cluster, method, arguments);
    };
  }

  private @Nullable Object ask(
      DatabaseCluster cluster, Method method, Object @Nullable [] arguments) throws Throwable {
    int number = cluster.chooseForRead(FreshnessToken.NONE);
    ReplicaServer replica = cluster.replica(number);
    long cuts = replica.cuts();
    Connection real;
    try {
      real = replica.borrow();
    } catch (SQLException e) {
      cluster.balancer().done(number);
      if (FailureKind.of(e) == FailureKind.LOST) {
        cluster.watch().failed(number, cuts, e);
      }
      throw e;
    }
    Runnable release =
        () -> {
          cluster.balancer().done(number);
          replica.giveBack(real);
        };
    boolean handedOn = false;
    try {
      Object answer = ResultSetHandler.call(real.getMetaData(), method, arguments);
      if (answer instanceof ResultSet rows) {
        handedOn = true;
        return ResultSetHandler.of(rows, null, new OnceRunnable(release));
      }
      return answer;
    } finally {
      if (!handedOn) {
        release.run();
      }
    }
  }
}
