package org.terrace.cluster.server.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

/** Copies between two real servers of each engine. */
@Tag("real-processes")
@Tag("untimed")
class ServerCopyTest {
  private static final List<String> POSTGRES =
      List.of(
          "CREATE SCHEMA \"Other\"",
          "CREATE TYPE mood AS ENUM ('s\u00e4d', 'happy')",
          "CREATE SEQUENCE steps INCREMENT 5 START 100 MAXVALUE 1000 CYCLE",
          "CREATE FUNCTION twice(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n * 2'",
          "CREATE TABLE node (id serial PRIMARY KEY, up int, name text COLLATE \"C\" NOT NULL,"
              + " mood mood DEFAULT 'happy', n numeric(20,5), f real, d double precision,"
              + " raw bytea, at timestamptz, tags text[], doc jsonb,"
              + " double_n int GENERATED ALWAYS AS (twice(1) + 1) STORED,"
              + " step bigint DEFAULT nextval('steps'), CHECK (n > -100), UNIQUE (name))",
          "ALTER TABLE node ADD FOREIGN KEY (up) REFERENCES node (id)",
          "CREATE TABLE \"Other\".\"Leaf One\" (id int GENERATED ALWAYS AS IDENTITY"
              + " (START 7 INCREMENT 3) PRIMARY KEY, node_id int REFERENCES node (id) ON DELETE"
              + " CASCADE, gone int, \"Odd Name\" text)",
          "ALTER TABLE \"Other\".\"Leaf One\" DROP COLUMN gone",
          "CREATE INDEX leaf_odd ON \"Other\".\"Leaf One\" (lower(\"Odd Name\")) WHERE node_id > 1",
          "CREATE VIEW names AS SELECT name FROM node",
          "CREATE VIEW more_names AS SELECT name || '!' AS name FROM names",
          "INSERT INTO node (up, name, n, f, d, raw, at, tags, doc) SELECT CASE WHEN i < 500"
              + " THEN i + 1 END, E'n\\t\\\\' || i, i / 7.0, i / 3.0, i / 3.0,"
              + " decode(md5(i::text), 'hex'), '2026-03-29 01:30:00+00', ARRAY['a', NULL, 'b,c'],"
              + " jsonb_build_object('i', i) FROM generate_series(1, 500) i",
          "INSERT INTO \"Other\".\"Leaf One\" (node_id, \"Odd Name\")"
              + " SELECT i, CASE WHEN i % 2 = 0 THEN 'l' || i END FROM generate_series(1, 500) i");

  private static final List<String> MARIADB =
      List.of(
          "CREATE SEQUENCE steps INCREMENT BY 5 START WITH 100 NOCACHE",
          "CREATE TABLE node (id int AUTO_INCREMENT PRIMARY KEY, up int, name varchar(40)"
              + " CHARACTER SET latin1 NOT NULL UNIQUE, mood ENUM('s\u00e4d', 'happy'),"
              + " n decimal(20,5), f float, d double, raw varbinary(20), flags bit(5), y year,"
              + " at timestamp(6) NULL, t time(3), doc longtext,"
              + " double_n int AS (y * 2) PERSISTENT, step bigint DEFAULT nextval(steps),"
              + " FOREIGN KEY (up) REFERENCES node (id))",
          "CREATE TABLE `Leaf One` (id int AUTO_INCREMENT PRIMARY KEY, node_id int,"
              + " `Odd Name` text CHARACTER SET utf8mb4, FOREIGN KEY (node_id) REFERENCES node (id))",
          "CREATE VIEW a_names AS SELECT name FROM node",
          "CREATE VIEW names AS SELECT concat(name, '!') AS name FROM a_names",
          "INSERT INTO node (name, mood, n, f, d, raw, flags, y, at, t, doc)"
              + " SELECT concat('n\u00f6\\t\\\\', seq), 's\u00e4d', seq / 7, seq / 3, seq / 3,"
              + " unhex(substr(md5(seq), 1, 20)), seq % 32, 2000 + seq % 50,"
              + " '2026-03-29 01:30:00.123456', '-100:20:30.5', concat('\u1F600', seq)"
              + " FROM seq_1_to_500",
          "UPDATE node SET up = id + 1 WHERE id < 500",
          "INSERT INTO `Leaf One` (node_id, `Odd Name`)"
              + " SELECT seq, IF(seq % 2, NULL, concat('\u20ac', seq)) FROM seq_1_to_500",
          "ALTER TABLE node AUTO_INCREMENT = 900");

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void everythingIsCopied(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (TwoServers servers = new TwoServers(engine);
        Connection donor = servers.connect(0);
        Connection target = servers.connect(1)) {
      ShortStatements.execute(donor, postgres ? POSTGRES : MARIADB);
      ShortStatements.execute(target, "CREATE TABLE node (id int PRIMARY KEY)");
      ShortStatements.execute(target, "CREATE TABLE of_no_use (id int PRIMARY KEY)");

      assertThat(copy(engine, servers, false)).isEqualTo(1000);
      assertThat(content(postgres, target)).isEqualTo(content(postgres, donor));

      ShortStatements.execute(target, "DELETE FROM " + leaf(postgres) + " WHERE id > 50");
      assertThat(content(postgres, target)).isNotEqualTo(content(postgres, donor));
      assertThat(copy(engine, servers, true)).isEqualTo(1000);
      assertThat(content(postgres, target)).isEqualTo(content(postgres, donor));

      whoRefersToNothingIsRefused(target, postgres);
      String insert = "INSERT INTO node (name) VALUES ('new')";
      ShortStatements.execute(donor, insert);
      ShortStatements.execute(target, insert);
      String numbered = "SELECT id, step FROM node WHERE name = 'new'";
      assertThat(ShortStatements.rows(target, numbered))
          .isEqualTo(ShortStatements.rows(donor, numbered));
    }
  }

  private static String leaf(boolean postgres) {
    return postgres ? "\"Other\".\"Leaf One\"" : "`Leaf One`";
  }

  /** Foreign keys are there again, and are checked. */
  private static void whoRefersToNothingIsRefused(Connection target, boolean postgres) {
    assertThatThrownBy(() ->
            ShortStatements.execute(
                target, "INSERT INTO " + leaf(postgres) + " (node_id) VALUES (-7)"))
        .isInstanceOf(SQLException.class)
        .extracting(failure -> ((SQLException) failure).getSQLState().substring(0, 2))
        .isEqualTo("23");
  }

  /** Checks that a copy holds nothing written after the snapshot, whichever table is read when. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aCopyIsOneState(String engine) throws Exception {
    try (TwoServers servers = new TwoServers(engine);
        Connection donor = servers.connect(0);
        Connection writer = servers.connect(0);
        Connection target = servers.connect(1)) {
      ShortStatements.execute(donor, "CREATE TABLE a (id int PRIMARY KEY)");
      ShortStatements.execute(donor, "CREATE TABLE b (id int PRIMARY KEY)");
      ShortStatements.execute(donor, "INSERT INTO a VALUES (1)");
      ServerCopy copy = of(engine);
      copy.beginSnapshot(donor);
      ShortStatements.execute(writer, "INSERT INTO a VALUES (2)");
      ShortStatements.execute(writer, "INSERT INTO b VALUES (2)");

      assertThat(copy.copy(donor, target, false)).isEqualTo(1);

      assertThat(ShortStatements.column(target, "SELECT id FROM a")).containsExactly("1");
      assertThat(ShortStatements.column(target, "SELECT id FROM b")).isEmpty();
    }
  }

  /** A table of 100 MB passes through a process that has 32 MB. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  @Tag("long")
  void aTableMayBeLargerThanMemory(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (TwoServers servers = new TwoServers(engine);
        Connection donor = servers.connect(0)) {
      ShortStatements.execute(
          donor, "CREATE TABLE large (id int PRIMARY KEY, filling text NOT NULL)");
      ShortStatements.execute(
          donor,
          postgres
              ? "INSERT INTO large SELECT i, repeat(md5(i::text), 320)"
                  + " FROM generate_series(1, 10000) i"
              : "INSERT INTO large SELECT seq, repeat(md5(seq), 320) FROM seq_1_to_10000");
      Path errors = folder.resolve(engine + ".log");
      try (ChildProcess copying =
          ChildProcess.start(
              new ProcessBuilder(
                      JavaCommand.small(
                          List.of("-Xmx32m"),
                          CopyProgram.class,
                          engine,
                          servers.url(0),
                          servers.url(1)))
                  .redirectError(errors.toFile()))) {
        BufferedReader output = copying.output();
        String said = output.readLine();
        assertThat(said).as(() -> "errors: " + read(errors)).isEqualTo("rows 10000");
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerCopy of(String engine) {
    return engine.equals("postgresql") ? ServerCopy.postgres() : ServerCopy.mariaDb();
  }

  private static long copy(String engine, TwoServers servers, boolean sameSchema)
      throws SQLException {
    ServerCopy copy = of(engine);
    try (Connection donor = servers.connect(0);
        Connection target = servers.connect(1)) {
      copy.beginSnapshot(donor);
      return copy.copy(donor, target, sameSchema);
    }
  }

  /** All definitions, and a digest of the rows of each table. */
  private static List<String> content(boolean postgres, Connection connection) throws SQLException {
    List<String> content = new ArrayList<>();
    if (postgres) {
      PostgresDefinitions definitions = new PostgresDefinitions(connection);
      content.addAll(definitions.beforeRows());
      content.addAll(definitions.afterRows());
      content.addAll(definitions.references());
      for (String table : definitions.tables()) {
        content.add(
            table
                + ShortStatements.column(
                    connection,
                    "SELECT md5(string_agg(t::text, ' ' ORDER BY t.id)) FROM " + table + " t"));
      }
      for (String sequence : definitions.sequences()) {
        content.addAll(ShortStatements.column(connection, "SELECT last_value FROM " + sequence));
      }
      content.sort(null);
    } else {
      for (String name :
          ShortStatements.column(
              connection,
              "SELECT table_name FROM information_schema.tables"
                  + " WHERE table_schema = DATABASE() ORDER BY table_name")) {
        String quoted = MariaDbCopy.quoted(name);
        content.add(
            String.valueOf(
                ShortStatements.rows(connection, "SHOW CREATE TABLE " + quoted).getFirst().get(1)));
        content.add(
            String.valueOf(
                ShortStatements.rows(connection, "CHECKSUM TABLE " + quoted).getFirst().get(1)));
      }
    }
    return content;
  }
}
