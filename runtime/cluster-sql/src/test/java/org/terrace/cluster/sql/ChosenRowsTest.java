package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that take values of one row of several, or numbers of a query, and those that do not. */
class ChosenRowsTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres =
      ShopTables.analyzer(Engine.POSTGRESQL, Set.of(), executor);
  private final StatementAnalyzer mariaDb = ShopTables.analyzer(Engine.MARIADB, Set.of(), executor);

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET price = other.price FROM other WHERE other.price > item.price",
        "UPDATE item SET price = badge.n FROM badge WHERE badge.n = item.price",
        "UPDATE item SET price = n FROM badge WHERE badge.n = item.price",
        "UPDATE item i SET price = b.n FROM badge b WHERE b.id = i.id OR b.id = 7",
        "UPDATE item i SET price = b.n FROM badge b WHERE b.id > i.id",
        "UPDATE item i SET price = b.n FROM badge b WHERE b.id = b.n",
        "UPDATE item i SET price = b.n FROM badge b, badge c WHERE b.id = c.n",
        "UPDATE item i SET note = b.note FROM badge b WHERE b.id::text = i.note",
        "UPDATE item SET price = v.p FROM (VALUES (1, 2), (1, 3)) AS v (id, p) WHERE v.id = item.id",
        "UPDATE item SET price = v.p FROM (SELECT price AS p FROM other) v",
        "UPDATE item SET price = (SELECT max(o.price) FROM other o WHERE o.price < badge.n)"
            + " FROM badge WHERE badge.n = item.price",
        "UPDATE item SET price = 1 FROM badge WHERE badge.n = item.price RETURNING badge.u",
        "UPDATE item SET note = trim(BOTH 'x' FROM badge.u) FROM badge WHERE badge.n = item.price",
        "UPDATE item SET note = overlay(note PLACING u FROM 1) FROM badge WHERE badge.n = item.price",
        "UPDATE item SET (price, note) = (badge.n, badge.note) FROM badge WHERE badge.n = item.price",
      })
  void whatSeveralRowsMayBeFoundForIsRefused(String sql) {
    assertThatThrownBy(() -> postgres.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("whichever it finds first")
        .hasMessageContaining("Instead: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET price = badge.n FROM badge WHERE badge.id = item.price",
        "UPDATE item i SET price = b.n FROM badge b WHERE (i.price = b.id) AND b.n > 2",
        "UPDATE item i SET price = b.n FROM badge b WHERE b.id = 7",
        "UPDATE item i SET price = b.n FROM badge b WHERE b.id = ?",
        "UPDATE item i SET price = c.n FROM badge b JOIN badge c ON c.id = b.n WHERE b.id = i.id",
        "UPDATE item i SET price = j.price FROM item j WHERE j.id = i.price",
        "UPDATE item SET price = 1 FROM badge WHERE badge.n = item.price",
        "UPDATE item SET price = item.price + 1, note = lower(note) FROM badge"
            + " WHERE badge.n = item.price",
        "UPDATE item SET price = (SELECT b.n FROM badge b WHERE b.n = item.price)",
        "DELETE FROM item USING badge WHERE badge.n = item.price",
      })
  void whatOneRowIsFoundForPasses(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item i JOIN badge b ON b.n = i.price SET i.price = b.n",
        "UPDATE item i, badge b SET i.price = b.n WHERE b.n = i.price",
        "UPDATE item i LEFT JOIN other o ON o.price = i.price SET i.price = o.price",
        "UPDATE IGNORE item SET price = 1",
        "UPDATE LOW_PRIORITY IGNORE item SET price = 1",
        "DELETE IGNORE FROM item WHERE price = 1",
        "INSERT INTO other SELECT id FROM item GROUP BY price",
        "INSERT INTO other SELECT max(price) + id FROM item",
        "INSERT INTO other SELECT price FROM item GROUP BY id + 1",
        "INSERT INTO other SELECT b.n FROM badge b JOIN item i ON i.id = b.id GROUP BY i.id",
        "INSERT INTO other SELECT n FROM badge GROUP BY note HAVING min(id) > u",
        "UPDATE other SET price = (SELECT b.n FROM badge b GROUP BY b.note HAVING count(*) = 1)",
        "INSERT INTO other SELECT * FROM item GROUP BY price",
        "INSERT INTO other SELECT id FROM item JOIN badge USING (id) GROUP BY price",
        "INSERT INTO other SELECT (SELECT max(b.n) FROM badge b WHERE b.id = i.price)"
            + " FROM item i GROUP BY i.note",
        "INSERT INTO other WITH w AS (SELECT price, id FROM item GROUP BY price) SELECT id FROM w",
        "INSERT INTO other SELECT JSON_OBJECT('a', id) FROM item GROUP BY price",
        "INSERT INTO other SELECT TRIM(BOTH 'x' FROM note) FROM item GROUP BY price",
        "INSERT INTO other SELECT CONVERT(note USING utf8mb4) FROM item GROUP BY price",
        "INSERT INTO other SELECT CAST(note AS CHAR) FROM item GROUP BY price",
        "INSERT INTO other SELECT CASE WHEN id > 1 THEN 1 ELSE 2 END FROM item GROUP BY price",
        "INSERT INTO other SELECT id DIV 2 FROM item GROUP BY price",
        "INSERT INTO other SELECT -id FROM item GROUP BY price",
        "INSERT INTO other SELECT id IN (1, 2) FROM item GROUP BY price",
        "INSERT INTO other SELECT note LIKE 'a' FROM item GROUP BY price",
        "INSERT INTO other SELECT note REGEXP 'a' FROM item GROUP BY price",
        "INSERT INTO other SELECT id BETWEEN 1 AND 2 FROM item GROUP BY price",
        "INSERT INTO other SELECT NOT id FROM item GROUP BY price",
        "INSERT INTO other SELECT id IS NULL FROM item GROUP BY price",
        "INSERT INTO other SELECT EXTRACT(YEAR FROM at) FROM item GROUP BY price",
        "INSERT INTO other SELECT SUBSTRING(note FROM 1 FOR 2) FROM item GROUP BY price",
        "INSERT INTO other SELECT POSITION('x' IN note) FROM item GROUP BY price",
        "INSERT INTO other SELECT COALESCE(NULL, id) FROM item GROUP BY price",
        "INSERT INTO other SELECT at + INTERVAL id DAY FROM item GROUP BY price",
        "CREATE TABLE copy AS SELECT id FROM item GROUP BY price",
        "INSERT INTO counted (id, price) SELECT price, 1 FROM item",
        "INSERT INTO counted (id, price) SELECT id, 1 FROM item",
        "INSERT INTO counted (price, id) SELECT 1, price FROM item WHERE price <> 0",
        "INSERT INTO counted (price, id) SELECT 1, price FROM item WHERE price > 0",
        "INSERT INTO counted (price, id) SELECT 1, price FROM item WHERE price >= 1 OR id = 1",
        "INSERT INTO counted (price, id) SELECT 1, NULL",
        "INSERT INTO counted (price, id) SELECT 1, 0",
        "INSERT INTO counted (id, price) SELECT * FROM counted c",
        "INSERT INTO counted (id, price) SELECT id, 1 FROM item WHERE id >= 1"
            + " UNION ALL SELECT price, 1 FROM item",
        "INSERT INTO counted (id, price) SELECT price, 1 FROM item WHERE price >= 1"
            + " GROUP BY price WITH ROLLUP",
      })
  void whatAServerOfMariaDbMayChooseIsRefused(String sql) {
    assertThatThrownBy(() -> mariaDb.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("Instead: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item i JOIN badge b ON b.id = i.price SET i.price = b.n",
        "UPDATE item i LEFT JOIN badge b ON b.id = i.price SET i.price = b.n",
        "INSERT INTO other SELECT price FROM item GROUP BY price",
        "INSERT INTO other SELECT max(id) + price FROM item GROUP BY price HAVING count(*) > 1",
        "INSERT INTO other SELECT i.price FROM item i GROUP BY i.id",
        "INSERT INTO other SELECT price * 2 AS twice FROM item GROUP BY twice",
        "INSERT INTO other SELECT price * 2 FROM item GROUP BY 1",
        "INSERT INTO other SELECT count(*) AS many FROM item GROUP BY price HAVING many > 1",
        "INSERT INTO other SELECT max(price) FROM item",
        "UPDATE item SET price = (SELECT max(b.n) + item.id FROM badge b WHERE b.id = item.id)",
        "INSERT INTO counted (id, price) SELECT price, 1 FROM item WHERE price >= 1",
        "INSERT INTO counted (id, price) SELECT i.id, 1 FROM item i WHERE i.id > 1 AND i.price = 2",
        "INSERT INTO counted (price, id) SELECT 1, 7",
        "INSERT INTO counted (id, price) SELECT * FROM counted WHERE id >= 1",
      })
  void whatIsTheSameAtEveryServerOfMariaDbPasses(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).sql()).isEqualTo(sql);
  }
}
