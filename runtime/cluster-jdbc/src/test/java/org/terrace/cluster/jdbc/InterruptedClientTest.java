package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * A program that interrupts the threads of its clients, as every end of an executor does: that is
 * those clients' failure alone, and what they left at the servers ends. An interrupt closes the
 * socket at which a virtual thread waits.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class InterruptedClientTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String GIVEN_UP = "57014";

  /** A deed of a client that is interrupted at it: alone it would take an hour. */
  private interface Deed {
    void run(Connection connection, Statement statement, String sleep) throws SQLException;
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whoIsInterruptedFailsAloneAndLeavesNothing(String engine) throws Exception {
    boolean isMariaDb = engine.equals("mariadb");
    String sleep = isMariaDb ? "sleep(3600)" : "pg_sleep(3600)::text";
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("?functions=pg_sleep,sleep")) {
      ClusterSteps.execute(source, "CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
      ClusterSteps.execute(source, "INSERT INTO kept VALUES (1, 0)");
      for (Thread.Builder threads :
          new Thread.Builder[] {Thread.ofVirtual(), Thread.ofPlatform()}) {
        Deed writesAndReads =
            (connection, statement, slow) -> {
              connection.setAutoCommit(false);
              statement.executeUpdate("UPDATE kept SET name = 1 WHERE id = 1");
              statement.executeQuery("SELECT " + slow);
            };
        interrupt(replicas, source, threads, writesAndReads, sleep);
        givenUp(replicas);
        Deed writes =
            (_, statement, slow) ->
                statement.executeUpdate("UPDATE kept SET name = 2 WHERE " + slow + " IS NULL");
        interrupt(replicas, source, threads, writes, sleep);
        givenUp(replicas);
      }
      assertThat(replicas.everywhere("SELECT name FROM kept", 0, 1)).containsExactly("0\n", "0\n");
      // The driver waits at its socket on the client's own thread here: what it left there runs on.
      Deed reads = (_, statement, slow) -> statement.executeQuery("SELECT " + slow);
      interrupt(replicas, source, Thread.ofVirtual(), reads, sleep);
      Deed readsInTransaction =
          (connection, statement, slow) -> {
            connection.setAutoCommit(false);
            statement.executeQuery("SELECT count(*) FROM kept");
            statement.executeQuery("SELECT " + slow);
          };
      interrupt(replicas, source, Thread.ofVirtual(), readsInTransaction, sleep);
      Thread.currentThread().interrupt();
      String state =
          ClusterSteps.stateOf(() -> ClusterSteps.execute(source, "UPDATE kept SET name = 4"));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(state).as("who was interrupted before it began").isEqualTo(GIVEN_UP);
      assertThat(source.losses()).isEmpty();
      ClusterSteps.execute(source, "UPDATE kept SET name = 3");
      assertThat(replicas.everywhere("SELECT name FROM kept", 0, 1)).containsExactly("3\n", "3\n");
    }
  }

  private static void interrupt(
      RealReplicas replicas,
      ClusterDataSource source,
      Thread.Builder threads,
      Deed deed,
      String sleep)
      throws Exception {
    CompletableFuture<String> state = new CompletableFuture<>();
    int before = replicas.asleep();
    Thread client =
        threads.start(() -> {
          try (Connection connection = source.getConnection();
              Statement statement = connection.createStatement()) {
            deed.run(connection, statement, sleep);
            state.complete("it was done");
          } catch (SQLException e) {
            state.complete(e.getSQLState() == null ? e.toString() : e.getSQLState());
          }
        });
    assertThat(Await.until(SOON, () -> state.isDone() || replicas.asleep() > before)).isTrue();
    assertThat(state).isNotDone();
    client.interrupt();

    assertThat(state).succeedsWithin(SOON).isEqualTo(GIVEN_UP);
    assertThat(source.losses()).isEmpty();
  }

  private static void givenUp(RealReplicas replicas) {
    assertThat(Await.until(SOON, () -> replicas.asleep() == 0))
        .as("what it left was given up at the servers")
        .isTrue();
  }
}
