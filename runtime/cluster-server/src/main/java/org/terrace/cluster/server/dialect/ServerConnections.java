package org.terrace.cluster.server.dialect;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.connection.ServerSession;
import org.terrace.cluster.server.connection.SessionActivity;
import org.terrace.cluster.server.connection.TrackedConnection;
import org.terrace.cluster.sql.Engine;

/**
 * The connections to one server. A server that works lets its client wait for as long as it likes;
 * one whose answer is lost on its way, or that never got the request, says over another connection
 * that it has nothing to do. Thread-safe.
 */
public final class ServerConnections implements DataSource {
  /** A server is asked so often within the limit, once half of it is over. */
  private static final int ANSWERS_IN_LIMIT = 2 * (TrackedConnection.QUIET_ANSWERS - 1);

  /** The real driver. */
  @FunctionalInterface
  public interface Way {
    /** A new connection. */
    Connection open() throws SQLException;
  }

  private final EngineDialect dialect;
  private final ServerSessions sessions;
  private final Way way;
  private final long limitNanos;
  private final Set<TrackedConnection> tracked = ConcurrentHashMap.newKeySet();
  private final Set<ServerSession> left = ConcurrentHashMap.newKeySet();
  private long askedNanos;

  /**
   * The connections to a server to which there is none yet.
   *
   * @param limit for so long must a call wait, and its server have nothing to do for it
   */
  public ServerConnections(Engine engine, Way way, Duration limit) {
    this.dialect = EngineDialect.of(engine);
    this.sessions = ServerSessions.of(engine);
    this.way = way;
    this.limitNanos = limit.toNanos();
  }

  @Override
  public Connection getConnection() throws SQLException {
    tracked.removeIf(TrackedConnection::isClosed);
    Connection real = way.open();
    try {
      TrackedConnection connection = new TrackedConnection(real, session(real));
      tracked.add(connection);
      return connection.connection(() -> tracked.remove(connection));
    } catch (SQLException | RuntimeException e) {
      real.close();
      throw e;
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  private @Nullable ServerSession session(Connection real) throws SQLException {
    // It is not among those that are watched yet.
    int before = real.getNetworkTimeout();
    real.setNetworkTimeout(Runnable::run, Math.toIntExact(limitNanos / 1_000_000));
    try {
      return sessions.of(real).orElse(null);
    } finally {
      real.setNetworkTimeout(Runnable::run, before);
    }
  }

  /**
   * Cuts each connection that has waited for the limit while its server had nothing to do for it;
   * asks the server if some may. Its session, and those that were left when all were cut, are
   * ended: a server does not learn that the way to its client is lost, and would keep what they
   * have locked. To be called several times within the limit.
   *
   * @param asking another connection to the server, whose calls do not count among these
   * @throws SQLException if the server cannot be asked
   */
  public synchronized void cutSilent(Connection asking, long nowNanos) throws SQLException {
    endLeft(asking);
    List<TrackedConnection> watched =
        tracked.stream().filter(one -> one.isToAsk(nowNanos, limitNanos / 2)).toList();
    if (watched.isEmpty() || nowNanos - askedNanos < limitNanos / ANSWERS_IN_LIMIT) {
      return;
    }
    askedNanos = nowNanos;
    List<ServerSession> known = watched.stream().flatMap(one -> one.session().stream()).toList();
    Map<ServerSession, SessionActivity> told = sessions.activities(asking, known).orElse(Map.of());
    for (TrackedConnection one : watched) {
      SessionActivity activity = one.session().map(told::get).orElse(null);
      if (activity != null && one.isSilent(activity, nowNanos)) {
        tracked.remove(one);
        one.tellSilence(nowNanos);
        one.session().ifPresent(left::add);
        try {
          // Whoever is told that it is cut has the server taken out, and so nobody to ask.
          endLeft(asking);
        } finally {
          // A driver may first ask the server to end something.
          Thread.startVirtualThread(one::cut);
        }
      }
    }
  }

  private void endLeft(Connection asking) throws SQLException {
    Set<ServerSession> ending = Set.copyOf(left);
    if (ending.isEmpty()) {
      return;
    }
    Map<ServerSession, SessionActivity> told = sessions.activities(asking, ending).orElse(Map.of());
    for (Map.Entry<ServerSession, SessionActivity> each : told.entrySet()) {
      if (each.getValue() != SessionActivity.ABSENT) {
        end(asking, each.getKey());
      }
    }
    left.removeAll(ending);
  }

  private void end(Connection asking, ServerSession session) throws SQLException {
    try (Statement statement = asking.createStatement()) {
      statement.execute(dialect.endSession(Long.toString(session.number())));
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.LOST) {
        throw e;
      }
      // It has ended meanwhile.
    }
  }

  /**
   * Cuts all, and returns once they are cut. A driver may ask the server to end a query first, over
   * a connection of its own: at a server that hangs that takes until connecting is given up, once
   * for all of them.
   */
  public void cut() {
    Set<TrackedConnection> cutting = Set.copyOf(tracked);
    tracked.removeAll(cutting);
    cutting.forEach(one -> one.session().ifPresent(left::add));
    try (ExecutorService cuts = Executors.newVirtualThreadPerTaskExecutor()) {
      cutting.forEach(one -> cuts.execute(one::cut));
    }
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter writer) {}

  /** Does nothing: the properties of the driver bound it. */
  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("There is none.", SqlStates.NOT_SUPPORTED);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("It is no " + type.getName() + ".", SqlStates.NOT_SUPPORTED);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
