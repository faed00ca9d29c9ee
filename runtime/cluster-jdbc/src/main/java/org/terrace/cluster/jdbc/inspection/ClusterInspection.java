package org.terrace.cluster.jdbc.inspection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.cluster.server.dialect.ComparedTable;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.SchemaSnapshot;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.server.memory.ReplicaMemory;

/**
 * A look at the servers of a cluster from outside, while another process may own it: nothing is
 * taken and nothing written. Immutable; one thread at a time.
 */
public final class ClusterInspection {
  private final ClusterConfiguration configuration;
  private final EngineDialect dialect;

  private ClusterInspection(ClusterConfiguration configuration) {
    this.configuration = configuration;
    this.dialect = EngineDialect.of(configuration.engine());
  }

  /**
   * An inspection of the cluster of a URL.
   *
   * @throws SQLException when the URL is wrong
   */
  public static ClusterInspection of(String url, Properties properties) throws SQLException {
    return new ClusterInspection(ClusterUrl.parse(url, properties));
  }

  private List<ReplicaServer> servers() {
    return IntStream.range(0, configuration.replicas().size())
        .mapToObj(number -> new ReplicaServer(number, configuration))
        .toList();
  }

  /** The memory of each server of the URL, in its order. */
  public List<ServerStatus> status() {
    List<ServerStatus> statuses = new ArrayList<>();
    for (ReplicaServer server : servers()) {
      try (Connection connection = server.connect()) {
        statuses.add(status(server, connection));
      } catch (SQLException e) {
        statuses.add(ServerStatus.failed(server.name(), String.valueOf(e.getMessage()).strip()));
      }
    }
    return statuses;
  }

  private ServerStatus status(ReplicaServer server, Connection connection) throws SQLException {
    String version = dialect.schema(connection).version();
    ReplicaMemory memory = new OwnTables(dialect).read(connection);
    return new ServerStatus(
        server.name(),
        "",
        version,
        memory.owner(),
        !memory.free() && memory.renewedMillis() < configuration.lease().toMillis(),
        memory.renewedMillis(),
        memory.epoch(),
        memory.view(),
        memory.members(),
        memory.last(),
        memory.log(),
        memory.diverged());
  }

  /**
   * Compares every table of every server with that of the first that answers, while the cluster may
   * be written. Costs a reading of all tables at all servers, and the memory of the keys of the
   * largest.
   *
   * @throws SQLException when fewer than two servers answer, their schemas differ, or one fails
   */
  public List<TableComparison> verify() throws SQLException, InterruptedException {
    Map<ReplicaServer, Connection> connections = new TreeMap<>(ReplicaServer.IN_ORDER);
    try {
      List<String> failures = new ArrayList<>();
      for (ReplicaServer server : servers()) {
        try {
          connections.put(server, server.connect());
        } catch (SQLException e) {
          failures.add(server.name() + ": " + String.valueOf(e.getMessage()).strip());
        }
      }
      if (connections.size() < 2) {
        throw new SQLException(
            "Fewer than two servers answer, so that there is nothing to compare: " + failures,
            SqlStates.CANNOT_CONNECT);
      }
      return compare(connections);
    } finally {
      for (Connection connection : connections.values()) {
        connection.close();
      }
    }
  }

  private List<TableComparison> compare(Map<ReplicaServer, Connection> connections)
      throws SQLException, InterruptedException {
    List<ReplicaServer> servers = new ArrayList<>(connections.keySet());
    ReplicaServer first = servers.removeFirst();
    Connection firstConnection = connections.get(first);
    List<TableComparison> comparisons = new ArrayList<>();
    if (firstConnection == null) {
      return comparisons;
    }
    SchemaSnapshot schema = dialect.schema(firstConnection);
    List<ComparedTable> tables = ComparedTable.of(firstConnection, configuration.engine());
    for (ReplicaServer second : servers) {
      Connection secondConnection = connections.get(second);
      if (secondConnection == null) {
        continue;
      }
      String difference =
          schema.difference(first.name(), dialect.schema(secondConnection), second.name());
      if (!difference.isEmpty()) {
        throw new SQLException("The servers' schemas differ: " + difference, "42000");
      }
      for (ComparedTable table : tables) {
        comparisons.add(
            new TableComparer(table, firstConnection, secondConnection)
                .compare(first.name(), second.name()));
      }
    }
    return comparisons;
  }
}
