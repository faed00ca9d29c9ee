package org.terrace.invocation.retention;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;
import org.terrace.testing.Await;

/** Calls against a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RetainedExecutionContract {
  private static final int COPIES = 8;

  /** No call here stands at its gate for so long, nor waits so long, on a busy machine either. */
  private static final RetentionOptions AT_LEISURE =
      RetentionOptions.defaults().withLimits(Duration.ofSeconds(30), Duration.ofSeconds(60));

  /** Less than the limit of idle transactions: who is answered so soon did not wait for that. */
  private static final Duration BEFORE_THE_LIMIT = Duration.ofSeconds(20);

  /** InnoDB shows its waiting transactions anew only if nobody has looked for 100 ms. */
  private static final long BETWEEN_LOOKS_MILLIS = 120;

  private TestDatabase database;
  private HikariDataSource pool;
  private static long lastClient;

  private final AtomicInteger executions = new AtomicInteger();
  private long client;
  private RetainedExecution execution;

  /** Starts the database. */
  abstract TestDatabase start() throws Exception;

  @BeforeAll
  void startDatabase() throws Exception {
    database = start();
    pool = database.pool(COPIES + 2);
  }

  @AfterAll
  void stopDatabase() {
    if (database != null) {
      pool.close();
      database.close();
    }
  }

  @BeforeEach
  void openExecution() throws Exception {
    client = ++lastClient;
    executions.set(0);
    execution = open(pool, "first");
    update("DROP TABLE IF EXISTS account");
    update("CREATE TABLE account (name varchar(9) PRIMARY KEY, balance bigint NOT NULL)");
    update("INSERT INTO account VALUES ('a', 0)");
  }

  private static RetainedExecution open(HikariDataSource pool, String self, String... silent) {
    return RetainedExecution.open(
        pool, AT_LEISURE, () -> RetainedExecution.UNFENCED, new Peers(self, () -> List.of(silent)));
  }

  @AfterEach
  void closeExecution() {
    if (execution != null) {
      execution.close();
    }
  }

  @Test
  void aRequestThatIsSentAgainGetsItsFirstReplyAndNoSecondEffect() throws Exception {
    CallReply first = execution.execute(request(1, "add 5"), this::addFive);
    CallReply second = execution.execute(request(1, "add 5"), this::addFive);

    assertThat(first.status()).isEqualTo(Status.RESULT);
    assertThat(text(second)).isEqualTo(text(first)).isEqualTo("5");
    assertThat(balance()).isEqualTo(5);
    assertThat(executions).hasValue(1);
    assertThat(execution.counts().repeated()).isEqualTo(1);
  }

  @Test
  void concurrentCopiesWaitForTheFirstAndGetItsReply() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<CallReply>> replies = new ArrayList<>();
      Callable<CallReply> copy =
          () ->
              execution.execute(
                  request(1, "add 5"),
                  connection -> {
                    started.countDown();
                    goOn.await();
                    return addFive(connection);
                  });
      replies.add(threads.submit(copy));
      started.await();
      for (int i = 1; i < COPIES; i++) {
        replies.add(threads.submit(copy));
      }
      awaitWaiters(COPIES - 1);
      goOn.countDown();

      for (Future<CallReply> reply : replies) {
        assertThat(text(reply.get())).isEqualTo("5");
      }
    }
    assertThat(executions).hasValue(1);
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void oneOfTheConcurrentCopiesTakesOverFromAFirstThatFails() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<CallReply> first =
          threads.submit(() ->
              execution.execute(
                  request(1, "add 5"),
                  connection -> {
                    addFive(connection);
                    started.countDown();
                    goOn.await();
                    throw new IllegalStateException("a bug");
                  }));
      started.await();
      List<Future<CallReply>> copies = new ArrayList<>();
      for (int i = 1; i < COPIES; i++) {
        copies.add(threads.submit(() -> execution.execute(request(1, "add 5"), this::addFive)));
      }
      awaitWaiters(COPIES - 1);
      goOn.countDown();

      assertThat(first.get().status()).isEqualTo(Status.ROLLED_BACK);
      assertThat(text(first.get())).contains("was rolled back").contains("a bug");
      for (Future<CallReply> copy : copies) {
        assertThat(text(copy.get())).isEqualTo("5");
      }
    }
    assertThat(executions).hasValue(2);
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void anotherPayloadUnderAKnownIdentityIsRejected() throws Exception {
    execution.execute(request(1, "add 5"), this::addFive);
    CallReply other = execution.execute(request(1, "add 6"), this::addFive);

    assertThat(other.status()).isEqualTo(Status.REJECTED);
    assertThat(text(other)).contains("other arguments");
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void aRefusalLeavesNoEffectAndIsRepeatedLikeAResult() throws Exception {
    Execution.Executable refusing =
        connection -> {
          addFive(connection);
          return new CallReply(Status.REFUSED, "full".getBytes(StandardCharsets.UTF_8));
        };
    CallReply first = execution.execute(request(1, "add 5"), refusing);
    CallReply second = execution.execute(request(1, "add 5"), this::addFive);

    assertThat(first.status()).isEqualTo(Status.REFUSED);
    assertThat(second.status()).isEqualTo(Status.REFUSED);
    assertThat(text(second)).isEqualTo("full");
    assertThat(balance()).isZero();
  }

  @Test
  void anErrorRollsBackAndTheSameIdentityMayBeSentAgain() throws Exception {
    CallReply failed =
        execution.execute(
            request(1, "add 5"),
            connection -> {
              addFive(connection);
              throw new SQLException("division by zero", "22012");
            });
    assertThat(failed.status()).isEqualTo(Status.ROLLED_BACK);
    assertThat(balance()).isZero();

    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"08006", "45001", "45002", "45003", "TR001", "TR002"})
  void anExceptionOfTheMethodsOwnMakingRollsBackWhateverItsState(String state) throws Exception {
    Execution.Executable throwing =
        connection -> {
          addFive(connection);
          throw new SQLException("no such seat", state);
        };
    CallReply failed = execution.execute(request(1, "add 5"), throwing);

    assertThat(failed.status()).as(text(failed)).isEqualTo(Status.ROLLED_BACK);
    assertThat(text(failed)).contains("no such seat");
    assertThat(executions).hasValue(1);
    assertThat(balance()).isZero();
    assertThat(execution.read(request(2, "read"), throwing).status()).isEqualTo(Status.ROLLED_BACK);
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
  }

  @Test
  void aConnectionThatBreaksUnderTheMethodIsTheDatabasesFault() throws Exception {
    Execution.Executable broken =
        connection -> {
          addFive(connection);
          connection.abort(Runnable::run);
          return addFive(connection);
        };

    CallReply failed = execution.execute(request(1, "add 5"), broken);

    assertThat(failed.status()).as(text(failed)).isEqualTo(Status.UNAVAILABLE);
    assertThat(execution.read(request(2, "read"), broken).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void whatAMethodCommittedItselfIsNeverSaidToBeRolledBack() throws Exception {
    CallReply first =
        execution.execute(
            request(1, "add 5"),
            connection -> {
              addFive(connection);
              connection.commit();
              throw new IllegalStateException("a bug");
            });
    CallReply copy = execution.execute(request(1, "add 5"), this::addFive);

    assertThat(first.status()).as(text(first)).isEqualTo(Status.IN_DOUBT);
    assertThat(copy.status()).as(text(copy)).isEqualTo(Status.IN_DOUBT);
    assertThat(text(copy)).contains("committed").contains("itself");
    assertThat(executions).hasValue(1);
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void anExceptionOfAnyKindOnceTheCommitIsUnderWayLeavesTheCallInDoubt() throws Exception {
    try (RetainedExecution failing =
        RetainedExecution.open(
            ThrowingAfter.statement(pool, "terrace_retain"),
            RetentionOptions.defaults(),
            () -> RetainedExecution.UNFENCED)) {
      CallReply first = failing.execute(request(1, "add 5"), this::addFive);

      assertThat(first.status()).as(text(first)).isEqualTo(Status.IN_DOUBT);
    }
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
    assertThat(executions).hasValue(1);
  }

  @Test
  void aConnectionThatCannotBeGivenBackChangesNoReply() throws Exception {
    try (RetainedExecution failing =
        RetainedExecution.open(
            ThrowingAfter.close(pool, () -> executions.get() > 0),
            RetentionOptions.defaults(),
            () -> RetainedExecution.UNFENCED)) {
      assertThat(text(failing.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
    }
    assertThat(executions).hasValue(1);
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void aReadIsNotRetainedAndCannotWrite() throws Exception {
    CallReply read = execution.read(request(1, "read"), this::addFive);
    assertThat(text(read)).isEqualTo("5");
    assertThat(balance()).isZero();
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
  }

  @Test
  void aWarmUpLeavesNeitherEffectNorReplyNorClient() throws Exception {
    for (int sequence = 1; sequence <= 5; sequence++) {
      CallReply reply = execution.warmUp(request(sequence, "add 5"), this::addFive);

      assertThat(reply.status()).as(text(reply)).isEqualTo(Status.RESULT);
    }

    assertThat(executions).hasValue(5);
    assertThat(balance()).isZero();
    assertThat(number("SELECT count(*) FROM terrace_reply WHERE client = " + client)).isZero();
    assertThat(number("SELECT count(*) FROM terrace_client WHERE client = " + client)).isZero();
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
  }

  @Test
  void workAfterItsTransactionWasRolledBackUnderItCommitsNothingWithoutAReply() throws Exception {
    CallReply first =
        execution.execute(
            request(1, "add 5"),
            connection -> {
              if (executions.get() == 0) {
                // As InnoDB does with the victim of a deadlock, key included.
                connection.rollback();
              }
              return addFive(connection);
            });
    CallReply copy = execution.execute(request(1, "add 5"), this::addFive);

    assertThat(first.status()).as(text(first)).isEqualTo(Status.RESULT);
    assertThat(text(copy)).isEqualTo(text(first));
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void workWhoseKeyWasLostToACopyIsRolledBackAndAnsweredWithTheCopysReply() throws Exception {
    AtomicReference<CallReply> copy = new AtomicReference<>();
    CallReply first =
        execution.execute(
            request(1, "add 5"),
            connection -> {
              connection.rollback();
              copy.set(execution.execute(request(1, "add 5"), this::addFive));
              return addFive(connection);
            });

    assertThat(copy.get().status()).as(text(copy.get())).isEqualTo(Status.RESULT);
    assertThat(first.status()).as(text(first)).isEqualTo(Status.RESULT);
    assertThat(text(first)).isEqualTo("5");
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
    assertThat(balance()).isEqualTo(5);
  }

  @Test
  void aDeadlockThatTheWorkDoesNotPassOnTakesEffectOnce() throws Exception {
    update("INSERT INTO account VALUES ('b', 0)");
    CountDownLatch holdsB = new CountDownLatch(1);
    CountDownLatch holdsA = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> other =
          threads.submit(() -> {
            try (Connection connection = pool.getConnection();
                var statement = connection.createStatement()) {
              // Who has changed more is not the victim.
              statement.executeUpdate("INSERT INTO account VALUES ('c', 0), ('d', 0), ('e', 0)");
              statement.executeUpdate("UPDATE account SET balance = 1 WHERE name = 'b'");
              holdsB.countDown();
              holdsA.await();
              statement.executeUpdate("UPDATE account SET balance = balance WHERE name = 'a'");
              connection.commit();
            } catch (SQLException victim) {
              // PostgreSQL rolls back who found out that they wait in a circle.
            }
            return null;
          });
      holdsB.await();
      CallReply first =
          execution.execute(
              request(1, "add 5"),
              connection -> {
                CallReply reply = addFive(connection);
                try (var statement = connection.createStatement()) {
                  if (executions.get() == 1) {
                    holdsA.countDown();
                    awaitWaiters(1);
                  }
                  statement.executeUpdate("UPDATE account SET balance = 2 WHERE name = 'b'");
                } catch (SQLException swallowed) {
                  return reply;
                }
                return reply;
              });
      other.get();
      assertThat(balance()).isEqualTo(first.status() == Status.RESULT ? 5 : 0);
      CallReply copy = execution.execute(request(1, "add 5"), this::addFive);

      assertThat(first.status()).as(text(first)).isIn(Status.RESULT, Status.ROLLED_BACK);
      assertThat(copy.status()).isEqualTo(Status.RESULT);
      assertThat(balance()).isEqualTo(5);
    }
  }

  @Test
  void anErrorOfTheMethodRollsBackAndIsAReply() throws Exception {
    CallReply failed =
        execution.execute(
            request(1, "add 5"),
            connection -> {
              addFive(connection);
              throw new StackOverflowError();
            });

    assertThat(failed.status()).isEqualTo(Status.ROLLED_BACK);
    assertThat(balance()).isZero();
    assertThat(text(execution.execute(request(1, "add 5"), this::addFive))).isEqualTo("5");
  }

  @Test
  void aTransactionThatStandsStillIsEndedForACallThatWaitsAndASilentReplica() throws Exception {
    assertThat(execution.execute(request(1, "add 5"), this::addFive).status())
        .isEqualTo(Status.RESULT);
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        RetainedExecution other = open(pool, "second", "first")) {
      Future<CallReply> stopped =
          threads.submit(() ->
              execution.execute(
                  request(2, "add 5"),
                  connection -> {
                    CallReply reply = addFive(connection);
                    started.countDown();
                    goOn.await();
                    return reply;
                  }));
      started.await();
      long start = TimeSource.system().elapsedNanos();
      CallReply copy = other.execute(request(2, "add 5"), this::addFive);
      long elapsedNanos = TimeSource.system().elapsedNanos() - start;
      goOn.countDown();

      System.out.printf("answered after %.0f ms%n", elapsedNanos / 1e6);
      assertThat(text(copy)).isEqualTo("10");
      assertThat(Duration.ofNanos(elapsedNanos)).isLessThan(BEFORE_THE_LIMIT);
      assertThat(stopped.get().status()).isNotEqualTo(Status.RESULT);
      assertThat(balance()).isEqualTo(10);
    }
  }

  @Test
  void callsThatWaitInAllConnectionsOfAPoolDoNotKeepTheTransactionsFromBeingEnded()
      throws Exception {
    int copies = 4;
    CountDownLatch started = new CountDownLatch(copies);
    CountDownLatch goOn = new CountDownLatch(1);
    try (HikariDataSource others = database.pool(copies);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        RetainedExecution other = open(others, "second", "first")) {
      Execution.Executable nothing = connection -> new CallReply(Status.RESULT, new byte[] {1});
      List<Future<CallReply>> stopped = new ArrayList<>();
      for (int sequence = 1; sequence <= copies; sequence++) {
        CallRequest request = request(sequence, "nothing");
        stopped.add(
            threads.submit(() ->
                execution.execute(
                    request,
                    connection -> {
                      started.countDown();
                      goOn.await();
                      return nothing.run(connection);
                    })));
      }
      started.await();
      long start = TimeSource.system().elapsedNanos();
      List<Future<CallReply>> replies = new ArrayList<>();
      for (int sequence = 1; sequence <= copies; sequence++) {
        CallRequest request = request(sequence, "nothing");
        replies.add(threads.submit(() -> other.execute(request, nothing)));
        if (sequence == 2) {
          awaitReserved(others, replies);
        }
      }
      for (Future<CallReply> reply : replies) {
        assertThat(reply.get().status()).isEqualTo(Status.RESULT);
      }
      long elapsedNanos = TimeSource.system().elapsedNanos() - start;
      goOn.countDown();

      System.out.printf("all answered after %.0f ms%n", elapsedNanos / 1e6);
      assertThat(Duration.ofNanos(elapsedNanos)).isLessThan(BEFORE_THE_LIMIT);
      for (Future<CallReply> each : stopped) {
        assertThat(each.get().status()).isNotEqualTo(Status.RESULT);
      }
    }
  }

  /**
   * Waits until the two calls under way made the watch keep a connection. Calls that all come in
   * one moment may take it, too, and are then left to the limit of idle transactions.
   */
  private static void awaitReserved(HikariDataSource pool, List<Future<CallReply>> two) {
    assertThat(
            Await.until(
                Duration.ofSeconds(10),
                () ->
                    pool.getHikariPoolMXBean().getActiveConnections() > two.size()
                        || two.stream().anyMatch(Future::isDone)))
        .as("the watch keeps a connection")
        .isTrue();
  }

  @Test
  void aTransactionThatStandsStillIsLeftToItsLimitUnlessItsOwnReplicaIsSilent() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        RetainedExecution other = open(pool, "second", "third")) {
      Future<CallReply> slow =
          threads.submit(() ->
              execution.execute(
                  request(1, "add 5"),
                  connection -> {
                    CallReply reply = addFive(connection);
                    started.countDown();
                    goOn.await(800, TimeUnit.MILLISECONDS);
                    return reply;
                  }));
      started.await();
      CallReply copy = other.execute(request(1, "add 5"), this::addFive);

      assertThat(slow.get().status()).isEqualTo(Status.RESULT);
      assertThat(text(copy)).isEqualTo("5");
      assertThat(executions).hasValue(1);
    }
  }

  @Test
  void theTransactionOfAnotherApplicationIsLeftAlone() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection another = pool.getConnection();
        var statement = another.createStatement();
        RetainedExecution other = open(pool, "second", "first")) {
      statement.execute("UPDATE account SET balance = 1");
      Future<CallReply> waiting =
          threads.submit(() -> other.execute(request(1, "add 5"), this::addFive));
      assertThat(free.await(400, TimeUnit.MILLISECONDS)).isFalse();
      another.commit();

      assertThat(text(waiting.get())).isEqualTo("6");
    }
  }

  @Test
  void anEpochBeyondTheReplicasIsSeen() throws Exception {
    assertThat(new PrimaryEpoch(pool).raise("bank", 7, "old")).isTrue();
    try (RetainedExecution behind =
        RetainedExecution.open(pool, RetentionOptions.defaults(), () -> 1)) {
      CallReply refused = behind.execute(request(1, "add 5"), this::addFive);

      assertThat(refused.status()).isEqualTo(Status.NOT_PRIMARY);
      assertThat(behind.epochSeen()).isEqualTo(7);
    } finally {
      update("DELETE FROM terrace_epoch");
    }
  }

  @Test
  void aClientWhoseLeaseIsOverIsToldSo() throws Exception {
    assertThat(execution.execute(request(1, "add 5"), this::addFive).status())
        .isEqualTo(Status.RESULT);
    update("UPDATE terrace_client SET watermark = " + Long.MAX_VALUE + " WHERE client = " + client);

    assertThat(execution.execute(request(2, "add 5"), this::addFive).status())
        .isEqualTo(Status.FORGOTTEN);
    assertThat(balance()).isEqualTo(5);
  }

  private CallReply addFive(Connection connection) throws SQLException {
    executions.incrementAndGet();
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE account SET balance = balance + 5 WHERE name = 'a'");
      try (var row = statement.executeQuery("SELECT balance FROM account WHERE name = 'a'")) {
        row.next();
        return new CallReply(Status.RESULT, row.getString(1).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private CallRequest request(long sequence, String arguments) {
    return new CallRequest(
        "bank",
        "change",
        new RequestIdentity(client, sequence),
        1,
        1_000_000_000L,
        true,
        arguments.getBytes(StandardCharsets.UTF_8));
  }

  private void awaitWaiters(int waiters) throws SQLException, InterruptedException {
    while (number(database.countWaiting()) < waiters) {
      new CountDownLatch(1).await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private long balance() throws SQLException {
    return number("SELECT balance FROM account WHERE name = 'a'");
  }

  private long number(String query) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(query)) {
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

  private static String text(CallReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }
}
