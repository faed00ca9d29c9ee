package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.core.PoolMetrics.Usage;
import org.terrace.core.codec.Encoder;
import org.terrace.testing.Await;

/**
 * Applications and controllers of which one end hears nothing any more, and those that are slow or
 * at rest. Locks are waited for without end, so that nobody gets one but by the end of who has it.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class VanishedClientsTest {
  private static final Duration SILENCE = Duration.ofMillis(800);

  /** A silence that no client falls into because the machine is busy. */
  private static final Duration LONG_SILENCE = Duration.ofSeconds(4);

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LONGER_THAN_SILENCE = LONG_SILENCE.multipliedBy(2);

  private static final String SHARED_LOCK = "SELECT pg_advisory_lock_shared(7)";
  private static final String LOCK = "SELECT pg_advisory_lock(7)";

  private RealReplicas replicas;
  private ClusterDataSource source;
  private ControllerServer controller;

  /** Serves those of the same database who are not to vanish. */
  private ControllerServer tolerant;

  private CuttingRelay relay;

  @BeforeEach
  void start() throws Exception {
    replicas = RealReplicas.start("postgresql", 1);
    source = replicas.open("?scheduling=key&functions=pg_sleep&lockWaitMillis=3600000");
    controller = ControllerServer.start(source, "shop", "127.0.0.1", 0, "", SILENCE);
    tolerant = ControllerServer.start(source, "shop", "127.0.0.1", 0, "", LONG_SILENCE);
    relay = CuttingRelay.to(controller::port);
    try (Connection connection = connect(tolerant.port());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("CREATE TABLE item (id int PRIMARY KEY, name text)");
      statement.executeUpdate("INSERT INTO item VALUES (1, 'a'), (2, 'a'), (3, 'a')");
    }
  }

  @AfterEach
  void stop() throws Exception {
    relay.close();
    tolerant.close();
    controller.close();
    source.close();
    replicas.close();
  }

  @Test
  void aVanishedApplicationLosesItsLocksAndIsToldWhyWhenItIsBack() throws Exception {
    try (Connection vanished = connect(relay.port())) {
      vanished.setAutoCommit(false);
      update(vanished, 1, "vanished");
      relay.freeze();
      assertThatNobodyHolds(1);
      relay.thaw();
      SQLException told = catchThrowableOfType(SQLException.class, () -> update(vanished, 2, "x"));
      assertThat(told.getSQLState()).isEqualTo("08006");
      assertThat(told.getMessage())
          .contains("nothing was heard of the application for 800 ms", "undone");
      assertThat(vanished.isClosed()).isTrue();
    }
    assertThat(names()).isEqualTo("other\na\na\n");
  }

  @Test
  void whatAVanishedApplicationWaitsForIsGivenUp() throws Exception {
    try (Connection holder = connect(tolerant.port());
        Connection vanished = connect(relay.port())) {
      holder.setAutoCommit(false);
      update(holder, 1, "holder");
      vanished.setAutoCommit(false);
      update(vanished, 2, "vanished");
      CompletableFuture<SQLException> waiting = waiting(vanished, 1);
      awaitWaiting(1);
      relay.freeze();
      assertThatNobodyHolds(2);
      assertThat(waiting).as("its own end").succeedsWithin(SOON);
      assertThat(waiting.join().getMessage()).contains("no sign of life for 800 ms");
      assertThat(waiting.join().getSQLState()).isEqualTo("08006");
      holder.commit();
    }
    assertThat(names()).isEqualTo("holder\nother\na\n");
  }

  @Test
  void whoIsAtRestOrAtWorkForLongIsNotEnded() throws Exception {
    try (CuttingRelay way = CuttingRelay.to(tolerant::port);
        Connection resting = connect(way.port());
        Connection working = connect(way.port())) {
      resting.setAutoCommit(false);
      update(resting, 1, "resting");
      CompletableFuture<SQLException> waiting = waiting(working, 1);
      awaitWaiting(1);
      assertThat(Await.until(LONGER_THAN_SILENCE, waiting::isDone)).isFalse();
      update(resting, 2, "resting");
      resting.commit();
      assertThatThrownBy(waiting::join).hasMessageContaining("done");
    }
    assertThat(names()).isEqualTo("other\nresting\na\n");
  }

  @Test
  void waitForAnAdvisoryLockIsGivenUpWithItsApplication() throws Exception {
    try (Connection holder = connect(tolerant.port());
        Connection vanished = connect(relay.port())) {
      ask(holder, SHARED_LOCK);
      vanished.setAutoCommit(false);
      update(vanished, 2, "vanished");
      CompletableFuture<SQLException> waiting = asking(vanished, LOCK);
      awaitWaitingForTheLock();
      relay.freeze();
      assertThatNobodyHolds(2);
      assertThat(waiting).as("its own end").succeedsWithin(SOON);
    }
    assertThat(names()).isEqualTo("a\nother\na\n");
  }

  @Test
  void waitForAnAdvisoryLockIsCancelled() throws Exception {
    try (Connection holder = source.getConnection();
        Connection local = source.getConnection();
        Statement statement = local.createStatement()) {
      ask(holder, SHARED_LOCK);
      CompletableFuture<SQLException> waiting = FailingDeed.begin(() -> statement.execute(LOCK));
      awaitWaitingForTheLock();
      statement.cancel();
      assertThat(waiting).succeedsWithin(SOON);
      assertThat(waiting.join().getSQLState()).isEqualTo("57014");
      assertThat(tryLock()).isTrue();
      ask(holder, "SELECT pg_advisory_unlock_all()");
      ask(local, LOCK);
    }
  }

  /** Its server comes to the second row after an hour. */
  @Test
  void furtherPageIsGivenUpWithItsApplication() throws Exception {
    try (Connection vanished = connect(relay.port())) {
      vanished.setAutoCommit(false);
      update(vanished, 2, "vanished");
      try (Statement statement = vanished.createStatement()) {
        statement.setFetchSize(1);
        ResultSet rows =
            statement.executeQuery(
                "SELECT i, CASE WHEN i > 1 THEN pg_sleep(3600)::text END FROM generate_series(1, 3) AS i");
        assertThat(rows.next()).isTrue();
        CompletableFuture<SQLException> waiting = FailingDeed.begin(rows::next);
        awaitSleeping();
        relay.freeze();
        assertThatNobodyHolds(2);
        assertThat(waiting).as("its own end").succeedsWithin(SOON);
      }
    }
    assertThat(names()).isEqualTo("a\nother\na\n");
  }

  /** Its signs of life come, and nothing of a row of 60 MB is taken. */
  @Test
  void whoTakesNothingOfAnAnswerLosesItsLocks() throws Exception {
    try (RawClient client = RawClient.connect(controller.port())) {
      client.begin();
      client.sendStatement(1, "UPDATE item SET name = 'unread' WHERE id = 1");
      assertThat(client.answer()).isEqualTo(ControllerFrame.DONE);
      client.sendStatement(2, "SELECT repeat('x', 60000000)");
      CompletableFuture<Void> free =
          CompletableFuture.runAsync(this::take, Thread::startVirtualThread);
      assertThat(Await.until(SOON, () -> !client.beat() || free.isDone())).isTrue();
      assertThat(free).succeedsWithin(SOON);
    }
    assertThat(names()).isEqualTo("other\na\na\n");
  }

  @Test
  void whoAsksBeforeItIsAnsweredIsEnded() throws Exception {
    try (Connection holder = connect(tolerant.port());
        RawClient client = RawClient.connect(tolerant.port())) {
      holder.setAutoCommit(false);
      update(holder, 1, "holder");
      client.begin();
      client.sendStatement(1, "UPDATE item SET name = 'hasty' WHERE id = 1");
      awaitWaiting(1);
      client.sendStatement(2, "UPDATE item SET name = 'hasty' WHERE id = 1");
      assertThat(client.farewell()).contains("before the last was answered");
    }
  }

  /** Whoever asks for an outcome waits for the ledger, which another changes. */
  @Test
  void questionsTakeNoPlaceOfCancelsNorAnyOnceNobodyWaitsForThem() throws Exception {
    List<RawClient> asking = new ArrayList<>();
    try (ControllerServer patient =
            ControllerServer.start(source, "shop", "127.0.0.1", 0, "", Duration.ofMinutes(10));
        Connection holder = source.getConnection()) {
      holder.setAutoCommit(false);
      try (Statement statement = holder.createStatement()) {
        statement.executeUpdate("UPDATE terrace_ledger.terraceledger SET kept = kept");
      }
      for (int i = 0; i < ControllerServer.QUESTIONS_MAX; i++) {
        RawClient client = RawClient.connect(patient.port(), ControllerFrame.FOR_OUTCOME);
        asking.add(client);
        Encoder question = new Encoder();
        question.putString("1-" + i);
        client.send(question);
      }
      awaitWaiting(ControllerServer.QUESTIONS_MAX);
      assertThat(isLetIn(patient, ControllerFrame.FOR_OUTCOME)).isFalse();
      assertThat(isLetIn(patient, ControllerFrame.FOR_CANCEL)).isTrue();
      for (RawClient client : asking) {
        client.close();
      }
      assertThat(Await.until(SOON, () -> isLetIn(patient, ControllerFrame.FOR_OUTCOME))).isTrue();
    }
  }

  private static boolean isLetIn(ControllerServer server, int purpose) {
    try (RawClient client = RawClient.connect(server.port(), purpose)) {
      return client.isLetIn();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void take() {
    try {
      assertThatNobodyHolds(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void assertThatNobodyHolds(int id) throws SQLException {
    try (Connection other = connect(tolerant.port())) {
      update(other, id, "other");
    }
  }

  /** The end of an update that waits; "done" if it came to that. */
  private static CompletableFuture<SQLException> waiting(Connection connection, int id) {
    return FailingDeed.begin(() -> update(connection, id, "other"));
  }

  private static CompletableFuture<SQLException> asking(Connection connection, String query) {
    return FailingDeed.begin(() -> ask(connection, query));
  }

  private void awaitWaiting(int many) {
    assertThat(Await.until(SOON, () -> waiters() == many)).isTrue();
  }

  private int waiters() {
    Usage usage = source.pools().get("write-lock").usage().get();
    return usage.inUse();
  }

  /** Shared holders let another share the lock, unless somebody waits to have it alone. */
  private void awaitWaitingForTheLock() {
    assertThat(Await.until(SOON, () -> !tryLock())).isTrue();
  }

  private boolean tryLock() {
    try (Connection connection = source.getConnection()) {
      return ask(connection, "SELECT pg_try_advisory_lock_shared(7)").equals("t\n");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitSleeping() {
    String sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    assertThat(
            Await.until(
                SOON,
                () -> {
                  try {
                    return replicas.everywhere(sleeping, 0).getFirst().equals("1\n");
                  } catch (SQLException e) {
                    throw new AssertionError(e);
                  }
                }))
        .isTrue();
  }

  private static String ask(Connection connection, String query) throws SQLException {
    return RealReplicas.rows(connection, query);
  }

  private static void update(Connection connection, int id, String name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE item SET name = '%s' WHERE id = %d".formatted(name, id));
    }
  }

  private String names() throws SQLException {
    return replicas.everywhere("SELECT name FROM item ORDER BY id", 0).getFirst();
  }

  private static Connection connect(int port) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:terrace:controller://127.0.0.1:%d/shop?answerMillis=45000".formatted(port));
  }
}
