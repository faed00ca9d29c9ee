package org.terrace.board.partitions;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The SQL nodes and data nodes of an NDB-like database, and the statements that have to be run at
 * each: a definition at an SQL node is that node's alone. Immutable.
 *
 * <p>Each table has as many partitions as there are data nodes. Partition <i>n</i> is the table
 * {@code NAME_pn} of the <i>n</i>-th data node, which is copied to that one's partner.
 *
 * @param sqlNodes the places of the SQL nodes
 * @param dataNodes the places of the data nodes, in the order of their partitions
 * @param database the name of the database at all of them
 * @param user the account at all of them
 */
public record NdbLikeDatabase(
    List<String> sqlNodes, List<String> dataNodes, String database, String user) {
  /** The data nodes of a group, which have the same rows. */
  private static final int REPLICAS = 2;

  private static final int LONGEST_ANSWER_MILLIS = 60_000;
  private static final int LONGEST_ASKING_MILLIS = 2_000;
  private static final int LONGEST_FLUSH_SECONDS = 2;
  private static final int LONGEST_TELLING_MILLIS = 10_000;

  private static final Pattern URL =
      Pattern.compile("jdbc:mariadb:(?:loadbalance:)?//([^/]+)/([A-Za-z0-9_]+).*");
  private static final Pattern TABLE =
      Pattern.compile("\\s*CREATE TABLE (\\w+) (\\(.*\\))\\s*", Pattern.DOTALL);
  private static final Pattern COMMENT = Pattern.compile("(?m)^--.*$");
  private static final Pattern OWN_NUMBER = Pattern.compile(" DEFAULT nextval\\(\\w+\\)");

  /** A key whose remainder spreads rows more evenly than the system's hash of a key. */
  private static final String NUMBERED = "PRIMARY KEY (id)";

  private static final String TABLES =
      "SELECT table_name FROM information_schema.tables"
          + " WHERE table_schema = database() AND engine = 'SPIDER'";

  /**
   * The place where a data node is, and where its partition is asked for, which is its partner's
   * after a hand-over. {@code ALTER SERVER} of a host leaves the owner as it is.
   */
  private static final String NODES =
      "SELECT owner, concat(host, ':', port) FROM mysql.servers WHERE server_name LIKE 'data%'"
          + " ORDER BY CAST(substr(server_name, 5) AS int)";

  /** Copies the places. */
  public NdbLikeDatabase {
    sqlNodes = List.copyOf(sqlNodes);
    dataNodes = List.copyOf(dataNodes);
  }

  /**
   * The database of a URL, whose data nodes its SQL nodes know.
   *
   * @param url a URL with the places of all SQL nodes, {@code jdbc:mariadb:loadbalance://...}
   */
  public static NdbLikeDatabase of(String url, String user) throws SQLException {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new SQLException(
          "the URL '"
              + url
              + "' names no SQL nodes, expected jdbc:mariadb:loadbalance://a:1,b:1/db");
    }
    List<String> sqlNodes = List.of(parts.group(1).split(",", -1));
    NdbLikeDatabase known = new NdbLikeDatabase(sqlNodes, List.of(), parts.group(2), user);
    List<String> dataNodes = known.ownersAtFirstThatAnswers();
    return new NdbLikeDatabase(sqlNodes, dataNodes, parts.group(2), user);
  }

  /** The places of the data nodes, which do not change, by the first SQL node that tells them. */
  private List<String> ownersAtFirstThatAnswers() throws SQLException {
    SQLException failure = new SQLException("there are no SQL nodes");
    for (String sqlNode : sqlNodes) {
      try {
        return owners(sqlNode);
      } catch (SQLException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private List<String> owners(String sqlNode) throws SQLException {
    List<String> dataNodes = nodes(sqlNode, 1, LONGEST_TELLING_MILLIS);
    if (dataNodes.isEmpty()) {
      throw new SQLException("the server at " + sqlNode + " knows no data nodes");
    }
    if (Set.copyOf(dataNodes).size() < dataNodes.size()) {
      throw new SQLException(
          "the server at %s knows two data nodes of one place, %s; expected the place of each as its owner in mysql.servers"
              .formatted(sqlNode, dataNodes));
    }
    return dataNodes;
  }

  /** The places at which an SQL node asks for each partition. */
  List<String> asked(String sqlNode) throws SQLException {
    return nodes(sqlNode, 2, LONGEST_ASKING_MILLIS);
  }

  private List<String> nodes(String sqlNode, int column, int longestAnswerMillis)
      throws SQLException {
    List<String> places = new ArrayList<>();
    try (Connection connection = connect(sqlNode, longestAnswerMillis);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(NODES)) {
      while (rows.next()) {
        places.add(rows.getString(column));
      }
    }
    return places;
  }

  /** A connection to one node. */
  Connection connect(String place) throws SQLException {
    return connect(place, LONGEST_ANSWER_MILLIS);
  }

  /** A connection to one node that breaks when an answer takes longer, the first one too. */
  Connection connect(String place, int longestAnswerMillis) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://%s/%s?connectTimeout=2000&socketTimeout=%d"
            .formatted(place, database, longestAnswerMillis),
        user,
        "");
  }

  /** The place of the other data node of a partition's group. */
  String partner(int partition) {
    int inGroup = (partition - 1) % REPLICAS;
    return dataNodes.get(partition - 1 - inGroup + (REPLICAS - 1 - inGroup));
  }

  /**
   * Makes one SQL node ask for partitions at other places from now on.
   *
   * <p>What an SQL node has open asks the old place. {@code FLUSH TABLES} closes only what no
   * statement uses at that moment, and Spider gives what is left open to all that come after, new
   * connections too; so tables are named, after which no statement begins with what was open
   * before.
   *
   * @param places the new places by the partitions' numbers, counted from one
   * @throws SQLException when the node is away, or when statements under way still use what was
   *     open; then it has to be told again
   */
  void serve(String sqlNode, Map<Integer, String> places) throws SQLException {
    try (Connection connection = connect(sqlNode, LONGEST_TELLING_MILLIS);
        Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION lock_wait_timeout = " + LONGEST_FLUSH_SECONDS);
      for (Map.Entry<Integer, String> each : places.entrySet()) {
        String place = each.getValue();
        int colon = place.lastIndexOf(':');
        statement.execute(
            "ALTER SERVER data%d OPTIONS (HOST '%s', PORT %s)"
                .formatted(each.getKey(), place.substring(0, colon), place.substring(colon + 1)));
      }
      String tables = tables(statement);
      if (!tables.isEmpty()) {
        statement.execute("FLUSH TABLES " + tables);
      }
    }
  }

  private static String tables(Statement statement) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(TABLES)) {
      while (rows.next()) {
        names.add("`" + rows.getString(1) + "`");
      }
    }
    return String.join(", ", names);
  }

  /** Runs a statement at each SQL node. */
  public void atSqlNodes(String sql) throws SQLException {
    for (String place : sqlNodes) {
      execute(place, sql);
    }
  }

  private void execute(String place, String sql) throws SQLException {
    try (Connection connection = connect(place);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Makes a table of each statement of a script, of the form {@code CREATE TABLE name (...)}. */
  public void createTables(String script) throws SQLException {
    for (String statement : COMMENT.matcher(script).replaceAll("").split(";\\n", -1)) {
      if (!statement.isBlank()) {
        createTable(statement, dataNodes.size());
      }
    }
  }

  /**
   * Makes a table, whose rows are spread by the remainder of a key {@code id}, or by the hash of
   * any other primary key.
   *
   * @param definition the statement, without an engine
   * @param partitions the number of partitions, as many as data nodes
   */
  void createTable(String definition, int partitions) throws SQLException {
    Matcher parts = TABLE.matcher(definition);
    if (!parts.matches()) {
      throw new SQLException("no definition of a table: " + definition);
    }
    String name = parts.group(1);
    String columns = parts.group(2);
    List<String> places = new ArrayList<>();
    for (int partition = 1; partition <= partitions; partition++) {
      String own = name + "_p" + partition;
      execute(
          dataNodes.get(partition - 1),
          "CREATE TABLE %s %s ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"
              .formatted(own, OWN_NUMBER.matcher(columns).replaceAll("")));
      places.add(
          "PARTITION p%1$d COMMENT='srv \"data%1$d\", table \"%2$s\"'".formatted(partition, own));
    }
    atSqlNodes(
        ("CREATE TABLE %s %s ENGINE=SPIDER COMMENT='wrapper \"mysql\"' DEFAULT CHARSET=utf8mb4"
                + " COLLATE=utf8mb4_bin PARTITION BY %s (%s)")
            .formatted(
                name,
                columns,
                columns.contains(NUMBERED) ? "HASH (id)" : "KEY ()",
                String.join(", ", places)));
  }

  /** Drops a table, if it is there. */
  public void dropTable(String name) throws SQLException {
    atSqlNodes("DROP TABLE IF EXISTS " + name);
    for (int partition = 1; partition <= dataNodes.size(); partition++) {
      execute(
          dataNodes.get(partition - 1), "DROP TABLE IF EXISTS %s_p%d".formatted(name, partition));
    }
  }

  /**
   * Makes a sequence at each SQL node, no two of which give the same number; greater ones may be
   * given earlier than lesser ones of another.
   */
  public void createSequence(String name) throws SQLException {
    for (int each = 0; each < sqlNodes.size(); each++) {
      execute(
          sqlNodes.get(each),
          "CREATE SEQUENCE %s START WITH %d INCREMENT BY %d ENGINE=InnoDB"
              .formatted(name, each + 1, sqlNodes.size()));
    }
  }

  /** Lets a sequence give numbers that are greater than one. */
  public void advance(String sequence, long greatest) throws SQLException {
    int nodes = sqlNodes.size();
    long rounds = (greatest + nodes - 1) / nodes;
    for (int each = 0; each < nodes; each++) {
      execute(
          sqlNodes.get(each),
          String.format(Locale.ROOT, "DO setval(%s, %d)", sequence, rounds * nodes + each + 1));
    }
  }

  /** Makes the data nodes gather statistics of a table's rows. */
  public void analyze(String name) throws SQLException {
    for (int partition = 1; partition <= dataNodes.size(); partition++) {
      execute(dataNodes.get(partition - 1), "ANALYZE TABLE %s_p%d".formatted(name, partition));
    }
  }

  /** The rows of each partition of a table, at its data node. */
  public List<Long> rows(String name) throws SQLException {
    List<Long> rows = new ArrayList<>();
    for (int partition = 1; partition <= dataNodes.size(); partition++) {
      try (Connection connection = connect(dataNodes.get(partition - 1));
          Statement statement = connection.createStatement();
          ResultSet found =
              statement.executeQuery("SELECT count(*) FROM %s_p%d".formatted(name, partition))) {
        found.next();
        rows.add(found.getLong(1));
      }
    }
    return rows;
  }
}
