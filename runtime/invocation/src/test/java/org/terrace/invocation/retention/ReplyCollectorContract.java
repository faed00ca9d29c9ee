package org.terrace.invocation.retention;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;
import org.terrace.testing.Await;

/** Replies that go, against a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReplyCollectorContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final RetentionOptions OPTIONS =
      RetentionOptions.defaults().withLease(Duration.ofHours(1), INTERVAL);
  private static final byte[] NO_ARGUMENTS = {};

  /** A number of rows that no statement of a collection may exceed. */
  private static final int SMALL = 1_000;

  private TestDatabase database;
  private HikariDataSource pool;
  private static long lastClient;

  private long client;
  private final AtomicInteger executions = new AtomicInteger();
  private RetainedExecution execution;

  /** Starts the database. */
  abstract TestDatabase start() throws Exception;

  @BeforeAll
  void startDatabase() throws Exception {
    database = start();
    pool = database.pool(5);
  }

  @AfterAll
  void stopDatabase() {
    if (database != null) {
      pool.close();
      database.close();
    }
  }

  @BeforeEach
  void openExecution() {
    client = ++lastClient;
    executions.set(0);
    execution = RetainedExecution.open(pool, OPTIONS, () -> RetainedExecution.UNFENCED);
  }

  @AfterEach
  void closeExecution() {
    execution.close();
  }

  @Test
  void acknowledgedRepliesAreDeletedAndTheirLateCopiesRefused() throws Exception {
    for (long sequence = 1; sequence <= 10; sequence++) {
      assertThat(execute(sequence, 1).status()).isEqualTo(Status.RESULT);
    }
    assertThat(replies()).isEqualTo(10);

    execute(11, 11);
    awaitReplies(1);

    CallReply late = execute(3, 1);
    assertThat(late.status()).isEqualTo(Status.REJECTED);
    assertThat(new String(late.body(), java.nio.charset.StandardCharsets.UTF_8))
        .contains("acknowledged");
    assertThat(executions).hasValue(11);
    assertThat(execute(11, 11).status()).isEqualTo(Status.RESULT);
    assertThat(execution.counts().collectedReplies()).isEqualTo(10);
    assertThat(execution.counts().stale()).isEqualTo(1);
    assertThat(execution.counts().repeated()).isEqualTo(1);
  }

  /** Else each replica would look through all clients that ever were, each second. */
  @Test
  void leasesThatAreOverAreFoundByAnIndex() throws Exception {
    List<String> columns = new ArrayList<>();
    try (Connection connection = pool.getConnection()) {
      var indices =
          connection
              .getMetaData()
              .getIndexInfo(connection.getCatalog(), null, "terrace_client", false, true);
      while (indices.next()) {
        if ("terrace_client_lease".equals(indices.getString("INDEX_NAME"))) {
          columns.add(indices.getString("COLUMN_NAME"));
        }
      }
      connection.rollback();
    }
    assertThat(columns).containsExactly("lease_until");
  }

  @Test
  void aLateCopyThatIsUnderWayWhenItsKeyIsCollectedCannotCommit() throws Exception {
    execute(1, 1);
    execute(2, 2);
    awaitReplies(1);
    // The late copy of the first request begins as if it had not seen the watermark.
    try (Connection connection = pool.getConnection()) {
      set(connection, "UPDATE terrace_client SET watermark = 1 WHERE client = " + client);
      connection.commit();
    }
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<CallReply> late =
          threads.submit(() ->
              execution.execute(
                  request(1, 1),
                  connection -> {
                    working.countDown();
                    goOn.await();
                    return result();
                  }));
      working.await();
      try (Connection connection = pool.getConnection()) {
        set(connection, "UPDATE terrace_client SET watermark = 2 WHERE client = " + client);
        connection.commit();
      }
      goOn.countDown();
      assertThat(late.get().status()).isEqualTo(Status.REJECTED);
    }
  }

  @Test
  void aClientWhoseLeaseIsOverIsForgottenAndRefused() throws Exception {
    execute(1, 1);
    execution.close();
    execution =
        RetainedExecution.open(
            pool,
            RetentionOptions.defaults().withLease(Duration.ofSeconds(1), INTERVAL),
            () -> RetainedExecution.UNFENCED);
    execute(2, 1);
    awaitReplies(0);

    assertThat(execute(1, 1).status()).isEqualTo(Status.FORGOTTEN);
    assertThat(execute(3, 1).status()).isEqualTo(Status.FORGOTTEN);
    assertThat(executions).hasValue(2);
    assertThat(execution.counts().expiredClients()).isPositive();
  }

  @Test
  void aClientThatKeepsCallingKeepsItsReplies() throws Exception {
    execution.close();
    execution =
        RetainedExecution.open(
            pool,
            RetentionOptions.defaults().withLease(Duration.ofSeconds(1), INTERVAL),
            () -> RetainedExecution.UNFENCED);
    long other = ++lastClient;
    execution.execute(request(other, 1, 1), _ -> result());
    execute(1, 1);
    while (replies(other) > 0) {
      assertThat(execution.read(request(1, 1), _ -> result()).status()).isEqualTo(Status.RESULT);
    }
    assertThat(replies()).isEqualTo(1);
    assertThat(execute(1, 1).status()).isEqualTo(Status.RESULT);
    assertThat(executions).hasValue(1);
  }

  /** Else a time limit of the pool would undo one large deletion again and again. */
  @Test
  void theRepliesOfAClientThatIsForgottenGoInSmallTransactions() throws Exception {
    int kept = 8 * 1_024;
    execution.close();
    execution.execute(request(1, 0), _ -> result());
    multiplyReplies(kept);
    assertThat(replies()).isEqualTo(kept);
    execution =
        RetainedExecution.open(
            refusingLargeDeletions(pool),
            RetentionOptions.defaults().withLease(Duration.ofSeconds(1), INTERVAL),
            () -> RetainedExecution.UNFENCED);
    execution.renewLease(client);
    awaitReplies(0);
    assertThat(execute(1, 0).status()).isEqualTo(Status.FORGOTTEN);
  }

  /** Leftovers of a collector that ended between the forgetting of a client and the deletion. */
  @Test
  void whatACollectorLeftIsDeletedByTheNext() throws Exception {
    execute(1, 0);
    execution.close();
    try (Connection connection = pool.getConnection()) {
      set(
          connection,
          "UPDATE terrace_client SET watermark = " + Long.MAX_VALUE + " WHERE client = " + client);
      connection.commit();
    }
    execution = RetainedExecution.open(pool, OPTIONS, () -> RetainedExecution.UNFENCED);
    awaitReplies(0);
    assertThat(execution.counts().failedCollections()).isZero();
  }

  /** Else each look would take as long as there were ever clients. */
  @Test
  void onlyClientsThatHaveRepliesAreLookedAt() throws Exception {
    long without = client;
    execute(1, 0);
    client = ++lastClient;
    execute(1, 0);
    long with = client;
    client = without;
    execution.close();
    try (Connection connection = pool.getConnection()) {
      set(connection, "DELETE FROM terrace_reply WHERE client = " + without);
      connection.commit();
      List<Watermark> looked = Dialect.of(connection).watermarks(connection, without, SMALL);
      assertThat(looked).extracting(Watermark::client).contains(with).doesNotContain(without);
      assertThat(Dialect.of(connection).watermarks(connection, without, 1))
          .extracting(Watermark::client)
          .containsExactly(with);
      connection.rollback();
    }
  }

  /** Else each would go through all that those before it have left for the database to clean up. */
  @Test
  void aDeletionGoesOnWhereTheLastOneEnded() throws Exception {
    execution.close();
    execution.execute(request(1, 0), _ -> result());
    multiplyReplies(4 * SMALL);
    List<Object> bound = new CopyOnWriteArrayList<>();
    execution =
        RetainedExecution.open(
            recordingNumbers(pool, bound),
            RetentionOptions.defaults().withLease(Duration.ofSeconds(1), INTERVAL),
            () -> RetainedExecution.UNFENCED);
    execution.renewLease(client);
    awaitReplies(0);
    assertThat(bound).contains(SMALL + 1L, 2 * SMALL + 1L, 3 * SMALL + 1L);
    assertThat(execution.counts().failedCollections()).isZero();
  }

  /** Else a client that says nothing more has told in vain that it lives, and what it has. */
  @Test
  void whatAClientAcknowledgedOutlivesACollectionThatIsCutShort() {
    execution.close();
    AtomicBoolean cut = new AtomicBoolean(true);
    execution =
        RetainedExecution.open(
            wrappedStatements(pool, result -> failedBatch(result, cut)),
            OPTIONS,
            () -> RetainedExecution.UNFENCED);
    execute(1, 1);
    execute(2, 2);
    long before = execution.counts().failedCollections();
    assertThat(Await.until(PATIENCE, () -> execution.counts().failedCollections() > before))
        .isTrue();
    cut.set(false);
    awaitReplies(1);
  }

  /** Else who says that it lives while a collection waits for a lock has said so in vain. */
  @Test
  void whatAClientTellsDuringACollectionIsWrittenByTheNext() {
    execution.close();
    AtomicInteger batches = new AtomicInteger();
    execution =
        RetainedExecution.open(
            wrappedStatements(
                pool,
                result -> {
                  if (result instanceof int[] && batches.getAndIncrement() == 0) {
                    execution.renewLease(client);
                  }
                  return result;
                }),
            OPTIONS,
            () -> RetainedExecution.UNFENCED);
    execution.renewLease(client);
    assertThat(Await.until(PATIENCE, () -> batches.get() >= 2)).isTrue();
  }

  private static Object failedBatch(Object result, AtomicBoolean cut) throws SQLException {
    if (result instanceof int[] && cut.get()) {
      throw new SQLException("canceling statement due to statement timeout", "57014");
    }
    return result;
  }

  /** A pool that notes the numbers that statements get for their parameters. */
  private static DataSource recordingNumbers(DataSource pool, List<Object> bound) {
    return wrapped(
        DataSource.class,
        pool,
        connection ->
            wrapped(
                Connection.class,
                (Connection) connection,
                statement ->
                    statement instanceof PreparedStatement prepared
                        ? recordingNumbers(prepared, bound)
                        : statement));
  }

  private static PreparedStatement recordingNumbers(PreparedStatement of, List<Object> bound) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            PreparedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("setLong")) {
                bound.add(arguments[1]);
              } else if (method.getName().equals("setArray")) {
                Collections.addAll(bound, (Object[]) ((Array) arguments[1]).getArray());
              }
              try {
                return method.invoke(of, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Multiplies the only reply of the client. */
  private void multiplyReplies(int kept) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      for (int there = 1; there < kept; there *= 2) {
        statement.executeUpdate(
            "INSERT INTO terrace_reply (client, sequence, fingerprint, status, body) SELECT client, sequence + %d, fingerprint, status, body FROM terrace_reply WHERE client = %d"
                .formatted(there, client));
      }
      connection.commit();
    }
  }

  /** A pool that fails each statement that deletes many rows, as one does that has a time limit. */
  private static DataSource refusingLargeDeletions(DataSource pool) {
    return wrappedStatements(pool, ReplyCollectorContract::refuseMany);
  }

  private static DataSource wrappedStatements(DataSource pool, Wrapping wrapping) {
    return wrapped(
        DataSource.class,
        pool,
        connection ->
            wrapped(
                Connection.class,
                (Connection) connection,
                statement ->
                    statement instanceof PreparedStatement prepared
                        ? wrapped(PreparedStatement.class, prepared, wrapping)
                        : statement instanceof Statement plain
                            ? wrapped(Statement.class, plain, wrapping)
                            : statement));
  }

  private static Object refuseMany(Object result) throws SQLException {
    if (result instanceof ResultSet rows) {
      AtomicInteger read = new AtomicInteger();
      return wrapped(
          ResultSet.class,
          rows,
          value -> {
            refuseMany(Boolean.TRUE.equals(value) ? read.incrementAndGet() : 0);
            return value;
          });
    }
    if ((result instanceof Integer rows && rows > SMALL)
        || (result instanceof int[] each && IntStream.of(each).sum() > SMALL)) {
      throw new SQLException("canceling statement due to statement timeout", "57014");
    }
    return result;
  }

  private interface Wrapping {
    Object of(Object result) throws SQLException;
  }

  private static <T> T wrapped(Class<T> type, T target, Wrapping wrapping) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              return result == null ? null : wrapping.of(result);
            }));
  }

  private CallReply execute(long sequence, long firstIncomplete) {
    return execution.execute(
        request(sequence, firstIncomplete),
        _ -> {
          executions.incrementAndGet();
          return result();
        });
  }

  private static CallReply result() {
    return new CallReply(Status.RESULT, new byte[] {1});
  }

  private CallRequest request(long sequence, long firstIncomplete) {
    return request(client, sequence, firstIncomplete);
  }

  private static CallRequest request(long client, long sequence, long firstIncomplete) {
    return new CallRequest(
        "bank",
        "change",
        new RequestIdentity(client, sequence),
        firstIncomplete,
        1_000_000_000L,
        true,
        NO_ARGUMENTS);
  }

  private void awaitReplies(long expected) {
    assertThat(Await.until(PATIENCE, () -> repliesAre(expected))).isTrue();
  }

  private boolean repliesAre(long expected) {
    try {
      return replies() == expected;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private long replies() throws SQLException {
    return replies(client);
  }

  private long replies(long client) throws SQLException {
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery("SELECT count(*) FROM terrace_reply WHERE client = " + client)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void set(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }
}
