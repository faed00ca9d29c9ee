package org.terrace.cluster.server.dialect;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.server.copy.ServerCopy;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.StatementAnalyzer;

/** The dialect of PostgreSQL. */
enum PostgresEngineDialect implements EngineDialect {
  INSTANCE;

  private static final Pattern NEXT = Pattern.compile("nextval\\('(?:[^']|'')+'::regclass\\)");
  private static final Pattern REACHES =
      Pattern.compile("ON (?:UPDATE|DELETE) (?:CASCADE|SET NULL|SET DEFAULT)");

  /** An advisory lock: those of clients are the cluster's, and never come to a server. */
  private static final String DEFINING = "1952805490, 1668247673";

  private static final String OF_USERS =
      " n.nspname NOT IN ('pg_catalog', 'information_schema', 'terrace')"
          + " AND n.nspname NOT LIKE 'pg\\_t%' ";

  @Override
  public Engine engine() {
    return Engine.POSTGRESQL;
  }

  @Override
  public String lockWait(Duration limit) {
    return "SET lock_timeout = " + limit.toMillis();
  }

  @Override
  public String own(String table) {
    return "terrace." + table;
  }

  @Override
  public List<String> makeOwn() {
    return List.of(
        "CREATE SCHEMA IF NOT EXISTS terrace",
        "CREATE TABLE IF NOT EXISTS terrace.applied"
            + " (position bigint PRIMARY KEY, epoch bigint NOT NULL)",
        "CREATE TABLE IF NOT EXISTS terrace.owner (id int PRIMARY KEY, epoch bigint NOT NULL)",
        "CREATE TABLE IF NOT EXISTS terrace.state (id int PRIMARY KEY, epoch bigint NOT NULL,"
            + " owner text NOT NULL, renewed timestamptz NOT NULL, free int NOT NULL,"
            + " view_number bigint NOT NULL, members text NOT NULL, floor bigint NOT NULL,"
            + " log text NOT NULL, diverged text NOT NULL)",
        "CREATE TABLE IF NOT EXISTS terrace.membership (id int PRIMARY KEY,"
            + " number bigint NOT NULL, servers text NOT NULL, wish text NOT NULL,"
            + " answer text NOT NULL)",
        "INSERT INTO terrace.membership VALUES (1, 0, '', '', '') ON CONFLICT DO NOTHING",
        "INSERT INTO terrace.owner VALUES (1, 0) ON CONFLICT DO NOTHING",
        "INSERT INTO terrace.state VALUES (1, 0, '', '2000-01-01', 1, 0, '', 0, '', '')"
            + " ON CONFLICT DO NOTHING");
  }

  /** Reading a table locks it against being locked as a whole, and writes nothing. */
  @Override
  public String mark(String applied, String owner, long position, long epoch) {
    return ("SET CONSTRAINTS ALL IMMEDIATE; INSERT INTO %s (position, epoch)"
            + " SELECT %d, epoch FROM %s WHERE id = 1 AND epoch = %d")
        .formatted(applied, position, owner, epoch);
  }

  @Override
  public List<String> lockOwn(String owner) {
    return List.of("LOCK TABLE " + owner + " IN ACCESS EXCLUSIVE MODE");
  }

  @Override
  public String sessionsInTheWay() {
    return "SELECT DISTINCT pid FROM pg_locks WHERE relation = 'terrace.owner'::regclass"
        + " AND granted AND pid <> pg_backend_pid()";
  }

  @Override
  public String endSession(String session) {
    return "SELECT pg_terminate_backend(" + session + ")";
  }

  @Override
  public String clock() {
    return "clock_timestamp()";
  }

  @Override
  public String millisSince(String moment) {
    return "CAST(floor(extract(epoch FROM clock_timestamp() - " + moment + ") * 1000) AS bigint)";
  }

  @Override
  public String asText(List<String> expressions) {
    return "SELECT CAST(" + String.join(" AS text), CAST(", expressions) + " AS text)";
  }

  @Override
  public String sequenceName(String sequence) {
    return "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname)"
        + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        + " WHERE c.relkind = 'S' AND c.oid = CAST("
        + text(sequence)
        + " AS regclass)";
  }

  @Override
  public String sequencePosition(String sequence) {
    return "SELECT CAST(s.last_value AS numeric) + CASE WHEN s.is_called THEN p.seqincrement"
        + " ELSE 0 END, p.seqincrement,"
        + " CASE WHEN p.seqincrement > 0 THEN p.seqmax ELSE p.seqmin END"
        + " FROM "
        + sequence
        + " s, pg_sequence p WHERE p.seqrelid = CAST("
        + text(sequence)
        + " AS regclass)";
  }

  @Override
  public String advanceSequence(String sequence, BigInteger number) {
    return "SELECT setval(" + text(sequence) + ", " + number + ")";
  }

  private static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  @Override
  public ServerCopy copy() {
    return ServerCopy.postgres();
  }

  @Override
  public boolean definitionsCommit() {
    return false;
  }

  @Override
  public String sessionsDefining() {
    return "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1952805490"
        + " AND objid = 1668247673 AND objsubid = 2 AND granted"
        + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  }

  @Override
  public String beginDefining(Duration limit) {
    return "SELECT CASE WHEN pg_try_advisory_lock(" + DEFINING + ") THEN 1 ELSE 0 END";
  }

  @Override
  public String endDefining() {
    return "SELECT pg_advisory_unlock(" + DEFINING + ")";
  }

  @Override
  public SchemaSnapshot schema(Connection connection) throws SQLException {
    SchemaReader reader = new SchemaReader(StatementAnalyzer.defaults(Engine.POSTGRESQL));
    Map<String, String> roots = readParts(connection, reader);
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT n.nspname || '.' || t.relname, a.attname,"
                + " format_type(a.atttypid, a.atttypmod), a.attnotnull,"
                + " CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,"
                + " CASE WHEN a.attidentity <> '' THEN pg_get_serial_sequence("
                + "quote_ident(n.nspname) || '.' || quote_ident(t.relname), a.attname)"
                + " ELSE (SELECT quote_ident(m.nspname) || '.' || quote_ident(s.relname)"
                + " FROM pg_depend p JOIN pg_class s ON s.oid = p.refobjid AND s.relkind = 'S'"
                + " JOIN pg_namespace m ON m.oid = s.relnamespace"
                + " WHERE p.classid = CAST('pg_attrdef' AS regclass) AND p.objid = d.oid"
                + " AND p.refclassid = CAST('pg_class' AS regclass) LIMIT 1) END,"
                + " pg_get_expr(d.adbin, d.adrelid), t.relkind, a.attidentity,"
                + " CASE WHEN d.oid IS NULL THEN pg_get_expr(y.typdefaultbin, 0) END"
                + " FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0"
                + " AND NOT a.attisdropped"
                + " JOIN pg_type y ON y.oid = a.atttypid"
                + " LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum"
                + " WHERE t.relkind IN ('r', 'p', 'v') AND"
                + OF_USERS
                + "ORDER BY n.nspname, t.relname, a.attnum")) {
      reader.line("column", row);
      if (!"v".equals(row.get(7)) && !roots.containsKey(text(row, 0))) {
        boolean identity = !text(row, 8).isEmpty();
        // A default that is a sequence's next number and nothing more.
        boolean numbered = identity || NEXT.matcher(String.valueOf(row.get(4))).matches();
        Optional<String> sequence = numbered ? Optional.of(text(row, 5)) : Optional.empty();
        String ofDomain = row.get(9);
        reader.column(
            text(row, 0),
            text(row, 1),
            text(row, 2),
            ofDomain == null ? row.get(4) : ofDomain,
            sequence);
        if (text(row, 8).equals("a")) {
          reader.alwaysNumbered(text(row, 0));
        }
      }
    }
    readSequences(connection, reader);
    roots.values().forEach(reader::isOtherwiseUnique);
    readIndexes(connection, reader, roots);
    readRelations(connection, reader, roots);
    readRules(connection, reader, roots);
    readOthers(connection, reader, roots);
    readFunctions(connection, reader);
    String version = EngineDialect.rows(connection, "SHOW server_version").getFirst().getFirst();
    return reader.snapshot("PostgreSQL " + version, "");
  }

  private static void readSequences(Connection connection, SchemaReader reader)
      throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT n.nspname || '.' || t.relname, p.seqstart, p.seqincrement, p.seqmin, p.seqmax,"
                + " p.seqcycle FROM pg_sequence p JOIN pg_class t ON t.oid = p.seqrelid"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace WHERE"
                + OF_USERS)) {
      reader.line("sequence", row);
    }
  }

  /**
   * The tables that are parts of others, each with the one that is part of none: whoever writes to
   * one of them writes to the other as well, so that only the whole is known as a table.
   */
  private static Map<String, String> readParts(Connection connection, SchemaReader reader)
      throws SQLException {
    Map<String, String> roots = new HashMap<>();
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "WITH RECURSIVE part (child, parent) AS (SELECT inhrelid, inhparent FROM pg_inherits"
                + " UNION SELECT p.child, h.inhparent FROM part p"
                + " JOIN pg_inherits h ON h.inhrelid = p.parent)"
                + " SELECT m.nspname || '.' || c.relname, n.nspname || '.' || t.relname"
                + " FROM part p JOIN pg_class c ON c.oid = p.child"
                + " JOIN pg_namespace m ON m.oid = c.relnamespace"
                + " JOIN pg_class t ON t.oid = p.parent AND t.relkind IN ('r', 'p')"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " WHERE c.relkind IN ('r', 'p', 'f')"
                + " AND NOT EXISTS (SELECT 1 FROM pg_inherits h WHERE h.inhrelid = t.oid) AND"
                + OF_USERS
                + "ORDER BY 1, 2")) {
      reader.line("part", row);
      roots.put(text(row, 0), text(row, 1));
    }
    return roots;
  }

  private static void readRules(
      Connection connection, SchemaReader reader, Map<String, String> roots) throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT n.nspname || '.' || t.relname, pg_get_ruledef(r.oid)"
                + " FROM pg_rewrite r JOIN pg_class t ON t.oid = r.ev_class"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " WHERE t.relkind IN ('r', 'p') AND"
                + OF_USERS
                + "ORDER BY 1, 2")) {
      reader.line("rule", row);
      reader.hasTrigger(whole(row, 0, roots));
    }
  }

  /** Reads the names of what is no table, and of tables that a crash empties. */
  private static void readOthers(
      Connection connection, SchemaReader reader, Map<String, String> roots) throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT n.nspname || '.' || t.relname, t.relpersistence FROM pg_class t"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace WHERE (t.relkind IN ('v', 'm', 'f')"
                + " OR (t.relkind IN ('r', 'p') AND t.relpersistence = 'u')) AND"
                + OF_USERS)) {
      reader.line("other", row);
      boolean unlogged = text(row, 1).equals("u");
      reader.isUnfit(
          whole(row, 0, roots),
          unlogged
              ? "the table %s is UNLOGGED, and a server that crashes loses its rows"
              : "'%s' is a view or a foreign table, also if a table of another schema is called so",
          unlogged
              ? "ALTER TABLE NAME SET LOGGED"
              : "name tables, whose names nothing else in the database has");
    }
  }

  /** Those of extensions are known, or refused where they are not. */
  private static void readFunctions(Connection connection, SchemaReader reader)
      throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT p.proname, p.pronargs > 0 AND p.pronargs - p.pronargdefaults <= 1"
                + " AND y.typtype IN ('c', 'd', 'p')"
                + " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                + " LEFT JOIN pg_type y ON y.oid = p.proargtypes[0]"
                + " WHERE (p.provolatile <> 'i' OR p.prokind = 'a') AND NOT EXISTS ("
                + "SELECT 1 FROM pg_depend d WHERE d.classid = CAST('pg_proc' AS regclass)"
                + " AND d.objid = p.oid AND d.deptype = 'e') AND"
                + OF_USERS)) {
      reader.function(text(row, 0), "t".equals(row.get(1)));
    }
    for (List<@Nullable String> row :
        EngineDialect.rows(connection, "SELECT DISTINCT proname FROM pg_proc WHERE proretset")) {
      reader.functionOfSets(text(row, 0));
    }
  }

  /** The table of which another is a part, or that one itself. */
  private static String whole(List<@Nullable String> row, int column, Map<String, String> roots) {
    return roots.getOrDefault(text(row, column), text(row, column));
  }

  private static void readIndexes(
      Connection connection, SchemaReader reader, Map<String, String> roots) throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            // The key of a table that others inherit from tells none of their rows apart.
            "SELECT n.nspname || '.' || t.relname, i.indisprimary AND (t.relkind = 'p' OR NOT"
                + " EXISTS (SELECT 1 FROM pg_inherits h WHERE h.inhparent = t.oid)),"
                + " i.indisunique OR i.indisexclusion, a.attname,"
                + " k.place, pg_get_indexdef(i.indexrelid)"
                + " FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY k(number, place)"
                + " LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number"
                // What an index includes beyond its key makes no row unique.
                + " WHERE k.place <= i.indnkeyatts AND"
                + OF_USERS
                + "ORDER BY 1, 6, 5")) {
      reader.line("index", row);
      if (roots.containsKey(text(row, 0))) {
        continue;
      }
      if ("t".equals(row.get(1))) {
        reader.keyColumn(text(row, 0), text(row, 3));
      } else if ("t".equals(row.get(2))) {
        reader.isOtherwiseUnique(text(row, 0));
      }
    }
  }

  private static void readRelations(
      Connection connection, SchemaReader reader, Map<String, String> roots) throws SQLException {
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT n.nspname || '.' || t.relname, m.nspname || '.' || o.relname,"
                + " pg_get_constraintdef(c.oid), c.conname"
                + " FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " LEFT JOIN pg_class o ON o.oid = c.confrelid"
                + " LEFT JOIN pg_namespace m ON m.oid = o.relnamespace WHERE"
                + OF_USERS)) {
      reader.line("constraint", row);
      if (row.get(1) != null) {
        String referring = whole(row, 0, roots);
        String referred = whole(row, 1, roots);
        reader.refers(referring, referred);
        if (REACHES.matcher(text(row, 2)).find()) {
          reader.reaches(referred, referring);
        }
        if (text(row, 2).contains("SET DEFAULT")) {
          reader.setsDefaults(referred);
        }
      }
    }
    for (List<@Nullable String> row :
        EngineDialect.rows(
            connection,
            "SELECT n.nspname || '.' || t.relname, pg_get_triggerdef(g.oid)"
                + " FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " WHERE NOT g.tgisinternal AND"
                + OF_USERS)) {
      reader.line("trigger", row);
      reader.hasTrigger(whole(row, 0, roots));
    }
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNull(row.get(column));
  }
}
