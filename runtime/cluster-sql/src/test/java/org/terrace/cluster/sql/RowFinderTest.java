package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows that statements tell: too few cost speed, one too many costs that replicas agree. */
class RowFinderTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          UPDATE lot SET price = price * 2 WHERE id = 7; 7
          update shop.lot as l set price = ? where l.id = ? and l.price >= ?; 102
          UPDATE lot SET price = abs(price), note = 'id = 3' WHERE note IS NOT NULL AND id = ?; 101
          DELETE FROM lot WHERE price <> 4 AND id = 0; 0
          INSERT INTO lot (price, id) VALUES (?, ?); 102
          INSERT INTO lot (id, price) VALUES (12, abs(3, 4)); 12
          SELECT price FROM lot WHERE id = ? FOR UPDATE; 101
          SELECT price FROM lot l WHERE id = 5 ORDER BY price FOR UPDATE; 5
          UPDATE pair SET price = 1 WHERE b = ? AND a = 3; 3,101
          INSERT INTO pair (b, a) VALUES (1, 2); 2,1
          """)
  void aRowIsTold(String sql, String key) throws RefusedStatementException {
    for (Engine engine : Engine.values()) {
      assertThat(key(engine, sql)).as("%s at %s", sql, engine).contains(key);
    }
  }

  @Test
  void anUpsertTellsItsRow() throws RefusedStatementException {
    assertThat(
            key(
                Engine.POSTGRESQL,
                "INSERT INTO lot (id, price) VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET price = 2"))
        .contains("101");
    assertThat(
            key(
                Engine.MARIADB,
                "INSERT INTO lot (id, price) VALUES (?, 1) ON DUPLICATE KEY UPDATE price = 2"))
        .contains("101");
    assertThat(key(Engine.MARIADB, "REPLACE INTO lot (id, price) VALUES (4, 1)")).contains("4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE lot SET price = 1",
        "UPDATE lot SET price = 1 WHERE id > 7",
        "UPDATE lot SET price = 1 WHERE id <> 7",
        "UPDATE lot SET price = 1 WHERE id = 7 OR price = 3",
        "UPDATE lot SET price = 1 WHERE price = 3 OR price = 4 AND id = 7",
        "UPDATE lot SET price = 1 WHERE NOT id = 7",
        "UPDATE lot SET price = 1 WHERE id = 7 + 1",
        "UPDATE lot SET price = 1 WHERE id = -7",
        "UPDATE lot SET price = 1 WHERE id = 7.0",
        "UPDATE lot SET price = 1 WHERE id = 07",
        "UPDATE lot SET price = 1 WHERE id = '7'",
        "UPDATE lot SET price = 1 WHERE id = price",
        "UPDATE lot SET price = 1 WHERE id = 2147483648",
        "UPDATE lot SET price = 1 WHERE id IN (7)",
        "UPDATE lot SET price = 1 WHERE price BETWEEN 1 AND id = 7",
        "UPDATE lot SET price = 1 WHERE (id = 7)",
        "UPDATE lot SET price = (SELECT max(l.price) FROM lot l) WHERE id = 7",
        "UPDATE lot SET id = 8 WHERE id = 7",
        "UPDATE lot SET price = 3, id = id + 1 WHERE id = 7",
        "UPDATE pair SET price = 1 WHERE a = 7",
        "UPDATE pair SET price = 1 WHERE a = 7 AND price = 3",
        "UPDATE named SET price = 1 WHERE name = 'x'",
        "UPDATE known SET price = 1 WHERE id = 7",
        "UPDATE bound SET price = 1 WHERE id = 7",
        "UPDATE keyless SET price = 1 WHERE id = 7",
        "UPDATE twice SET price = 1 WHERE id = 7",
        "DELETE FROM lot WHERE id = 7 AND price = (SELECT 1)",
        "INSERT INTO lot VALUES (7, 1, 'x')",
        "INSERT INTO lot (id, price) VALUES (7, 1), (8, 1)",
        "INSERT INTO lot (id, price) VALUES (7 + 1, 1)",
        "INSERT INTO lot (price) VALUES (7)",
        "INSERT INTO counted (id, price) VALUES (7, 1)",
        "SELECT l.price FROM lot l JOIN pair p ON p.a = l.id WHERE id = 7 FOR UPDATE",
        "SELECT l.price FROM lot l, pair p WHERE id = 7 FOR UPDATE"
      })
  void whatIsNotPlainLocksItsTable(String sql) throws RefusedStatementException {
    for (Engine engine : Engine.values()) {
      assertThat(key(engine, sql)).as("%s at %s", sql, engine).isEmpty();
    }
  }

  @Test
  void whatOneServerReadsOtherwiseLocksItsTable() throws RefusedStatementException {
    for (String sql :
        List.of(
            "UPDATE lot SET price = 1 WHERE price = 1 || 1 AND id = 7",
            "UPDATE lot SET price = 1 WHERE id = 7 && price = 3",
            "UPDATE lot SET price = 1 WHERE id = 7 XOR price = 3",
            "UPDATE lot SET price = 1 WHERE id <=> 7",
            "UPDATE lot, pair SET lot.price = 1 WHERE id = 7",
            "INSERT INTO lot (id, price) VALUES (7, 1) ON DUPLICATE KEY UPDATE id = 8")) {
      assertThat(key(Engine.MARIADB, sql)).as(sql).isEmpty();
    }
    for (String sql :
        List.of(
            "UPDATE lot SET price = 1 FROM pair WHERE id = 7",
            "UPDATE lot SET (id, price) = (8, 1) WHERE id = 7",
            "DELETE FROM lot USING pair WHERE id = 7",
            "INSERT INTO lot (id, price) VALUES (7, 1) ON CONFLICT (id) DO UPDATE SET id = 8")) {
      assertThat(key(Engine.POSTGRESQL, sql)).as(sql).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void equalKeysAreOneHoweverTheyAreGiven(Engine engine) throws RefusedStatementException {
    for (Object same : List.of(7, 7L, (short) 7, (byte) 7, BigInteger.valueOf(7), "7")) {
      assertThat(given(engine, same)).as(same.getClass().getName()).contains("7");
    }
    for (Object unclear : List.of(7.0, new BigDecimal("7"), "07", " 7", "7.0", "x", "", -7, true)) {
      assertThat(given(engine, unclear)).as(unclear.toString()).isEmpty();
    }
    assertThat(given(engine, 1L + Integer.MAX_VALUE)).isEmpty();
    assertThat(given(engine, "99999999999999999999")).isEmpty();
    assertThat(given(engine, null)).isEmpty();
  }

  private Optional<String> given(Engine engine, @Nullable Object value)
      throws RefusedStatementException {
    RowChoice row = analyzer(engine).analyze("DELETE FROM lot WHERE id = ?").row();
    assertThat(row).isNotNull();
    return row.key(place -> value);
  }

  /** The key where the parameter at each place is the place and a hundred. */
  private Optional<String> key(Engine engine, String sql) throws RefusedStatementException {
    RowChoice row = analyzer(engine).analyze(sql).row();
    return row == null ? Optional.empty() : row.key(place -> place + 100);
  }

  private StatementAnalyzer analyzer(Engine engine) {
    ColumnShape.DefaultReader defaults = StatementAnalyzer.defaults(engine);
    ColumnShape id = column("id", engine == Engine.MARIADB ? "int(11)" : "integer", defaults);
    ColumnShape price = column("price", "bigint", defaults);
    ColumnShape note = column("note", "varchar(20)", defaults);
    ColumnShape counter =
        ColumnShape.of(
            "id", "bigint(20)", null, Optional.of(new TableCounter("counted").text()), defaults);
    List<ColumnShape> pair =
        List.of(column("a", "smallint", defaults), column("b", "bigint", defaults), price);
    TableCatalog catalog =
        new TableCatalog(
            List.of(
                table("lot", List.of(id, price, note), List.of("id"), List.of(), false),
                table("pair", pair, List.of("a", "b"), List.of(), false),
                table(
                    "named",
                    List.of(column("name", "varchar(20)", defaults), price),
                    List.of("name"),
                    List.of(),
                    false),
                table("known", List.of(id, price), List.of("id"), List.of(), true),
                table("bound", List.of(id, price), List.of("id"), List.of("lot"), false),
                table("keyless", List.of(id, price), List.of(), List.of(), false),
                table("twice", List.of(id, id, price), List.of("id"), List.of(), false),
                table("counted", List.of(counter, price), List.of("id"), List.of(), false)));
    return new StatementAnalyzer(engine, catalog, Set.of("abs"), executor, Duration.ofSeconds(20));
  }

  private static ColumnShape column(String name, String type, ColumnShape.DefaultReader defaults) {
    return ColumnShape.of(name, type, null, Optional.empty(), defaults);
  }

  private static TableShape table(
      String name,
      List<ColumnShape> columns,
      List<String> key,
      List<String> related,
      boolean otherUnique) {
    return new TableShape(name, columns, key, TableShape.Effects.NONE, false, related, otherUnique);
  }
}
