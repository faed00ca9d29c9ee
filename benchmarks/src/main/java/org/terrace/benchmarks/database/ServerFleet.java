package org.terrace.benchmarks.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.nodes.machine.ControlGroup;
import org.terrace.nodes.machine.CpuLimits;

/** Real servers of one kind with the same rows. Confined to one thread. */
final class ServerFleet implements AutoCloseable {
  private static final int REMARKS_OF_A_STORY = 10;
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE story (id INT PRIMARY KEY, title VARCHAR(100) NOT NULL, comments INT NOT NULL)",
          "CREATE TABLE remark (id BIGINT PRIMARY KEY, story INT NOT NULL)",
          "CREATE INDEX remark_story ON remark (story)",
          "CREATE TABLE hot (id INT PRIMARY KEY, n BIGINT NOT NULL)",
          "CREATE TABLE journal (id BIGINT PRIMARY KEY, hot INT NOT NULL)");

  private final ServerKind kind;
  private final List<MeasuredServer> servers = new ArrayList<>();

  private ServerFleet(ServerKind kind) {
    this.kind = kind;
  }

  /** Servers that share the machine as they like. */
  static ServerFleet unlimited(ServerKind kind, int count) throws IOException {
    ServerFleet fleet = new ServerFleet(kind);
    for (int i = 0; i < count; i++) {
      fleet.start(Optional.empty());
    }
    return fleet;
  }

  /** Servers each of which gets so many cores, where the machine permits limits. */
  static ServerFleet limited(ServerKind kind, int count, CpuLimits limits, double cores)
      throws IOException {
    ServerFleet fleet = new ServerFleet(kind);
    for (int i = 0; i < count; i++) {
      fleet.start(limits.limit(kind + "-" + i, cores));
    }
    return fleet;
  }

  private void start(Optional<ControlGroup> group) throws IOException {
    try {
      servers.add(MeasuredServer.start(kind, servers.size(), group));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  MeasuredServer server(int index) {
    return servers.get(index);
  }

  /** The URL of a cluster of the first servers, with its options. */
  String clusterUrl(int replicas, String options) {
    List<String> places = servers.subList(0, replicas).stream().map(MeasuredServer::place).toList();
    return "jdbc:terrace:%s://%s/%s?%s"
        .formatted(kind.engine(), String.join(",", places), MeasuredServer.DATABASE, options);
  }

  /** A connection to one server alone. */
  Connection direct(int index) throws SQLException {
    return DriverManager.getConnection(servers.get(index).jdbcUrl(), MeasuredServer.DATABASE, "");
  }

  /** The processor time of the first servers, in seconds. */
  double cpuSeconds(int replicas) {
    return servers.subList(0, replicas).stream().mapToDouble(MeasuredServer::cpuSeconds).sum();
  }

  /**
   * Gives all servers the same rows and nothing else: also what a cluster remembers in them goes.
   */
  void reset() throws SQLException {
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).lift();
      try (Connection connection = direct(i);
          Statement statement = connection.createStatement()) {
        clear(statement);
        fill(statement);
      }
      servers.get(i).enforce();
    }
  }

  private void clear(Statement statement) throws SQLException {
    switch (kind) {
      case POSTGRESQL -> statement.execute("DROP SCHEMA IF EXISTS terrace CASCADE");
      case MARIADB, DEBIAN_MARIADB, GALERA -> {
        for (String table : tablesOfTheCluster(statement)) {
          statement.execute("DROP TABLE `" + table + "`");
        }
      }
    }
    statement.execute("DROP TABLE IF EXISTS story, remark, hot, journal");
  }

  private static List<String> tablesOfTheCluster(Statement statement) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("SHOW TABLES")) {
      while (rows.next()) {
        String name = rows.getString(1);
        if (name.startsWith("terrace_")) {
          tables.add(name);
        }
      }
    }
    return tables;
  }

  private static void fill(Statement statement) throws SQLException {
    for (String table : TABLES) {
      statement.execute(table);
    }
    List<String> stories = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (int story = 1; story <= MixSession.STORIES; story++) {
      stories.add("(%d, 'Story %d', %d)".formatted(story, story, REMARKS_OF_A_STORY));
      for (int i = 0; i < REMARKS_OF_A_STORY; i++) {
        remarks.add("(%d, %d)".formatted(story * REMARKS_OF_A_STORY + i, story));
      }
    }
    List<String> hot = new ArrayList<>();
    for (int row = 1; row <= MixSession.HOT_ROWS; row++) {
      hot.add("(%d, 0)".formatted(row));
    }
    statement.execute("INSERT INTO story VALUES " + String.join(", ", stories));
    statement.execute("INSERT INTO remark VALUES " + String.join(", ", remarks));
    statement.execute("INSERT INTO hot VALUES " + String.join(", ", hot));
  }

  @Override
  public void close() {
    servers.forEach(MeasuredServer::close);
    servers.clear();
  }
}
