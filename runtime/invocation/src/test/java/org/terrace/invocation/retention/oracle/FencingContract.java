package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.retention.PrimaryEpoch;
import org.terrace.invocation.retention.RetainedExecution;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/**
 * The fence between the calls of one epoch and those of the next, at every level of isolation of a
 * real database, and the mistake that it would be to read the epoch without a lock.
 *
 * <p>The epoch that fences is the database's. It is raised by the first call of a later epoch, and
 * until then a call of the earlier one is done: whoever reads a later epoch from the naming service
 * has not seen it in force yet.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FencingContract {
  private static final String SERVICE = "bank";

  /** No lease is renewed meanwhile: that changes a row which every call reads. */
  private static final RetentionOptions OPTIONS =
      RetentionOptions.defaults().withLease(Duration.ofMinutes(30), Duration.ofMinutes(1));

  /** The check reads what the transaction saw when it began: its snapshot. */
  private static final Map<String, String> WITHOUT_LOCK =
      Map.of(
          "WHERE e.service = of_service LOCK IN SHARE MODE",
          "WHERE e.service = of_service",
          "e.epoch = at_epoch FOR SHARE",
          "e.epoch = at_epoch");

  private TestDatabase database;
  private HikariDataSource pool;
  private PrimaryEpoch epochs;
  private static long lastClient;
  private long client;

  /** Starts the database. */
  abstract TestDatabase start() throws Exception;

  @BeforeAll
  void startDatabase() throws Exception {
    database = start();
    pool = database.pool(3);
    epochs = new PrimaryEpoch(pool);
  }

  @AfterAll
  void stopDatabase() {
    if (database != null) {
      pool.close();
      database.close();
    }
  }

  @BeforeEach
  void makeAccounts() throws SQLException {
    client = ++lastClient;
    DatabaseAccounts.create(pool);
  }

  private HikariDataSource poolAt(String isolation) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setMaximumPoolSize(3);
    config.setAutoCommit(false);
    config.setTransactionIsolation("TRANSACTION_" + isolation);
    return new HikariDataSource(config);
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
  void aCallIsDoneUntilALaterEpochIsInForceAndRefusedFromThenOn(String isolation)
      throws SQLException {
    try (HikariDataSource calls = poolAt(isolation);
        RetainedExecution former = execution(calls, 1);
        RetainedExecution next = execution(calls, 2)) {
      assertThat(add(former, 1).status()).isEqualTo(Status.RESULT);
      // The naming service may have told epoch 2 by now: no call of it has come yet.
      assertThat(add(former, 2).status()).isEqualTo(Status.RESULT);
      assertThat(epochs.current(SERVICE).orElseThrow().epoch()).isEqualTo(1);

      assertThat(add(next, 3).status()).isEqualTo(Status.RESULT);
      assertThat(epochs.current(SERVICE).orElseThrow().epoch()).isEqualTo(2);
      assertThat(add(former, 4).status()).isEqualTo(Status.NOT_PRIMARY);
      assertThat(balance()).isEqualTo(15);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ_COMMITTED", "REPEATABLE_READ"})
  void aCallUnderWayCannotCommitOnceALaterEpochIsInForce(String isolation) throws SQLException {
    aCallUnderWayIsRefusedAt(isolation);
  }

  /** The call has begun in epoch 1, and epoch 2 comes into force before it ends. */
  final void aCallUnderWayIsRefusedAt(String isolation) throws SQLException {
    try (HikariDataSource calls = poolAt(isolation);
        RetainedExecution former = execution(calls, 1)) {
      assertThat(add(former, 1).status()).isEqualTo(Status.RESULT);

      CallReply overtaken = addWhileTheEpochIsRaised(former);

      assertThat(overtaken.status()).isEqualTo(Status.NOT_PRIMARY);
      assertThat(balance()).isEqualTo(5);
      assertThat(number("SELECT count(*) FROM terrace_reply WHERE client = " + client))
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ_COMMITTED", "REPEATABLE_READ"})
  void aReplicaThatWasToldNoEpochYetIsOfTheEpochBeforeAllOthers(String isolation)
      throws SQLException {
    try (HikariDataSource calls = poolAt(isolation);
        RetainedExecution untold = execution(calls, 0)) {
      assertThat(add(untold, 1).status()).isEqualTo(Status.RESULT);

      assertThat(addWhileTheEpochIsRaised(untold).status()).isEqualTo(Status.NOT_PRIMARY);
      assertThat(add(untold, 3).status()).isEqualTo(Status.NOT_PRIMARY);
      assertThat(untold.epochSeen()).isEqualTo(2);
      assertThat(balance()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = "REPEATABLE_READ")
  void plantedACheckThatReadsItsSnapshotLetsTheCallUnderWayCommit(String isolation)
      throws SQLException {
    try (HikariDataSource calls = poolAt(isolation);
        RetainedExecution former = execution(RewrittenSql.in(calls, WITHOUT_LOCK), 1)) {
      assertThat(add(former, 1).status()).isEqualTo(Status.RESULT);

      CallReply overtaken = addWhileTheEpochIsRaised(former);

      assertThat(overtaken.status()).isEqualTo(Status.RESULT);
      assertThat(epochs.current(SERVICE).orElseThrow().epoch()).isEqualTo(2);
      assertThat(balance()).isEqualTo(10);
    }
  }

  private static RetainedExecution execution(DataSource calls, long epoch) {
    return RetainedExecution.open(calls, OPTIONS, () -> epoch);
  }

  private CallReply add(RetainedExecution execution, long sequence) {
    return execution.execute(request(sequence), this::addFive);
  }

  /** The next epoch comes into force when the work is done, before its transaction is ended. */
  private CallReply addWhileTheEpochIsRaised(RetainedExecution execution) {
    return execution.execute(
        request(2),
        connection -> {
          CallReply reply = addFive(connection);
          assertThat(epochs.raise(SERVICE, 2, "next")).isTrue();
          return reply;
        });
  }

  private CallReply addFive(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE account SET balance = balance + 5 WHERE id = 0");
    }
    return new CallReply(Status.RESULT, new byte[] {1});
  }

  private CallRequest request(long sequence) {
    return new CallRequest(
        SERVICE,
        "add",
        new RequestIdentity(client, sequence),
        1,
        1_000_000_000L,
        true,
        new byte[0]);
  }

  private long balance() throws SQLException {
    return number("SELECT balance FROM account WHERE id = 0");
  }

  private long number(String query) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(query)) {
      row.next();
      long number = row.getLong(1);
      connection.rollback();
      return number;
    }
  }
}
