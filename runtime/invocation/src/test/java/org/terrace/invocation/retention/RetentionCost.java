package org.terrace.invocation.retention;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.Arrays;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/**
 * The cost that retention adds to a transaction of one update: a program that prints the median and
 * 99th percentile of calls without and with it, in turn, on both databases: {@code RetentionCost
 * CALLS}.
 */
final class RetentionCost {
  private static final int BLOCKS = 10;
  private static final int REPLY_BYTES = 256;
  private static final long CLIENT = 42;

  private RetentionCost() {}

  public static void main(String[] arguments) throws Exception {
    int calls = Integer.parseInt(arguments[0]);
    try (TestDatabase database = PostgresDatabase.start()) {
      measure("PostgreSQL", database, calls);
    }
    try (TestDatabase database = MariaDbDatabase.start()) {
      measure("MariaDB", database, calls);
    }
  }

  private static void measure(String name, TestDatabase database, int calls) throws Exception {
    try (HikariDataSource pool = database.pool(2)) {
      try (Connection connection = pool.getConnection();
          var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)");
        statement.execute("INSERT INTO account VALUES (1, 0)");
        connection.commit();
      }
      try (Execution without = new Plain(pool);
          Execution with =
              RetainedExecution.open(
                  pool, RetentionOptions.defaults(), () -> RetainedExecution.UNFENCED);
          Execution fenced = RetainedExecution.open(pool, RetentionOptions.defaults(), () -> 1)) {
        long[][] nanos = new long[3][calls];
        Execution[] executions = {without, with, fenced};
        long sequence = 0;
        for (int warmUp = 1; warmUp >= 0; warmUp--) {
          for (int i = 0; i < calls; i++) {
            int turn = i * BLOCKS / calls;
            for (int each = 0; each < executions.length; each++) {
              int kind = (each + turn) % executions.length;
              nanos[kind][i] = nanosOf(executions[kind], ++sequence);
            }
          }
        }
        String[] kinds = {"without", "with", "with epoch"};
        for (int kind = 0; kind < kinds.length; kind++) {
          Arrays.sort(nanos[kind]);
          System.out.printf(
              "%s, %s retention: p50 %d us, p99 %d us%n",
              name,
              kinds[kind],
              nanos[kind][calls / 2] / 1000,
              nanos[kind][calls * 99 / 100] / 1000);
        }
      }
    }
  }

  private static long nanosOf(Execution execution, long sequence) {
    CallRequest request =
        new CallRequest(
            "bank",
            "change",
            new RequestIdentity(CLIENT, sequence),
            sequence,
            1_000_000_000L,
            true,
            new byte[16]);
    long began = TimeSource.system().elapsedNanos();
    CallReply reply =
        execution.execute(
            request,
            connection -> {
              try (var update =
                  connection.prepareStatement(
                      "UPDATE account SET balance = balance + 1 WHERE id = ?")) {
                update.setInt(1, 1);
                update.executeUpdate();
              }
              return new CallReply(Status.RESULT, new byte[REPLY_BYTES]);
            });
    if (reply.status() != Status.RESULT) {
      throw new IllegalStateException(
          new String(reply.body(), java.nio.charset.StandardCharsets.UTF_8));
    }
    return TimeSource.system().elapsedNanos() - began;
  }

  /** A transaction of the call alone, retaining nothing. */
  private record Plain(HikariDataSource pool) implements Execution {
    @Override
    public CallReply execute(CallRequest request, Executable work) {
      try (Connection connection = pool.getConnection()) {
        CallReply reply = work.run(connection);
        connection.commit();
        return reply;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public CallReply read(CallRequest request, Executable work) {
      return execute(request, work);
    }

    @Override
    public void close() {}
  }
}
