package org.terrace.cluster.controller;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** The clusters of both engines over which the two drivers are compared. */
@Tag("real-processes")
@Tag("untimed")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConformanceServers {
  static final String POSTGRES = "postgresql";
  static final String MARIADB = "mariadb";

  private final Map<String, RealReplicas> replicas = new HashMap<>();
  private final Map<String, ClusterDataSource> sources = new HashMap<>();
  private final Map<String, ControllerServer> controllers = new HashMap<>();

  /** Whether a controller is between the program and the cluster. */
  abstract boolean isThroughController();

  @BeforeAll
  void start() throws Exception {
    for (String engine : List.of(POSTGRES, MARIADB)) {
      RealReplicas servers = RealReplicas.start(engine, 2);
      replicas.put(engine, servers);
      ClusterDataSource source = servers.open("");
      sources.put(engine, source);
      if (isThroughController()) {
        controllers.put(engine, ControllerServer.start(source, "shop", "127.0.0.1", 0, ""));
      }
    }
  }

  @AfterAll
  void stop() {
    controllers.values().forEach(ControllerServer::close);
    sources.values().forEach(ClusterDataSource::close);
    replicas.values().forEach(RealReplicas::close);
  }

  @BeforeEach
  void makeTables() throws SQLException {
    for (ClusterDataSource source : sources.values()) {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        boolean mariaDb = connection.getMetaData().getDatabaseProductName().equals("MariaDB");
        statement.executeUpdate("DROP TABLE IF EXISTS numbered");
        statement.executeUpdate("DROP TABLE IF EXISTS item");
        statement.executeUpdate(
            "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric(10, 2), day date, large %s, at timestamp NULL)"
                .formatted(mariaDb ? "longblob" : "bytea"));
        statement.executeUpdate(
            "CREATE TABLE numbered (id %s PRIMARY KEY, name varchar(100))"
                .formatted(mariaDb ? "int AUTO_INCREMENT" : "serial"));
      }
    }
  }

  final Connection connect(String engine) throws SQLException {
    ControllerServer controller = controllers.get(engine);
    return controller == null
        ? sources.get(engine).getConnection()
        : DriverManager.getConnection(
            "jdbc:terrace:controller://127.0.0.1:%d/shop".formatted(controller.port()));
  }

  final ClusterDataSource source(String engine) {
    return Objects.requireNonNull(sources.get(engine));
  }

  final RealReplicas replicas(String engine) {
    return Objects.requireNonNull(replicas.get(engine));
  }

  static List<String> names(Connection connection) throws SQLException {
    return RealReplicas.rows(connection, "SELECT name FROM item ORDER BY id").lines().toList();
  }

  static void insert(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO item (id, name) VALUES (%d, 'n%d')".formatted(id, id));
    }
  }

  static String state(Throwable failure) {
    return String.valueOf(((SQLException) failure).getSQLState());
  }

  static void fill(Connection connection, int many) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO item (id, name) VALUES (?, ?)")) {
      for (int i = 1; i <= many; i++) {
        insert.setInt(1, i);
        insert.setString(2, "n" + i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
