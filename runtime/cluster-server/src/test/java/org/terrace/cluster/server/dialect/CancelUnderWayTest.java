package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.OtherThread;

/** The end of a statement while a request to give it up is on its way to the server. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CancelUnderWayTest {
  private static final long FOR_EVER_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final CompletableFuture<Void> asked = new CompletableFuture<>();
  private final CompletableFuture<Void> received = new CompletableFuture<>();

  /** The server would take it for the next statement on the connection. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStatementEndsAfterTheRequestToGiveItUp(boolean interrupted) throws SQLException {
    RunningStatements running = new RunningStatements(FOR_EVER_MILLIS);
    Statement statement = statement();
    running.begin(statement);
    Thread.startVirtualThread(() -> cancel(running));
    asked.join();
    CompletableFuture<Boolean> after = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread ending =
        Thread.startVirtualThread(() -> {
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
          running.end(statement);
          after.complete(received.isDone());
          flag.complete(Thread.interrupted());
        });
    OtherThread.await(() -> after.isDone() || ending.getState() == Thread.State.TIMED_WAITING);
    received.complete(null);

    assertThat(after.join()).as("it ended after the request").isTrue();
    assertThat(flag.join()).as("its thread is interrupted").isEqualTo(interrupted);
  }

  /** A statement whose request to give it up takes its time. */
  private Statement statement() {
    return (Statement)
        Proxy.newProxyInstance(
            Statement.class.getClassLoader(),
            new Class<?>[] {Statement.class},
            (proxy, method, _) ->
                switch (method.getName()) {
                  case "cancel" -> {
                    asked.complete(null);
                    yield received.join();
                  }
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static void cancel(RunningStatements running) {
    try {
      running.cancel();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
