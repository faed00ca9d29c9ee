package org.terrace.cluster.jdbc.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.memory.DefinitionFence;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.core.TimeSource;

/**
 * The ownership of a cluster by one process, with an epoch that every replica checks at every
 * commit.
 *
 * <p>The owner renews it at each replica; who finds it unrenewed for a lease's length may raise the
 * epoch there, and the old owner can commit nothing more at that replica, however late it wakes up.
 * Time is that of the replica's own clock, and only decides who waits: what is safe, the epoch
 * decides. Each replica's epoch counts for itself; it is raised when the replica returns, so that
 * nothing that was on its way there before can still be committed. Thread-safe.
 */
public final class ClusterLease {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
  private static final Duration DEFINITIONS_END = Duration.ofSeconds(10);

  private final EngineDialect dialect;
  private final OwnTables tables;
  private final String name;
  private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();

  private ClusterLease(EngineDialect dialect, OwnTables tables, String name) {
    this.dialect = dialect;
    this.tables = tables;
    this.name = name;
  }

  /** The tables in which the replicas remember it. */
  public OwnTables tables() {
    return tables;
  }

  /** The owner's name. */
  public String name() {
    return name;
  }

  /** The epoch that this process has at a replica; 0: none. */
  public long epochAt(int replica) {
    return epochs.getOrDefault(replica, 0L);
  }

  /**
   * Takes the ownership of these replicas. One whose owner ended without giving it back is waited
   * for until the lease has run out, unless the owner kept the log that this process has open: then
   * it has ended, or given it up.
   *
   * @param log the identity of the log that this process has open; empty: none
   * @throws SQLException when another process owns them, and lives
   */
  public static ClusterLease take(
      ClusterConfiguration configuration, List<ReplicaServer> reached, String name, String log)
      throws SQLException {
    EngineDialect dialect = EngineDialect.of(configuration.engine());
    OwnTables tables = new OwnTables(dialect);
    List<ReplicaServer> inOrder = new ArrayList<>(reached);
    inOrder.sort(Comparator.comparing(ReplicaServer::name));
    Map<ReplicaServer, Connection> connections = new HashMap<>();
    ClusterLease lease = new ClusterLease(dialect, tables, name);
    boolean whole = false;
    try {
      Map<ReplicaServer, Long> seen = new HashMap<>();
      for (ReplicaServer replica : inOrder) {
        Connection connection = replica.connect();
        connections.put(replica, connection);
        execute(connection, dialect.lockWait(configuration.hang()));
        seen.put(
            replica,
            waitUntilFree(tables, connection, replica, configuration.lease(), log).epoch());
      }
      for (ReplicaServer replica : inOrder) {
        Connection connection = connections.get(replica);
        Long epoch = seen.get(replica);
        if (connection == null
            || epoch == null
            || !lease.take(replica.number(), connection, epoch)) {
          throw owned(replica, "another process, which took it at this moment");
        }
      }
      whole = true;
      return lease;
    } finally {
      for (Map.Entry<ReplicaServer, Connection> one : connections.entrySet()) {
        long epoch = lease.epochAt(one.getKey().number());
        if (!whole && epoch > 0) {
          tables.release(one.getValue(), epoch);
        }
        one.getValue().close();
      }
    }
  }

  private static ReplicaMemory waitUntilFree(
      OwnTables tables, Connection connection, ReplicaServer replica, Duration lease, String log)
      throws SQLException {
    ReplicaMemory memory = tables.read(connection);
    if (!log.isEmpty() && log.equals(memory.log())) {
      return memory;
    }
    long lastSeen = memory.renewedMillis();
    long fromNanos = TimeSource.system().elapsedNanos();
    while (!memory.free() && memory.renewedMillis() < lease.toMillis()) {
      long waitedMillis = (TimeSource.system().elapsedNanos() - fromNanos) / 1_000_000;
      boolean renewed = memory.renewedMillis() < lastSeen;
      lastSeen = memory.renewedMillis();
      if (renewed || waitedMillis > 2 * lease.toMillis()) {
        throw owned(replica, memory.owner());
      }
      pause();
      memory = tables.read(connection);
    }
    return memory;
  }

  private static void pause() throws SQLException {
    try {
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while opening.", SqlStates.CANNOT_CONNECT, e);
    }
  }

  private static SQLException owned(ReplicaServer replica, String owner) {
    return new SQLException(
        "The cluster cannot be opened because its server %s belongs to %s: close the cluster there, or connect to that process; one process at a time owns a cluster."
            .formatted(replica.name(), owner),
        SqlStates.CANNOT_CONNECT);
  }

  /** Raises one replica's epoch above an older one; says whether it was still that. */
  public boolean take(int replica, Connection connection, long oldEpoch) throws SQLException {
    boolean taken;
    try {
      taken = tables.take(connection, oldEpoch, oldEpoch + 1, name);
    } catch (SQLException e) {
      if (FailureKind.of(e) != FailureKind.GAVE_UP) {
        throw e;
      }
      // A process that was stopped between its last write and its commit holds the old epoch.
      endSessionsInTheWay(connection);
      taken = tables.take(connection, oldEpoch, oldEpoch + 1, name);
    }
    if (taken) {
      epochs.put(replica, oldEpoch + 1);
      endDefinitions(connection);
    }
    return taken;
  }

  /** The fence around what commits by itself. */
  public DefinitionFence fence() {
    return new DefinitionFence(dialect, tables);
  }

  /** Ends what commits by itself, whatever the epoch is when it does. */
  private void endDefinitions(Connection connection) throws SQLException {
    String query = dialect.sessionsDefining();
    long fromNanos = TimeSource.system().elapsedNanos();
    List<String> sessions = sessions(connection, query);
    while (!sessions.isEmpty()) {
      sessions.forEach(session -> end(connection, session));
      if (TimeSource.system().elapsedNanos() - fromNanos > DEFINITIONS_END.toNanos()) {
        throw new SQLException(
            "A definition or a copy that was under way there has not ended %d s after it was cancelled."
                .formatted(DEFINITIONS_END.toSeconds()),
            SqlStates.CANNOT_CONNECT);
      }
      pause();
      sessions = sessions(connection, query);
    }
  }

  /** Takes what a replica has for what all are to have, whatever definition it was at. */
  public void settle(Connection connection) throws SQLException {
    String lineage = UUID.randomUUID().toString();
    try {
      tables.settle(connection, lineage);
    } catch (SQLException e) {
      if (FailureKind.of(e) != FailureKind.GAVE_UP) {
        throw e;
      }
      // Whoever was at it may be stopped before its commit.
      endSessionsInTheWay(connection);
      tables.settle(connection, lineage);
    }
  }

  /** Settles that all are to have what a replica has done of a transaction that is undone. */
  public void settleUndone(Connection connection, long transaction) throws SQLException {
    if (!tables.definition(connection).isEmpty()) {
      tables.settle(connection, "undone " + transaction + " of " + name);
      connection.commit();
    }
  }

  /**
   * The reason for which a replica cannot go on by the log.
   *
   * @param definition what it was at when it was lost; empty: others were, while it was out
   */
  public static String atDefinition(String definition) {
    return definition.isEmpty()
        ? "it may lack what the others have of a definition that was undone while it was out"
        : "it may have done what the others have not, as it was lost within a definition: "
            + definition;
  }

  private void endSessionsInTheWay(Connection connection) throws SQLException {
    sessions(connection, dialect.sessionsInTheWay()).forEach(session -> end(connection, session));
  }

  private void end(Connection connection, String session) {
    try {
      execute(connection, dialect.endSession(session));
    } catch (SQLException e) {
      // It ended by itself.
    }
  }

  private static List<String> sessions(Connection connection, String query) throws SQLException {
    return EngineDialect.rows(connection, query).stream()
        .map(row -> String.valueOf(row.getFirst()))
        .toList();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
