package org.terrace.cluster.server.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The definitions of a server of PostgreSQL, as the statements that make them elsewhere. */
record PostgresDefinitions(Connection connection) {
  private static final String OF_USERS =
      " n.nspname NOT IN ('pg_catalog', 'information_schema', 'terrace')"
          + " AND n.nspname NOT LIKE 'pg\\_t%' ";

  /** The condition that leaves out what comes with an extension. */
  private static final String NO_EXTENSION =
      " NOT EXISTS (SELECT 1 FROM pg_depend x WHERE x.objid = %s AND x.deptype = 'e') ";

  private static final String NAME = "quote_ident(n.nspname) || '.' || quote_ident(t.relname)";
  private static final String OF_TABLES =
      " FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace WHERE"
          + OF_USERS
          + "AND"
          + NO_EXTENSION.formatted("t.oid");

  /** The tables that rows are copied of: a partitioned one has those of its parts. */
  List<String> tables() throws SQLException {
    return ShortStatements.column(
        connection,
        "SELECT "
            + NAME
            + OF_TABLES
            + "AND t.relkind IN ('r', 'p') AND NOT t.relispartition ORDER BY 1");
  }

  /** The text behind FROM for the rows of a table, without those of tables that inherit from it. */
  String from(String table) throws SQLException {
    String kind =
        ShortStatements.column(
                connection,
                "SELECT relkind FROM pg_class WHERE oid = CAST(%s AS regclass)"
                    .formatted(literal(table)))
            .getFirst();
    return kind.equals("p") ? table : "ONLY " + table;
  }

  /** The columns of a table that have values of their own, with commas between. */
  String columns(String table) throws SQLException {
    return String.join(
        ", ",
        ShortStatements.column(
            connection,
            ("SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = CAST(%s AS regclass)"
                    + " AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum")
                .formatted(literal(table))));
  }

  List<String> sequences() throws SQLException {
    return ShortStatements.column(
        connection, "SELECT " + NAME + OF_TABLES + "AND t.relkind = 'S' ORDER BY 1");
  }

  /** The statements that drop all that a copy makes. */
  List<String> dropAll() throws SQLException {
    List<String> statements = new ArrayList<>();
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT CASE t.relkind WHEN 'v' THEN 'DROP VIEW IF EXISTS '"
                + " WHEN 'm' THEN 'DROP MATERIALIZED VIEW IF EXISTS '"
                + " WHEN 'S' THEN 'DROP SEQUENCE IF EXISTS ' ELSE 'DROP TABLE IF EXISTS ' END || "
                + NAME
                + " || ' CASCADE'"
                + OF_TABLES
                + "AND t.relkind IN ('r', 'p', 'v', 'm', 'S')"
                // A sequence of an identity column goes with its table.
                + " ORDER BY position(t.relkind IN 'vmrpS')"));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT CASE WHEN p.prokind = 'p' THEN 'DROP PROCEDURE ' ELSE 'DROP FUNCTION ' END"
                + " || CAST(CAST(p.oid AS regprocedure) AS text) || ' CASCADE'"
                + functions()));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT 'DROP TYPE ' || quote_ident(n.nspname) || '.' || quote_ident(y.typname)"
                + " || ' CASCADE'"
                + enumerations()));
    return statements;
  }

  private static String functions() {
    return " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        + " WHERE p.prokind IN ('f', 'p') AND"
        + NO_EXTENSION.formatted("p.oid")
        + "AND"
        + OF_USERS;
  }

  private static String enumerations() {
    return " FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace WHERE y.typtype = 'e' AND"
        + NO_EXTENSION.formatted("y.oid")
        + "AND"
        + OF_USERS;
  }

  /** Schemas, enumerations, functions, sequences and bare tables. */
  List<String> beforeRows() throws SQLException {
    List<String> statements =
        new ArrayList<>(
            ShortStatements.column(
                connection,
                "SELECT 'CREATE SCHEMA IF NOT EXISTS ' || quote_ident(n.nspname)"
                    + " FROM pg_namespace n WHERE n.nspname <> 'public' AND"
                    + OF_USERS));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT 'CREATE TYPE ' || quote_ident(n.nspname) || '.' || quote_ident(y.typname)"
                + " || ' AS ENUM (' || (SELECT string_agg(quote_literal(e.enumlabel), ', '"
                + " ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = y.oid) || ')'"
                + enumerations()));
    statements.addAll(
        ShortStatements.column(connection, "SELECT pg_get_functiondef(p.oid)" + functions()));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT 'CREATE SEQUENCE ' || "
                + NAME
                + " || ' AS ' || format_type(q.seqtypid, NULL) || "
                + options()
                + " FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " JOIN pg_sequence q ON q.seqrelid = t.oid WHERE"
                + OF_USERS
                + "AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = t.oid"
                + " AND d.deptype = 'i')"));
    for (String table :
        ShortStatements.column(
            connection, "SELECT " + NAME + OF_TABLES + "AND t.relkind = 'r' ORDER BY 1")) {
      statements.add("CREATE TABLE " + table + " (" + String.join(", ", shapes(table)) + ")");
    }
    return statements;
  }

  private static String options() {
    return "' INCREMENT BY ' || q.seqincrement || ' MINVALUE ' || q.seqmin || ' MAXVALUE '"
        + " || q.seqmax || ' START WITH ' || q.seqstart || ' CACHE ' || q.seqcache"
        + " || CASE WHEN q.seqcycle THEN ' CYCLE' ELSE '' END";
  }

  private List<String> shapes(String table) throws SQLException {
    return ShortStatements.column(
        connection,
        "SELECT quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)"
            + " || CASE WHEN a.attcollation <> y.typcollation THEN ' COLLATE '"
            + " || CAST(CAST(a.attcollation AS regcollation) AS text) ELSE '' END"
            + " || CASE WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS ('"
            + " || pg_get_expr(d.adbin, d.adrelid) || ') STORED'"
            + " WHEN a.attgenerated = 'v' THEN ' GENERATED ALWAYS AS ('"
            + " || pg_get_expr(d.adbin, d.adrelid) || ') VIRTUAL'"
            + " WHEN a.attidentity <> '' THEN ' GENERATED '"
            + " || CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END"
            + " || ' AS IDENTITY (SEQUENCE NAME ' || pg_get_serial_sequence("
            + literal(table)
            + ", a.attname) || (SELECT "
            + options()
            + " FROM pg_sequence q WHERE q.seqrelid = CAST(pg_get_serial_sequence("
            + literal(table)
            + ", a.attname) AS regclass)) || ')'"
            + " WHEN d.oid IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)"
            + " ELSE '' END"
            // From version 18 on it is a constraint with a name.
            + " || CASE WHEN NOT a.attnotnull THEN '' ELSE COALESCE((SELECT ' CONSTRAINT '"
            + " || quote_ident(c.conname) FROM pg_constraint c WHERE c.conrelid = a.attrelid"
            + " AND c.contype = 'n' AND c.conkey[1] = a.attnum LIMIT 1), '') || ' NOT NULL' END"
            + " FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid"
            + " LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
            + " WHERE a.attrelid = CAST("
            + literal(table)
            + " AS regclass) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum");
  }

  /** Keys, checks, indexes, the owners of sequences, and views. */
  List<String> afterRows() throws SQLException {
    List<String> statements = new ArrayList<>(constraints("contype IN ('p', 'u', 'x', 'c')"));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i"
                + " JOIN pg_class t ON t.oid = i.indrelid"
                + " JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c"
                + " WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x')) AND"
                + NO_EXTENSION.formatted("t.oid")
                + "AND"
                + OF_USERS));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT 'ALTER SEQUENCE ' || "
                + NAME
                + " || ' OWNED BY ' || quote_ident(m.nspname) || '.' || quote_ident(o.relname)"
                + " || '.' || quote_ident(a.attname)"
                + " FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
                + " JOIN pg_depend d ON d.objid = t.oid AND d.deptype = 'a'"
                + " AND d.refclassid = CAST('pg_class' AS regclass)"
                + " JOIN pg_class o ON o.oid = d.refobjid"
                + " JOIN pg_namespace m ON m.oid = o.relnamespace"
                + " JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum = d.refobjsubid"
                + " WHERE t.relkind = 'S' AND"
                + OF_USERS));
    statements.addAll(
        ShortStatements.column(
            connection,
            "SELECT 'CREATE VIEW ' || "
                + NAME
                + " || ' AS ' || pg_get_viewdef(t.oid)"
                + OF_TABLES
                // Who is built on another was made after it.
                + "AND t.relkind = 'v' ORDER BY t.oid"));
    return statements;
  }

  /** The statements that put foreign keys where they are. */
  List<String> references() throws SQLException {
    return constraints("contype = 'f' AND c.conparentid = 0");
  }

  private List<String> constraints(String which) throws SQLException {
    return ShortStatements.column(
        connection,
        "SELECT 'ALTER TABLE ' || "
            + NAME
            + " || ' ADD CONSTRAINT ' || quote_ident(c.conname) || ' '"
            + " || pg_get_constraintdef(c.oid)"
            + " FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
            + " JOIN pg_namespace n ON n.oid = t.relnamespace WHERE c."
            + which
            + " AND"
            + NO_EXTENSION.formatted("t.oid")
            + "AND"
            + OF_USERS
            + "ORDER BY 1");
  }

  /** The statements that take foreign keys away. */
  List<String> dropReferences() throws SQLException {
    return ShortStatements.column(
        connection,
        "SELECT 'ALTER TABLE ' || "
            + NAME
            + " || ' DROP CONSTRAINT ' || quote_ident(c.conname)"
            + " FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
            + " JOIN pg_namespace n ON n.oid = t.relnamespace"
            + " WHERE c.contype = 'f' AND c.conparentid = 0 AND"
            + OF_USERS
            + "ORDER BY 1");
  }

  /** The statements that make the triggers of tables. */
  List<String> triggers() throws SQLException {
    return ShortStatements.column(connection, "SELECT pg_get_triggerdef(g.oid)" + ofTriggers());
  }

  /** The statements that let triggers of tables alone, or not. */
  List<String> triggers(String enableOrDisable) throws SQLException {
    return ShortStatements.column(
        connection,
        "SELECT DISTINCT 'ALTER TABLE ' || "
            + NAME
            + " || ' "
            + enableOrDisable
            + " TRIGGER USER'"
            + ofTriggers());
  }

  private static String ofTriggers() {
    return " FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid"
        + " JOIN pg_namespace n ON n.oid = t.relnamespace"
        + " WHERE NOT g.tgisinternal AND g.tgparentid = 0 AND"
        + OF_USERS;
  }

  /** A text as PostgreSQL writes it in statements. */
  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
