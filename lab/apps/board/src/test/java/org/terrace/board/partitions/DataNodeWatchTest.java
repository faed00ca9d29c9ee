package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;

/** The loss of a data node while a bank moves money over both SQL nodes. */
@Tag("real-processes")
@Tag("long")
class DataNodeWatchTest {
  private static final int ACCOUNTS = Bank.ACCOUNTS;
  private static final long EACH = Bank.EACH;
  private static final int WRITERS = Bank.WRITERS;

  /** A group decides within five seconds that a member is gone; the rest is for a busy machine. */
  private static final Duration WRITES_WITHIN = Duration.ofSeconds(30);

  /** A node that was put out of its group takes up to ten seconds to come back. */
  private static final Duration SAID_WITHIN = Duration.ofSeconds(60);

  private static final Duration NO_WRITES_FOR = Duration.ofSeconds(12);

  private static final Duration PAUSE = Bank.PAUSE;

  private static Bank open(NdbLikeServers servers) throws SQLException {
    servers
        .database()
        .createTables(
            "CREATE TABLE accounts (id int NOT NULL, amount int NOT NULL, PRIMARY KEY (id))");
    try (Connection connection = servers.sqlNode(1);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO accounts SELECT seq, %d FROM seq_1_to_%d".formatted(EACH, ACCOUNTS));
    }
    return new Bank();
  }

  /** Looks until writers have moved money so often again, or the time is over. */
  private static List<String> lookUntil(
      DataNodeWatch watch, Bank bank, int moved, Duration within) {
    List<String> said = new ArrayList<>();
    long end = TimeSource.system().elapsedNanos() + within.toNanos();
    while (bank.moved.get() < moved && TimeSource.system().elapsedNanos() < end) {
      said.addAll(watch.look());
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return said;
  }

  @Test
  void theLossOfADataNodeLosesNoMoneyAndWritesComeBack() throws Exception {
    NdbLikeServers.assumePrograms();
    long seed = Long.getLong("terrace.seed", 7);
    try (NdbLikeServers servers = NdbLikeServers.start("127.92", 4, true)) {
      Bank bank = open(servers);
      bank.begin(servers, seed);
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        assertThat(lookUntil(watch, bank, 50, WRITES_WITHIN)).isEmpty();
        int before = bank.moved.get();
        assertThat(before).isGreaterThanOrEqualTo(50);

        servers.kill(1);
        long killedNanos = TimeSource.system().elapsedNanos();
        // Those under way may still come to an end; a transfer beyond them is a new one.
        List<String> said = lookUntil(watch, bank, before + 2 * WRITERS, WRITES_WITHIN);
        // Writes come back by one SQL node while the other still waits for what is under way.
        lookFor(watch, said, "serves partition 1");

        assertThat(said)
            .hasSize(1)
            .first()
            .asString()
            .contains("data node 1", "refuses connections", "serves partition 1");
        assertThat(bank.moved.get())
            .as("seed " + seed)
            .isGreaterThanOrEqualTo(before + 2 * WRITERS);
        System.out.printf(
            "new transfers %d ms after the kill; %d of %d reads saw a transfer in between; %d in doubt%n",
            (bank.lastMovedNanos.get() - killedNanos) / 1_000_000,
            bank.readsInBetween.get(),
            bank.reads.get(),
            bank.inDoubt.get());
      } finally {
        bank.end();
      }
      for (int sqlNode = 1; sqlNode <= 2; sqlNode++) {
        try (Connection connection = servers.sqlNode(sqlNode)) {
          // A commit that spans groups is not one: of each that failed, one side may be done.
          assertThat(Math.abs(Bank.total(connection) - ACCOUNTS * EACH))
              .as("seed %d, SQL node %d", seed, sqlNode)
              .isLessThanOrEqualTo(bank.inDoubt.get());
        }
      }
    }
  }

  /** Looks until the watch has said something, and adds all that it says. */
  private static List<String> lookFor(DataNodeWatch watch, List<String> said, String words) {
    long end = TimeSource.system().elapsedNanos() + SAID_WITHIN.toNanos();
    while (said.stream().noneMatch(each -> each.contains(words))) {
      assertThat(TimeSource.system().elapsedNanos()).as("%s in %s", words, said).isLessThan(end);
      said.addAll(watch.look());
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return said;
  }

  private static void assertBothReadAll(NdbLikeServers servers, long expected) throws SQLException {
    for (int sqlNode = 1; sqlNode <= 2; sqlNode++) {
      try (Connection connection = servers.sqlNode(sqlNode)) {
        assertThat(Bank.total(connection)).as("SQL node %d", sqlNode).isEqualTo(expected);
      }
    }
  }

  /** A table that is open while its SQL node is told would ask the lost node for all later ones. */
  @Test
  void aStatementUnderWayAtTheHandOverKeepsNobodyAtTheLostNode() throws Exception {
    NdbLikeServers.assumePrograms();
    try (NdbLikeServers servers = NdbLikeServers.start("127.89", 2, true)) {
      open(servers);
      String second = servers.database().dataNodes().get(1);
      try (DataNodeWatch watch = new DataNodeWatch(servers.database());
          Connection holder = servers.database().connect(second);
          Statement hold = holder.createStatement()) {
        assertThat(watch.look()).isEmpty();
        holder.setAutoCommit(false);
        hold.execute("UPDATE accounts_p2 SET amount = amount + 1 WHERE id = 1");
        Thread underWay = Thread.ofVirtual().start(() -> payIn(servers));
        awaitLockWait(servers.database().connect(second));

        servers.kill(1);
        List<String> said = new ArrayList<>();
        for (int look = 0; look < 3; look++) {
          said.addAll(watch.look());
        }
        holder.rollback();
        underWay.join();

        assertThat(lookFor(watch, said, "serves partition 1")).hasSize(1);
        assertBothReadAll(servers, ACCOUNTS * EACH + 1);
      }
    }
  }

  /** The watch is killed when the SQL node knows the new place, and waits for a statement. */
  @Test
  void aWatchThatIsStartedAgainBeforeTablesWereClosedLeavesNobodyAtTheLostNode() throws Exception {
    NdbLikeServers.assumePrograms();
    try (NdbLikeServers servers = NdbLikeServers.start("127.84", 2, true)) {
      open(servers);
      NdbLikeDatabase database = servers.database();
      String second = database.dataNodes().get(1);
      try (Connection holder = database.connect(second);
          Statement hold = holder.createStatement()) {
        Thread underWay;
        try (DataNodeWatch watch = new DataNodeWatch(database)) {
          assertThat(watch.look()).isEmpty();
          holder.setAutoCommit(false);
          hold.execute("UPDATE accounts_p2 SET amount = amount + 1 WHERE id = 1");
          underWay = Thread.ofVirtual().start(() -> payIn(servers));
          awaitLockWait(database.connect(second));
          servers.kill(1);
          long end = TimeSource.system().elapsedNanos() + SAID_WITHIN.toNanos();
          while (!database.asked(database.sqlNodes().getFirst()).getFirst().equals(second)) {
            assertThat(TimeSource.system().elapsedNanos()).isLessThan(end);
            assertThat(watch.look()).isEmpty();
          }
        }
        holder.rollback();
        underWay.join();
      }
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        assertThat(lookFor(watch, new ArrayList<>(), "serves partition 1")).hasSize(1);
        assertBothReadAll(servers, ACCOUNTS * EACH + 1);
      }
    }
  }

  private static void payIn(NdbLikeServers servers) {
    try (Connection connection = servers.sqlNode(1);
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE accounts SET amount = amount + 1 WHERE id = 1");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitLockWait(Connection dataNode) throws SQLException {
    try (dataNode;
        Statement statement = dataNode.createStatement()) {
      long end = TimeSource.system().elapsedNanos() + WRITES_WITHIN.toNanos();
      while (true) {
        try (ResultSet waiting =
            statement.executeQuery(
                "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")) {
          if (waiting.next()) {
            return;
          }
        }
        assertThat(TimeSource.system().elapsedNanos()).as("a wait for a lock").isLessThan(end);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /** Both nodes of a group were suspected wrongly, and the first once more; each missed a write. */
  @Test
  void nodesThatWereSuspectedWronglyServeAgain() throws Exception {
    NdbLikeServers.assumePrograms();
    try (NdbLikeServers servers = NdbLikeServers.start("127.90", 2, true)) {
      open(servers);
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        assertThat(watch.look()).isEmpty();
        long expected = ACCOUNTS * EACH;
        for (int node : new int[] {1, 2, 1}) {
          servers.suspend(node);
          assertThat(lookFor(watch, new ArrayList<>(), "serves partition " + node))
              .singleElement()
              .asString()
              .contains("data node " + node, "does not answer");
          payInToAll(servers);
          expected += ACCOUNTS;
          assertBothReadAll(servers, expected);

          servers.resume(node);
          assertThat(lookFor(watch, new ArrayList<>(), "serves its partition")).hasSize(1);
          assertBothReadAll(servers, expected);
        }
      }
    }
  }

  /** The SQL nodes' own places of the partitions are by then all the second node's. */
  @Test
  void aWatchThatIsStartedAgainBehindAHandOverBringsThePartitionHome() throws Exception {
    NdbLikeServers.assumePrograms();
    try (NdbLikeServers servers = NdbLikeServers.start("127.86", 2, true)) {
      open(servers);
      List<String> homes = servers.database().dataNodes();
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        assertThat(watch.look()).isEmpty();
        servers.suspend(1);
        lookFor(watch, new ArrayList<>(), "serves partition 1");
      }
      payInToAll(servers);

      assertThat(servers.database().dataNodes()).isEqualTo(homes);
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        // Nothing is given to the node that sleeps, and nothing said to be gone.
        assertThat(watch.look()).isEmpty();
        assertThat(lookFor(watch, new ArrayList<>(), "serves partition 1")).hasSize(1);
        assertThat(watch.look()).isEmpty();
        assertBothReadAll(servers, ACCOUNTS * (EACH + 1));
        servers.resume(1);
        assertThat(lookFor(watch, new ArrayList<>(), "serves its partition")).hasSize(1);
        servers.kill(2);
        assertThat(lookFor(watch, new ArrayList<>(), "serves partition 2"))
            .singleElement()
            .asString()
            .contains(homes.get(0));
        assertBothReadAll(servers, ACCOUNTS * (EACH + 1));
      }
    }
  }

  private static void payInToAll(NdbLikeServers servers) throws SQLException {
    try (Connection connection = servers.sqlNode(1);
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE accounts SET amount = amount + 1");
    }
  }

  /** It has the majority of one, and lacks what its group wrote meanwhile. */
  @Test
  void aNodeThatIsStartedAgainAloneIsNotAsked() throws Exception {
    NdbLikeServers.assumePrograms();
    try (NdbLikeServers servers = NdbLikeServers.start("127.87", 2, true)) {
      open(servers);
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        assertThat(watch.look()).isEmpty();
        servers.kill(1);
        lookFor(watch, new ArrayList<>(), "serves partition 1");
        payInToAll(servers);
        servers.startAlone(1);
        lookFor(watch, new ArrayList<>(), "data node 1 at 127.87.4.1:3306 was started anew");
        for (int look = 0; look < 2 * WatchedNode.ANSWERS_UNTIL_STEADY; look++) {
          assertThat(watch.look()).isEmpty();
        }
        assertBothReadAll(servers, ACCOUNTS * (EACH + 1));
      }
    }
  }

  /**
   * The fault of a group without an arbitrator: the survivor has no majority, and refuses. It has
   * the rows all the same, until it has ended too.
   */
  @Test
  void withoutAnArbitratorTheSurvivorRefusesWrites() throws Exception {
    NdbLikeServers.assumePrograms();
    try (NdbLikeServers servers = NdbLikeServers.start("127.93", 2, false)) {
      Bank bank = open(servers);
      bank.begin(servers, 7);
      try (DataNodeWatch watch = new DataNodeWatch(servers.database())) {
        lookUntil(watch, bank, 50, WRITES_WITHIN);
        servers.kill(1);
        // Those that were under way when it was killed may still be told as moved.
        int before = bank.moved.get() + WRITERS;
        List<String> said = lookUntil(watch, bank, before + 1, NO_WRITES_FOR);
        assertThat(bank.moved.get()).isLessThanOrEqualTo(before);
        assertThat(said)
            .anyMatch(each -> each.contains("nobody serves"))
            .noneMatch(each -> each.contains("rows are gone"));

        servers.kill(2);
        assertThat(lookFor(watch, new ArrayList<>(), "if both have ended, their rows are gone"))
            .hasSize(1);
      } finally {
        bank.end();
      }
    }
  }
}
