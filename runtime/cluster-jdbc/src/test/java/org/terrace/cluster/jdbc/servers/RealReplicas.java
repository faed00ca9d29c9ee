package org.terrace.cluster.jdbc.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

/** Three real servers of one engine, each with its own data, for the tests of a cluster. */
public final class RealReplicas implements AutoCloseable {
  private static final String DATABASE = "shop";
  private static final String HANG = "hangMillis=";
  private static final int PATIENCE_MILLIS = 30_000;

  /**
   * Zones of MariaDB whose clocks go back by an hour half an hour from now, and did so half an hour
   * ago: this hour comes twice in both.
   */
  private static final String AUTUMN =
      """
      INSERT INTO time_zone (Time_zone_id) VALUES (901), (902);
      INSERT INTO time_zone_name VALUES ('Autumn/Before', 901), ('Autumn/After', 902);
      INSERT INTO time_zone_transition_type VALUES (901, 0, 7200, 1, 'S'), (901, 1, 3600, 0, 'W');
      INSERT INTO time_zone_transition_type VALUES (902, 0, 7200, 1, 'S'), (902, 1, 3600, 0, 'W');
      INSERT INTO time_zone_transition VALUES (901, 1, 0), (902, 1, 0);
      INSERT INTO time_zone_transition VALUES (901, UNIX_TIMESTAMP() + 1800, 1);
      INSERT INTO time_zone_transition VALUES (902, UNIX_TIMESTAMP() - 1800, 1);
      """;

  private interface Server extends AutoCloseable {
    String jdbcUrl();

    String place();

    void kill();

    void startAgain();

    void suspend();

    void resume();

    @Override
    void close();
  }

  private final String engine;
  private final List<Server> servers = new ArrayList<>();

  private RealReplicas(String engine) {
    this.engine = engine;
  }

  /** Starts servers of an engine, {@code postgresql} or {@code mariadb}. */
  public static RealReplicas start(String engine, int count) throws Exception {
    return start(engine, count, false);
  }

  /** Starts servers of an engine that lose nothing that is committed when they are killed. */
  public static RealReplicas startDurable(String engine, int count) throws Exception {
    return start(engine, count, true);
  }

  private static RealReplicas start(String engine, int count, boolean durable) throws Exception {
    RealReplicas replicas = new RealReplicas(engine);
    for (int i = 0; i < count; i++) {
      String address = "127.14.29." + (i + 1);
      replicas.servers.add(
          engine.equals("postgresql") ? postgres(address, durable) : mariaDb(address, durable));
    }
    return replicas;
  }

  private static Server postgres(String address, boolean durable) throws IOException {
    int port = freePort(address);
    PostgresServer server =
        new PostgresServer(
            PostgresOptions.at(address, port)
                .withDatabase(DATABASE, DATABASE)
                .withSizes(16, 60)
                .withDurability(durable ? Durability.DISK : Durability.NONE));
    server.initialise().start();
    return new Server() {
      @Override
      public String jdbcUrl() {
        return server.jdbcUrl();
      }

      @Override
      public String place() {
        return address + ":" + port;
      }

      @Override
      public void kill() {
        server.crash();
      }

      @Override
      public void startAgain() {
        server.start();
      }

      @Override
      public void suspend() {
        server.suspend();
      }

      @Override
      public void resume() {
        server.resume();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static Server mariaDb(String address, boolean durable) throws IOException {
    int port = freePort(address);
    MariaDbOptions options =
        MariaDbOptions.at(address, port, DATABASE).withSetting("innodb-buffer-pool-size", "16M");
    MariaDbServer server = new MariaDbServer(durable ? options : options.withoutDurability());
    server.initialise(AUTUMN).start();
    return new Server() {
      @Override
      public String jdbcUrl() {
        return server.jdbcUrl();
      }

      @Override
      public String place() {
        return address + ":" + port;
      }

      @Override
      public void kill() {
        server.crash();
      }

      @Override
      public void startAgain() {
        server.start();
      }

      @Override
      public void suspend() {
        server.suspend();
      }

      @Override
      public void resume() {
        server.resume();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  /** The cluster's URL, with options behind a question mark. */
  public String url(String options) {
    return url(options, IntStream.range(0, servers.size()).toArray());
  }

  /** The URL of a cluster of some of the servers. */
  public String url(String options, int... of) {
    List<String> places = IntStream.of(of).mapToObj(this::place).toList();
    return "jdbc:terrace:%s://%s/%s%s"
        .formatted(engine, String.join(",", places), DATABASE, options);
  }

  /** A data source over some of the servers. */
  public ClusterDataSource open(String options, int... of) throws SQLException {
    return ClusterDataSource.open(url(patient(options), of), DATABASE, "");
  }

  /** A data source over the cluster. */
  public ClusterDataSource open(String options) throws SQLException {
    return ClusterDataSource.open(url(patient(options)), DATABASE, "");
  }

  /** The options with which no server counts as hanging that a busy machine merely leaves aside. */
  public static String patient(String options) {
    return options.contains(HANG)
        ? options
        : options + (options.isEmpty() ? "?" : "&") + HANG + PATIENCE_MILLIS;
  }

  /** A connection to one server alone. */
  public Connection direct(int replica) throws SQLException {
    return DriverManager.getConnection(servers.get(replica).jdbcUrl(), DATABASE, "");
  }

  /** The statements that sleep at the first two servers, as those that tests leave to be ended. */
  public int asleep() {
    String query =
        engine.equals("mariadb")
            ? "SELECT count(*) FROM information_schema.processlist WHERE state = 'User sleep'"
            : "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    try {
      return everywhere(query, 0, 1).stream()
          .mapToInt(count -> Integer.parseInt(count.strip()))
          .sum();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The answers of each server alone to a query, in the order given; one line for each row. */
  public List<String> everywhere(String query, int... replicas) throws SQLException {
    List<String> answers = new ArrayList<>();
    for (int replica : replicas) {
      try (Connection connection = direct(replica)) {
        answers.add(rows(connection, query));
      }
    }
    return answers;
  }

  /** The rows of a query as text. */
  public static String rows(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      StringBuilder text = new StringBuilder();
      int width = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= width; i++) {
          text.append(i == 1 ? "" : "|").append(rows.getString(i));
        }
        text.append('\n');
      }
      return text.toString();
    }
  }

  /** The host and port of a server. */
  public String place(int replica) {
    return servers.get(replica).place();
  }

  /** Ends one server as a power cut does. */
  public void kill(int replica) {
    servers.get(replica).kill();
  }

  /** Starts one that was killed, with the data that it had. */
  public void startAgain(int replica) {
    servers.get(replica).startAgain();
  }

  /** Takes all tables of one server away, those of the cluster and of its ledger among them. */
  public void empty(int replica) throws SQLException {
    boolean postgres = engine.equals("postgresql");
    String tables =
        postgres
            ? "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables"
                + " WHERE schemaname IN ('public', 'terrace')"
            : "SELECT concat('`', table_name, '`') FROM information_schema.tables"
                + " WHERE table_schema = DATABASE()";
    String schemas =
        "SELECT quote_ident(nspname) FROM pg_namespace WHERE nspname NOT LIKE 'pg@_%' ESCAPE '@'"
            + " AND nspname NOT IN ('information_schema', 'public', 'terrace')";
    try (Connection connection = direct(replica);
        Statement statement = connection.createStatement()) {
      for (String schema :
          postgres ? rows(connection, schemas).lines().toList() : List.<String>of()) {
        statement.execute("DROP SCHEMA " + schema + " CASCADE");
      }
      for (String table : rows(connection, tables).lines().toList()) {
        statement.execute("DROP TABLE " + table + " CASCADE");
      }
    }
  }

  /** Stops one server without ending it: nothing that it holds is given back. */
  public void suspend(int replica) {
    servers.get(replica).suspend();
  }

  /** Lets one that was suspended go on. */
  public void resume(int replica) {
    servers.get(replica).resume();
  }

  /** Ends one server. */
  public void stop(int replica) {
    servers.get(replica).close();
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.getLocalPort();
    }
  }
}
