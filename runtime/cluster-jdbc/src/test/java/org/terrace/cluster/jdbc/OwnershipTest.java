package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.MeddlingDriver;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** An owner that is told by a server that it is none, or that cannot tell it who is active. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class OwnershipTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String ROWS = "SELECT id FROM kept ORDER BY id";
  private static final String EPOCH = "SELECT epoch FROM terrace.owner";
  private static final String VIEW = "SELECT view_number FROM terrace.state";

  @TempDir private Path directory;

  /** Nothing is renewed meanwhile. */
  private String options;

  @BeforeEach
  void nameLog() {
    options = "?leaseMillis=600000&minimumReplicas=1&log=" + directory.resolve("log");
  }

  /** Its new owner may sleep for longer than its lease, and goes on all the same. */
  @Test
  void aServerThatIsOfNoUseIsNotTakenFromAnother() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        FreezingRelay relay = FreezingRelay.to(replicas.place(1));
        ClusterDataSource source =
            ClusterDataSource.open(
                "jdbc:terrace:postgresql://%s,%s/shop%s&copy=never&hangMillis=1000&connectMillis=1000"
                    .formatted(replicas.place(0), relay.place(), options),
                "shop",
                "")) {
      relay.freeze();
      awaitLosses(source, 1);
      raiseEpoch(
          replicas, 1, "'another process', renewed = '2000-01-01', log = 'another recovery log'");
      List<String> epoch = replicas.everywhere(EPOCH, 1);
      relay.thaw();

      String reason = "its position is one of another recovery log";
      assertThat(
              Await.until(
                  LONGEST, () -> source.losses().getOrDefault(relay.place(), "").contains(reason)))
          .isTrue();
      assertThat(replicas.everywhere(EPOCH, 1)).isEqualTo(epoch);
    }
  }

  /** A log that nobody has open says nothing of an owner that keeps none. */
  @Test
  void whoGetsALogTakesNothingFromAnOwnerThatKeepsNone() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2)) {
      try (ClusterDataSource source = replicas.open(options)) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      }
      String without = "?leaseMillis=3000";
      try (ClusterDataSource source = replicas.open(without)) {
        List<String> epochs = replicas.everywhere(EPOCH, 0, 1);
        assertThatThrownBy(() -> replicas.open(options.replace("600000", "3000")))
            .hasMessageContaining("belongs to");
        assertThat(replicas.everywhere(EPOCH, 0, 1)).isEqualTo(epochs);
        execute(source, "INSERT INTO kept VALUES (1)");
      }
    }
  }

  /** It raises the epoch of each server that returns, and may be told so late. */
  @Test
  void anEpochOfItsOwnNameIsNoOtherOwners() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        ClusterDataSource source = replicas.open(options)) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      raiseEpoch(replicas, 1, "owner");

      execute(source, "INSERT INTO kept VALUES (1)");
      awaitLosses(source, 0);
      execute(source, "INSERT INTO kept VALUES (2)");

      assertThat(replicas.everywhere(ROWS, 0, 1, 2)).containsOnly("1\n2\n");
    }
  }

  /** Another takes it between the look at its owner and the taking, and keeps it. */
  @Test
  void aServerThatAnotherTakesAtTheMomentOfItsReturnIsTheOthers() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any");
        ClusterDataSource source = replicas.open(options)) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      driver.before(
          replicas.place(2),
          "bringBack",
          "SET lock_timeout",
          () -> raiseEpochUnchecked(replicas, 2, "'another process'"));
      replicas.kill(2);
      awaitLosses(source, 1);
      replicas.startAgain(2);
      assertThat(Await.until(LONGEST, driver::hasInterrupted)).isTrue();
      List<String> epoch = replicas.everywhere(EPOCH, 2);

      assertThat(Await.until(LONGEST, () -> isRefused(source, "another process"))).isTrue();
      assertThat(replicas.everywhere("SELECT owner FROM terrace.state", 2))
          .containsExactly("another process\n");
      assertThat(replicas.everywhere(EPOCH, 2)).isEqualTo(epoch);
    }
  }

  private static boolean isRefused(ClusterDataSource source, String owner) {
    try {
      execute(source, "INSERT INTO kept SELECT count(*) FROM kept");
      return false;
    } catch (SQLException e) {
      return String.valueOf(e.getMessage()).contains(owner);
    }
  }

  private static void raiseEpochUnchecked(RealReplicas replicas, int replica, String owner) {
    try {
      raiseEpoch(replicas, replica, owner);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCommitIsAnsweredThoughAnotherOwnsTheServerThatIsToDoItAgain() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        ClusterDataSource source = replicas.open(options + "&hangMillis=1900")) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        replicas.suspend(2);
        statement.executeUpdate("INSERT INTO kept VALUES (1)");
        awaitLosses(source, 1);
        replicas.resume(2);
        awaitLosses(source, 0);
        assertThat(Await.until(LONGEST, () -> viewAt(replicas, 2).equals(viewAt(replicas, 0))))
            .as("it knows that it is back")
            .isTrue();
        raiseEpoch(replicas, 2, "'another process'");

        assertTimeoutPreemptively(LONGEST, connection::commit);
      }
      assertThatThrownBy(() -> execute(source, "INSERT INTO kept VALUES (2)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("another process")
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo("25006");
      assertThat(replicas.everywhere(ROWS, 0, 1)).containsOnly("1\n");
    }
  }

  @Test
  void writesGoOnAfterADriverBrokeDownOverAView() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any");
        ClusterDataSource source = replicas.open(options)) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      driver.breakDown(replicas.place(0), "recordView");
      replicas.kill(2);
      assertThat(Await.until(LONGEST, driver::hasMeddled)).isTrue();

      assertTimeoutPreemptively(LONGEST, () -> execute(source, "INSERT INTO kept VALUES (1)"));
      replicas.startAgain(2);
      awaitLosses(source, 0);
      assertThat(replicas.everywhere(ROWS, 0, 1, 2)).containsOnly("1\n");
    }
  }

  /** Without a log, the server would be out when the cluster is opened next, or take part alone. */
  @Test
  void anEarlierViewIsNotRememberedAfterALaterOne() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any");
        ClusterDataSource source = replicas.open(options)) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      MeddlingDriver.Held held = driver.hold(replicas.place(1), "recordView");
      replicas.kill(2);
      assertThat(Await.until(LONGEST, held::isReached)).isTrue();
      replicas.startAgain(2);
      awaitLosses(source, 0);
      assertThat(Await.until(LONGEST, () -> viewAt(replicas, 0).equals(viewAt(replicas, 2))))
          .as("the others know the later one")
          .isTrue();
      held.releaseAndAwaitEnd();

      execute(source, "INSERT INTO kept VALUES (1)");
      assertThat(new HashSet<>(replicas.everywhere(VIEW, 0, 1, 2))).hasSize(1);
    }
  }

  /** A server that was added is being copied into when it is removed: what it has stays. */
  @Test
  void aServerThatWasRemovedIsNotCopiedInto() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any");
        ClusterDataSource source = replicas.open(options + "&copy=always", 0, 1)) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      try (Connection direct = replicas.direct(2);
          Statement statement = direct.createStatement()) {
        statement.execute("CREATE TABLE kept (id INT PRIMARY KEY)");
        statement.execute("INSERT INTO kept VALUES (77)");
      }
      MeddlingDriver.Held held = driver.hold(replicas.place(2), "copy");
      source.addServer(replicas.place(2));
      assertThat(Await.until(LONGEST, held::isReached)).as("the copy is about to begin").isTrue();

      source.removeServer(replicas.place(2));
      held.releaseAndAwaitEnd();
      assertThat(replicas.everywhere(ROWS, 2)).containsExactly("77\n");
      assertThat(replicas.everywhere("SELECT diverged FROM terrace.state", 2))
          .containsExactly("\n");
      assertThat(source.losses()).isEmpty();
    }
  }

  private static void raiseEpoch(RealReplicas replicas, int replica, String owner)
      throws SQLException {
    try (Connection direct = replicas.direct(replica);
        Statement statement = direct.createStatement()) {
      direct.setAutoCommit(false);
      statement.executeUpdate("UPDATE terrace.owner SET epoch = epoch + 1");
      statement.executeUpdate("UPDATE terrace.state SET epoch = epoch + 1, owner = " + owner);
      direct.commit();
    }
  }

  private static String viewAt(RealReplicas replicas, int replica) {
    try {
      return replicas.everywhere(VIEW, replica).getFirst();
    } catch (SQLException e) {
      return "";
    }
  }
}
