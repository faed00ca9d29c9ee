package org.terrace.invocation.retention;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/** A primary that is really stopped in the middle of a call, and wakes up when it is none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoppedPrimaryContract {
  private static final String ADD = "UPDATE account SET balance = balance + 5";
  private static final int SHORT_IDLE_MILLIS = 3_000;
  private static final int LONG_IDLE_MILLIS = 60_000;

  /** The wait of the new primary for a lock, if nobody ended the transaction that holds it. */
  private static final Duration LOCK_LIMIT = Duration.ofMinutes(1);

  /** Far less than the limit of the wait, and far more than that of the idle transaction. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private TestDatabase database;
  private HikariDataSource pool;
  private static long lastClient;

  private long client;
  private ChildProcess primary;

  /** Starts the database. */
  abstract TestDatabase start() throws Exception;

  /** The states in which the call of a primary ends whose transaction the database has ended. */
  abstract List<String> endsWhenEndedByTheDatabase();

  @BeforeAll
  void startDatabase() throws Exception {
    database = start();
    pool = database.pool(4);
  }

  @AfterAll
  void stopDatabase() {
    if (database != null) {
      pool.close();
      database.close();
    }
  }

  @BeforeEach
  void makeAccount() throws SQLException {
    client = ++lastClient;
    update("DROP TABLE IF EXISTS account, terrace_epoch");
    update("CREATE TABLE account (balance bigint NOT NULL)");
    update("INSERT INTO account VALUES (0)");
  }

  @AfterEach
  void endPrimary() {
    if (primary != null) {
      primary.close();
    }
  }

  @Test
  void itHoldsItsLocksNoLongerThanTheIdleLimitAndItsCallIsRolledBack() throws Exception {
    RetentionOptions patient =
        RetentionOptions.defaults().withLimits(Duration.ofMillis(LONG_IDLE_MILLIS), LOCK_LIMIT);
    BufferedReader output;
    try (RetainedExecution newPrimary = RetainedExecution.open(pool, patient, () -> 2)) {
      output = startPrimary(SHORT_IDLE_MILLIS, ADD);
      primary.signal("STOP");
      long stoppedNanos = TimeSource.system().elapsedNanos();

      CallReply reply = executeAt(newPrimary);

      assertThat(Duration.ofNanos(TimeSource.system().elapsedNanos() - stoppedNanos))
          .isLessThan(LONGEST_WAIT);
      assertThat(reply.status()).isEqualTo(Status.RESULT);
    }
    primary.signal("CONT");
    goOn();
    assertThat(output.readLine().split(" ", 2)[0]).isIn(endsWhenEndedByTheDatabase());
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void itCannotCommitWhenItWakesUpInAnEpochThatIsOver() throws Exception {
    BufferedReader output = startPrimary(LONG_IDLE_MILLIS, "INSERT INTO account VALUES (100)");
    primary.signal("STOP");

    assertThat(new PrimaryEpoch(pool).raise(StoppedPrimary.SERVICE, 2, "second")).isTrue();

    primary.signal("CONT");
    goOn();
    assertThat(output.readLine()).startsWith("NOT_PRIMARY").contains("Epoch 1");
    assertThat(balance()).isZero();
  }

  private BufferedReader startPrimary(int idleMillis, String sql) throws Exception {
    primary =
        ChildProcess.start(
            new ProcessBuilder(
                    JavaCommand.of(
                        List.of("-XX:TieredStopAtLevel=1"),
                        StoppedPrimary.class,
                        database.url(),
                        database.user(),
                        String.valueOf(client),
                        String.valueOf(idleMillis),
                        sql))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    BufferedReader output = primary.output();
    assertThat(primary.awaitLine("working"::equals)).isEqualTo("working");
    return output;
  }

  private CallReply executeAt(RetainedExecution execution) {
    return execution.execute(
        new CallRequest(
            StoppedPrimary.SERVICE,
            "change",
            new RequestIdentity(-client, 1),
            1,
            1_000_000_000L,
            true,
            new byte[0]),
        connection -> {
          try (var statement = connection.createStatement()) {
            statement.execute(ADD);
          }
          return new CallReply(Status.RESULT, new byte[] {1});
        });
  }

  private void goOn() throws Exception {
    primary.process().getOutputStream().write('\n');
    primary.process().getOutputStream().flush();
  }

  private long balance() throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT sum(balance) FROM account")) {
      row.next();
      return row.getLong(1);
    }
  }

  private void update(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
      connection.commit();
    }
  }
}
