package org.terrace.cluster.server.dialect;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.server.copy.ServerCopy;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.StatementAnalyzer;
import org.terrace.cluster.sql.TableCounter;

/** The dialect of MariaDB. */
enum MariaDbEngineDialect implements EngineDialect {
  INSTANCE;

  private static final Pattern NEXT = Pattern.compile("nextval\\(`[^`]+`\\.`([^`]+)`\\)");

  /** The name of a lock, of which a server has 64 characters. */
  private static final String DEFINING = "CONCAT('terrace definition ', MD5(DATABASE()))";

  /** The engines with transactions that are there after a crash. */
  private static final Set<String> KEEPING = Set.of("InnoDB", "ROCKSDB");

  private static final String OF_USERS =
      " table_schema = DATABASE() AND table_name NOT LIKE 'terrace\\_%' ";

  @Override
  public Engine engine() {
    return Engine.MARIADB;
  }

  @Override
  public String lockWait(Duration limit) {
    long seconds = Math.max(1, limit.toSeconds());
    // The second is that of definitions, which wait for whoever has read the table.
    return "SET SESSION innodb_lock_wait_timeout = " + seconds + ", lock_wait_timeout = " + seconds;
  }

  @Override
  public String own(String table) {
    return "terrace_" + table;
  }

  @Override
  public List<String> makeOwn() {
    return List.of(
        "CREATE TABLE IF NOT EXISTS terrace_applied"
            + " (position bigint PRIMARY KEY, epoch bigint NOT NULL) ENGINE=InnoDB",
        "CREATE TABLE IF NOT EXISTS terrace_owner"
            + " (id int PRIMARY KEY, epoch bigint NOT NULL) ENGINE=InnoDB",
        "CREATE TABLE IF NOT EXISTS terrace_state (id int PRIMARY KEY, epoch bigint NOT NULL,"
            + " owner varchar(300) NOT NULL, renewed datetime(6) NOT NULL, free int NOT NULL,"
            + " view_number bigint NOT NULL, members text NOT NULL, floor bigint NOT NULL,"
            + " log varchar(40) NOT NULL, diverged varchar(600) NOT NULL) ENGINE=InnoDB",
        "CREATE TABLE IF NOT EXISTS terrace_membership (id int PRIMARY KEY,"
            + " number bigint NOT NULL, servers text NOT NULL, wish text NOT NULL,"
            + " answer text NOT NULL) ENGINE=InnoDB",
        "CREATE TABLE IF NOT EXISTS terrace_defining"
            + " (id int PRIMARY KEY, definition text NOT NULL, lineage varchar(400) NOT NULL)"
            + " ENGINE=InnoDB",
        "INSERT IGNORE INTO terrace_membership VALUES (1, 0, '', '', '')",
        "INSERT IGNORE INTO terrace_owner VALUES (1, 0)",
        "INSERT IGNORE INTO terrace_state"
            + " VALUES (1, 0, '', '2000-01-01', 1, 0, '', 0, '', '')");
  }

  @Override
  public String mark(String applied, String owner, long position, long epoch) {
    return ("INSERT INTO %s (position, epoch) SELECT %d, epoch FROM %s"
            + " WHERE id = 1 AND epoch = %d LOCK IN SHARE MODE")
        .formatted(applied, position, owner, epoch);
  }

  /** Changing the row waits for those that keep it. */
  @Override
  public List<String> lockOwn(String owner) {
    return List.of();
  }

  /** Only those who may see all transactions could tell which of the account's sessions it is. */
  @Override
  public String sessionsInTheWay() {
    return "SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
        + " AND user = SUBSTRING_INDEX(USER(), '@', 1) AND command = 'Sleep'"
        + " AND id <> CONNECTION_ID()";
  }

  @Override
  public String endSession(String session) {
    return "KILL CONNECTION " + session;
  }

  @Override
  public String clock() {
    return "UTC_TIMESTAMP(6)";
  }

  @Override
  public String millisSince(String moment) {
    return "FLOOR(TIMESTAMPDIFF(MICROSECOND, " + moment + ", UTC_TIMESTAMP(6)) / 1000)";
  }

  @Override
  public String asText(List<String> expressions) {
    return "SELECT CAST(" + String.join(" AS CHAR), CAST(", expressions) + " AS CHAR)";
  }

  @Override
  public String sequenceName(String sequence) {
    return "SELECT CONCAT('`', REPLACE(table_name, '`', '``'), '`') FROM information_schema.tables"
        + " WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE' AND table_name = "
        + quoted(sequence);
  }

  @Override
  public String sequencePosition(String sequence) {
    Optional<TableCounter> counter = TableCounter.of(sequence);
    return counter.isPresent()
        ? "SELECT COALESCE(auto_increment, 1), 1, 18446744073709551615"
            + " FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = "
            + quoted(counter.get().table())
        : "SELECT next_not_cached_value, increment,"
            + " CASE WHEN increment < 0 THEN minimum_value ELSE maximum_value END FROM "
            + sequence;
  }

  /** It moves nothing back, and says nothing when there is nothing to do. */
  @Override
  public String advanceSequence(String sequence, BigInteger number) {
    return "DO SETVAL(" + sequence + ", " + number + ")";
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  @Override
  public ServerCopy copy() {
    return ServerCopy.mariaDb();
  }

  @Override
  public boolean definitionsCommit() {
    return true;
  }

  /** The lock is the session's, and is let go when that has ended, whatever it still had to do. */
  @Override
  public String sessionsDefining() {
    return "SELECT holder FROM (SELECT IS_USED_LOCK("
        + DEFINING
        + ") holder) l WHERE holder IS NOT NULL";
  }

  @Override
  public String beginDefining(Duration limit) {
    return "SELECT GET_LOCK(" + DEFINING + ", " + limit.toSeconds() + ")";
  }

  @Override
  public String endDefining() {
    return "SELECT RELEASE_LOCK(" + DEFINING + ")";
  }

  @Override
  public SchemaSnapshot schema(Connection connection) throws SQLException {
    SchemaReader reader = new SchemaReader(StatementAnalyzer.defaults(Engine.MARIADB));
    List<@Nullable String> server =
        EngineDialect.rows(connection, "SELECT VERSION(), DATABASE(), @@lower_case_table_names")
            .getFirst();
    boolean capitalsCount = text(server, 2).equals("0");
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT c.table_name, c.column_name, c.column_type, c.is_nullable, c.column_default,"
                + " c.extra, c.generation_expression, t.table_type, t.engine, c.collation_name"
                + " FROM information_schema.columns c JOIN information_schema.tables t"
                + " USING (table_schema, table_name) WHERE"
                + OF_USERS
                // A row without a list of columns gives none of the invisible ones.
                + "ORDER BY c.table_name, c.extra LIKE '%INVISIBLE%', c.ordinal_position")) {
      reader.line("column", row);
      if ("BASE TABLE".equals(row.get(7))) {
        column(reader, row);
      }
      checkKind(reader, row);
      if (capitalsCount) {
        reader.spelled(text(row, 0));
      }
    }
    readKeys(connection, reader);
    return reader.snapshot("MariaDB " + server.getFirst(), text(server, 1));
  }

  private static void checkKind(SchemaReader reader, List<@Nullable String> row) {
    String engine = String.valueOf(row.get(8));
    if ("SYSTEM VERSIONED".equals(row.get(7))) {
      reader.isUnfit(
          "." + text(row, 0),
          "each server notes by its own clock since when the rows of %s hold",
          "ALTER TABLE NAME DROP SYSTEM VERSIONING");
    } else if ("VIEW".equals(row.get(7))) {
      // Its name may differ from a table's in capitals alone, and it is not judged as that table.
      reader.isUnfit(
          "." + text(row, 0),
          "'%s' is a view, also if a table is called so in other capitals",
          "name tables, whose names nothing else in the database has");
    } else if ("BASE TABLE".equals(row.get(7)) && !KEEPING.contains(engine)) {
      reader.isUnfit(
          "." + text(row, 0),
          "the table %s is of the engine "
              + engine
              + ", in which a server that fails may lose what is committed, or keep what is undone",
          "ALTER TABLE NAME ENGINE = InnoDB");
    }
  }

  private static void column(SchemaReader reader, List<@Nullable String> row) {
    String table = text(row, 0);
    String extra = text(row, 5).toLowerCase(Locale.ROOT);
    boolean numbered = extra.contains("auto_increment");
    boolean generated = row.get(6) != null && !text(row, 6).isEmpty();
    if (extra.contains("on update")) {
      reader.changesByItself("." + table);
    }
    if (generated && extra.contains("virtual")) {
      reader.calculated("." + table, text(row, 1), text(row, 2), text(row, 6));
      return;
    }
    reader.column(
        "." + table,
        text(row, 1),
        text(row, 2),
        generated ? null : row.get(4),
        numbered
            ? Optional.of(new TableCounter(table).text())
            : generated ? Optional.empty() : sequence(row.get(4)));
    if (text(row, 3).equals("NO") && text(row, 2).startsWith("timestamp")) {
      reader.datedForNull("." + table);
    }
  }

  /** The sequence of this database whose next number a default is, if it is one. */
  private static Optional<String> sequence(@Nullable String defaultText) {
    Matcher matcher = NEXT.matcher(defaultText == null ? "" : defaultText);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static void readKeys(Connection connection, SchemaReader reader) throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT table_name, index_name, non_unique, column_name, seq_in_index"
                + " FROM information_schema.statistics WHERE"
                + OF_USERS
                + "ORDER BY table_name, index_name, seq_in_index")) {
      reader.line("index", row);
      if ("PRIMARY".equals(row.get(1))) {
        reader.keyColumn("." + text(row, 0), text(row, 3));
      } else if ("0".equals(row.get(2))) {
        reader.isOtherwiseUnique("." + text(row, 0));
      }
    }
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT table_name, referenced_table_name, constraint_name, update_rule, delete_rule"
                + " FROM information_schema.referential_constraints"
                + " WHERE constraint_schema = DATABASE()")) {
      reader.line("reference", row);
      reader.refers("." + text(row, 0), "." + text(row, 1));
    }
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT event_object_table, trigger_name, action_statement"
                + " FROM information_schema.triggers WHERE trigger_schema = DATABASE()")) {
      reader.line("trigger", row);
      reader.hasTrigger("." + text(row, 0));
    }
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNull(row.get(column));
  }
}
