package org.terrace.cluster.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The judgement of a connection by what its server says of it, call by call. */
class TrackedConnectionTest {
  private static final long LIMIT_NANOS = 10;

  private long nowNanos = 1;

  @Test
  void aSessionThatWasNeverListedIsNotGone() throws SQLException {
    TrackedConnection connection = connection(new ServerSession(7, "born"));

    assertThat(waiting(connection, () -> isFoundSilent(connection, SessionActivity.ABSENT)))
        .isFalse();
  }

  @Test
  void aSessionThatWasListedIsGone() throws SQLException {
    TrackedConnection connection = connection(new ServerSession(7, "born"));
    assertThat(connection.isToAsk(nowNanos, LIMIT_NANOS)).as("one that is new").isTrue();
    assertThat(connection.isSilent(SessionActivity.WAITS, nowNanos)).isFalse();
    assertThat(connection.isToAsk(nowNanos, LIMIT_NANOS)).as("one at rest").isFalse();

    assertThat(waiting(connection, () -> isFoundSilent(connection, SessionActivity.ABSENT)))
        .isTrue();
  }

  @Test
  void nothingIsAskedOfASessionThatIsNotKnown() throws SQLException {
    TrackedConnection connection = connection(null);

    assertThat(waiting(connection, () -> isFoundSilent(connection, SessionActivity.WAITS)))
        .isFalse();
  }

  /** A driver asks the server for what it describes, and for the number of an array's type. */
  @Test
  void callsThatDescribeMayWait() throws SQLException {
    AtomicReference<TrackedConnection> tracked = new AtomicReference<>();
    List<String> waited = new ArrayList<>();
    InvocationHandler server =
        new InvocationHandler() {
          @Override
          public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) {
            if (method.getReturnType() == PreparedStatement.class) {
              return standIn(PreparedStatement.class, this);
            }
            if (isFoundSilent(tracked.get(), SessionActivity.WAITS)) {
              waited.add(method.getName());
            }
            return null;
          }
        };
    tracked.set(
        new TrackedConnection(standIn(Connection.class, server), new ServerSession(7, "born")));
    Connection connection = tracked.get().connection(() -> {});
    PreparedStatement statement = connection.prepareStatement("SELECT 1");

    statement.getMetaData();
    statement.getParameterMetaData();
    connection.createArrayOf("int", new Object[0]);
    statement.getWarnings();

    assertThat(waited).containsExactly("getMetaData", "getParameterMetaData", "createArrayOf");
  }

  private static <T> T standIn(Class<T> type, InvocationHandler server) {
    return type.cast(
        Proxy.newProxyInstance(
            TrackedConnectionTest.class.getClassLoader(), new Class<?>[] {type}, server));
  }

  /** Whether it counts as silent after as many answers as it takes, all of them the same. */
  private boolean isFoundSilent(TrackedConnection connection, SessionActivity activity) {
    boolean silent = false;
    for (int i = 0; i <= TrackedConnection.QUIET_ANSWERS; i++) {
      nowNanos += LIMIT_NANOS;
      if (connection.isToAsk(nowNanos, LIMIT_NANOS)) {
        silent = connection.isSilent(activity, nowNanos);
      }
    }
    return silent;
  }

  /** The answers found while a call waits. */
  private static boolean waiting(TrackedConnection connection, BooleanSupplier found)
      throws SQLException {
    return connection.<Boolean, SQLException>during(found::getAsBoolean);
  }

  private static TrackedConnection connection(@Nullable ServerSession session) {
    Connection real =
        standIn(
            Connection.class,
            (_, method, _) -> {
              throw new AssertionError(method);
            });
    return new TrackedConnection(real, session);
  }
}
