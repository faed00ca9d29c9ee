package org.terrace.invocation.server;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives each call the database connection of its client's session, which closing gives back.
 * Outside of a call it opens a connection. Thread-safe.
 */
final class SessionDataSource implements DataSource {
  private static final ScopedValue<Long> CLIENT = ScopedValue.newInstance();

  private final DataSource database;
  private final ClientSessions sessions;

  /** The connections of these sessions. */
  public SessionDataSource(DataSource database, ClientSessions sessions) {
    this.database = database;
    this.sessions = sessions;
  }

  /** Runs work for a client. */
  public static <T> T runFor(long client, Callable<T> work) throws Exception {
    return ScopedValue.where(CLIENT, client).call(work::call);
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (!CLIENT.isBound()) {
      return database.getConnection();
    }
    ClientSession session = sessions.session(CLIENT.get());
    Connection own = session.lease(database);
    AtomicBoolean closed = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            SessionDataSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                if (closed.compareAndSet(false, true)) {
                  session.release();
                }
                return null;
              }
              try {
                return method.invoke(own, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("a session's connection has its user already");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return database.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return type.isInstance(this) ? type.cast(this) : database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || database.isWrapperFor(type);
  }
}
