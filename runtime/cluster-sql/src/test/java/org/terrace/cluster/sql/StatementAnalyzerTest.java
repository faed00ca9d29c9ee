package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;
import org.terrace.cluster.sql.StatementAnalysis.Kind;

class StatementAnalyzerTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres = analyzer(Engine.POSTGRESQL);
  private final StatementAnalyzer mariaDb = analyzer(Engine.MARIADB);

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET price = random()",
        "UPDATE item SET note = 'x' WHERE price < (SELECT random())",
        "INSERT INTO item (id, note) SELECT id, gen_random_uuid() FROM other",
        "INSERT INTO item (id) SELECT id FROM other",
        "INSERT INTO item (id, price) VALUES (1, clock_timestamp() - (SELECT at FROM other))",
        "DELETE FROM item WHERE id IN (SELECT id FROM other LIMIT 1)",
        "UPDATE item SET note = (SELECT string_agg(name, ',') FROM other)",
        "UPDATE item SET price = (SELECT sum(size) FROM other)",
        "UPDATE item SET id = DEFAULT",
        "INSERT INTO item (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET at = DEFAULT",
        "INSERT INTO item (price) OVERRIDING USER VALUE VALUES (1)",
        "SELECT setval('numbers', 7)",
        "UPDATE item SET note = 'now'",
        "UPDATE item SET note = ctid",
        "UPDATE item SET note = unheard_of(id)",
        "UPDATE item SET note = \"unheard_of\"(id)",
        "UPDATE item SET note = public.unheard_of(id)",
        "UPDATE item SET note = other.name FROM view_of_others other",
        "UPDATE triggered SET id = 2",
        "INSERT INTO unknown VALUES (1)",
        "SELECT unheard_of(1)",
        "SELECT lastval()",
        "SELECT nextval('numbers') FROM other",
        "WITH gone AS (DELETE FROM item RETURNING *) SELECT * FROM gone",
        "SELECT * INTO copy FROM item",
        "EXPLAIN ANALYZE UPDATE item SET id = 1",
        "UPDATE item SET id = 1; DELETE FROM item",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE TABLE copy AS SELECT random() FROM item",
        "ALTER TABLE item ADD COLUMN u uuid DEFAULT gen_random_uuid()",
        "CALL f()",
        "DO $$ BEGIN END $$",
        "COPY item FROM STDIN",
        "MERGE INTO item USING other ON item.id = other.id WHEN MATCHED THEN DELETE",
        "LOCK TABLE item",
        "BEGIN",
        "SET synchronous_commit = off",
        "UPDATE item SET price = nextval('numbers')",
        "UPDATE item SET price = nextval('numbers') WHERE note = 'a'",
        "UPDATE item SET price = nextval('numbers') WHERE id = price",
        "UPDATE item SET price = 'item'::regclass::oid",
        "UPDATE item SET price = CAST('item' AS pg_catalog.regclass)",
        "UPDATE item SET price = regclass 'item'",
        "UPDATE item SET price = to_regclass('item')",
        "UPDATE item SET note = version()",
        "UPDATE item SET note = pg_get_userbyid(10)",
        "UPDATE pg_catalog.item SET price = 1",
        "UPDATE terrace.item SET price = 1",
        "INSERT INTO other SELECT price FROM information_schema.item",
        "DELETE FROM item USING badge WHERE badge.n = item.price RETURNING badge.u",
        "DELETE FROM item USING badge WHERE badge.n = item.price RETURNING item.id, note",
        "DELETE FROM item i USING badge WHERE badge.n = i.price RETURNING *",
        "UPDATE item SET note = 'no end",
        "",
      })
  void whatMayDifferIsRefusedWithTheWayOut(String sql) {
    assertThatThrownBy(() -> postgres.analyze(sql))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("because ")
        .hasMessageContaining("Instead: ");
  }

  @Test
  void aCopyIsRefusedWithWhatDoesTheSame() {
    for (String copy : List.of("COPY item FROM STDIN", "COPY (SELECT * FROM item) TO STDOUT")) {
      assertThatThrownBy(() -> postgres.analyze(copy)).hasMessageContaining("addBatch");
    }
    assertThatThrownBy(() -> mariaDb.analyze("LOAD DATA LOCAL INFILE 'a.csv' INTO TABLE item"))
        .hasMessageContaining("addBatch");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET id = 1 ORDER BY id LIMIT 1",
        "UPDATE item SET id = /*! 1 + */ 2",
        "UPDATE item SET note = @name",
        "INSERT INTO item (id, note) VALUES (last_insert_id(), '')",
        "SELECT get_lock('x', 1) + 1",
        "DELETE FROM counted FOR PORTION OF p FROM '2026-01-01' TO '2026-02-01'",
        "UPDATE counted FOR PORTION OF p FROM '2026-01-01' TO '2026-02-01' SET price = 1",
        "UPDATE item SET price = NEXTVAL(plain)",
        "UPDATE item SET price = NEXT VALUE FOR plain WHERE note = 5",
        "UPDATE item i JOIN badge b ON b.id = 1 SET i.price = NEXTVAL(plain) WHERE i.id = 1",
        "SELECT PREVIOUS VALUE FOR n",
        "SELECT NEXT VALUE FOR n FROM item",
      })
  void whatMayDifferIsRefusedOnMariaDb(String sql) {
    assertThatThrownBy(() -> mariaDb.analyze(sql)).isInstanceOf(RefusedStatementException.class);
  }

  @Test
  void aMomentIsFoundOnceAndBoundBetweenTheOtherParameters() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze(
            "UPDATE item SET at = now(), note = 'or now()' WHERE id = ? AND at < now()");

    assertThat(analysis.kind()).isEqualTo(Kind.WRITE);
    assertThat(analysis.sql())
        .isEqualTo(
            "UPDATE item SET at = CAST(? AS timestamptz), note = 'or now()'"
                + " WHERE id = ? AND at < CAST(? AS timestamptz)");
    assertThat(analysis.evaluations())
        .containsExactly(new Evaluation(1, "now()", null), new Evaluation(3, "now()", null));
    assertThat(analysis.written()).containsExactly("item");
  }

  @Test
  void columnsThatServersWouldFillAreFilledForEachRow() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze("INSERT INTO item (price) VALUES (?), (2) RETURNING id");

    assertThat(analysis.sql())
        .isEqualTo(
            "INSERT INTO item (price, \"id\", \"at\") VALUES"
                + " (?, CAST(? AS bigint), CAST(? AS timestamptz)),"
                + " (2, CAST(? AS bigint), CAST(? AS timestamptz)) RETURNING id");
    assertThat(analysis.evaluations())
        .containsExactly(
            new Evaluation(2, null, "item_id_seq"),
            new Evaluation(3, "now()", null),
            new Evaluation(4, null, "item_id_seq"),
            new Evaluation(5, "now()", null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM item WHERE to_tsvector('simple', note) @@ plainto_tsquery('simple', ?)",
        "WITH RECURSIVE days (day, n) AS (SELECT 1, 1 UNION ALL SELECT 2, n + 1 FROM days)"
            + " SELECT day FROM days",
      })
  void searchesForWordsAndNamedColumnsOfRecursionAreReads(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).kind()).isEqualTo(Kind.READ);
  }

  @Test
  void howWellTextsMatchIsReadButNotWritten() throws SQLException {
    String matches = "MATCH (note) AGAINST ('+word' IN BOOLEAN MODE)";

    assertThat(mariaDb.analyze("SELECT id FROM item WHERE " + matches).kind()).isEqualTo(Kind.READ);
    assertThatThrownBy(() -> mariaDb.analyze("DELETE FROM item WHERE " + matches))
        .isInstanceOf(RefusedStatementException.class);
  }

  @Test
  void aRowOfDefaultsAloneIsFilled() throws SQLException {
    assertThat(postgres.analyze("INSERT INTO item DEFAULT VALUES RETURNING id").sql())
        .isEqualTo(
            "INSERT INTO item (\"id\", \"at\") VALUES"
                + " (CAST(? AS bigint), CAST(? AS timestamptz)) RETURNING id");
  }

  @Test
  void emptyListsOfMariaDbAreFilledLikeAnyOther() throws SQLException {
    StatementAnalyzer mariaDb = analyzer(Engine.MARIADB);

    assertThat(mariaDb.analyze("INSERT INTO counted () VALUES ()").sql())
        .isEqualTo("INSERT INTO counted (`id`) VALUES (?)");
    assertThat(mariaDb.analyze("INSERT INTO counted VALUES ()").sql())
        .isEqualTo("INSERT INTO counted (`id`) VALUES (?)");
    assertThat(mariaDb.analyze("INSERT INTO counted () VALUES (), ()").evaluations()).hasSize(2);
    assertThat(mariaDb.analyze("INSERT INTO other () VALUES ()").sql())
        .isEqualTo("INSERT INTO other () VALUES ()");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE elsewhere.item SET price = 1 WHERE id = 1",
        "DELETE FROM `elsewhere`.`item` WHERE id = 1",
        "INSERT INTO elsewhere.counted (price) VALUES (1)",
        "UPDATE item SET price = 1 WHERE id IN (SELECT id FROM elsewhere.item)",
        "SELECT * FROM elsewhere.item FOR UPDATE"
      })
  void tablesOfAnotherDatabaseAreRefusedOnMariaDb(String sql) throws SQLException {
    assertThatThrownBy(() -> analyzer(Engine.MARIADB).analyze(sql))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("elsewhere is another database");
    assertThat(analyzer(Engine.MARIADB).analyze(sql.replace("elsewhere", "shop")).written())
        .isEqualTo(
            analyzer(Engine.MARIADB).analyze(sql.replaceAll("`?elsewhere`?\\.", "")).written());
  }

  @Test
  void aColumnThatItsServerAlwaysNumbersIsInsistedOn() throws SQLException {
    assertThat(postgres.analyze("INSERT INTO strict (price) VALUES (1)").sql())
        .isEqualTo(
            "INSERT INTO strict (price, \"id\") OVERRIDING SYSTEM VALUE"
                + " VALUES (1, CAST(? AS bigint))");
    assertThat(postgres.analyze("INSERT INTO strict VALUES (DEFAULT, 1)").sql())
        .isEqualTo("INSERT INTO strict OVERRIDING SYSTEM VALUE VALUES (CAST(? AS bigint), 1)");
  }

  @Test
  void aParameterOfACountedColumnIsReplacedWhereItIsNone() throws SQLException {
    StatementAnalysis analysis =
        mariaDb.analyze("INSERT INTO counted (price, id) VALUES (?, ?), (2, NULL), (?, 7)");

    assertThat(analysis.sql())
        .isEqualTo("INSERT INTO counted (price, id) VALUES (?, ?), (2, ?), (?, 7)");
    String counter = new TableCounter("counted").text();
    assertThat(analysis.evaluations())
        .containsExactly(
            new Evaluation(2, null, counter, true, false), new Evaluation(3, null, counter));
    assertThat(analysis.numbered()).isFalse();
    assertThat(mariaDb.analyze("INSERT INTO counted (price) VALUES (1), (2)").numbered()).isTrue();
  }

  @Test
  void aNumberOfASequenceIsFoundOnceInEveryForm() throws SQLException {
    for (String sql :
        List.of(
            "SELECT nextval('n')",
            "SELECT nextval(n)",
            "SELECT NEXT VALUE FOR n",
            "SELECT nextval(`n`)")) {
      boolean text = sql.contains("'");
      StatementAnalysis analysis = (text ? postgres : mariaDb).analyze(sql);
      assertThat(analysis.kind()).isEqualTo(Kind.READ);
      assertThat(analysis.sql())
          .isEqualTo("SELECT CAST(? AS " + (text ? "bigint" : "SIGNED") + ") AS nextval");
      assertThat(analysis.evaluations()).containsExactly(new Evaluation(1, null, "n"));
    }
  }

  @Test
  void settingsThatChangeNoValueGoWithTheSession() throws SQLException {
    for (String sql :
        List.of("SET search_path TO shop", "SELECT set_config('search_path', ?, false)")) {
      assertThat(postgres.analyze(sql).kind()).isEqualTo(Kind.SETTING);
    }
    String sql = "SET foreign_key_checks=?, sql_safe_updates=?";
    assertThat(mariaDb.analyze(sql).kind()).isEqualTo(Kind.SETTING);
    assertThat(SessionSetting.inline(sql, Engine.MARIADB, List.of(0, "it's")))
        .isEqualTo("SET foreign_key_checks=0, sql_safe_updates='it''s'");
    assertThatThrownBy(() -> mariaDb.analyze("SET foreign_key_checks=0, insert_id=7"))
        .isInstanceOf(RefusedStatementException.class);
    assertThatThrownBy(() -> postgres.analyze("SELECT set_config('lc_numeric', ?, false)"))
        .isInstanceOf(RefusedStatementException.class);
  }

  @Test
  void oneRowGetsANumber() throws SQLException {
    for (String where : List.of("id = 7", "id = ? AND note = 'a'", "(7 = item.id)")) {
      assertThat(
              postgres
                  .analyze("UPDATE item SET price = nextval('numbers') WHERE " + where)
                  .evaluations())
          .as(where)
          .containsExactly(new Evaluation(1, null, "numbers"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM item i USING badge WHERE badge.n = i.price RETURNING i.id, i.note",
        "DELETE FROM item WHERE id = 1 RETURNING *",
        "UPDATE item SET note = 'a' WHERE to_tsvector('english'::regconfig, note)"
            + " @@ plainto_tsquery('a')",
        "UPDATE public.item SET price = 1",
      })
  void whatIsTheSameEverywherePasses(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).sql()).isEqualTo(sql);
  }

  @Test
  void aBraceThatIsToStayIsRefusedOutsideOfTexts() throws SQLException {
    postgres.checkEscapes("SELECT '{1}'", false);
    postgres.checkEscapes("SELECT {d '2026-01-01'}", true);
    assertThatThrownBy(() -> postgres.checkEscapes("SELECT {d '2026-01-01'}", false))
        .isInstanceOf(RefusedStatementException.class);
  }

  @Test
  void aListOfColumnsIsMadeWhereThereIsNone() throws SQLException {
    StatementAnalysis analysis = postgres.analyze("INSERT INTO item VALUES (DEFAULT, 5)");

    assertThat(analysis.sql())
        .isEqualTo(
            "INSERT INTO item (\"id\", \"price\", \"at\") VALUES"
                + " (CAST(? AS bigint), 5, CAST(? AS timestamptz))");
  }

  @Test
  void whatIsReadIsNamed() throws SQLException {
    StatementAnalysis analysis =
        postgres.analyze("UPDATE item SET price = o.n FROM badge o WHERE o.id = item.id");

    assertThat(analysis.written()).containsExactly("item");
    assertThat(analysis.read()).containsExactly("badge");
  }

  @Test
  void aQueryIsReadAsItIsAndALockingOneTakesItsTables() throws SQLException {
    String query = "SELECT count(*), random(), now() FROM item -- nextval('x')\n WHERE note = ';'";

    assertThat(postgres.analyze(query).kind()).isEqualTo(Kind.READ);
    assertThat(postgres.analyze(query).sql()).isEqualTo(query);
    StatementAnalysis locking = postgres.analyze("SELECT * FROM item WHERE id = 1 FOR UPDATE");
    assertThat(locking.kind()).isEqualTo(Kind.LOCKING_READ);
    assertThat(locking.written()).containsExactly("item");
  }

  /** As Flyway writes the first row of its history with the table. */
  @Test
  void aTableIsMadeWithTheSameMomentEverywhere() throws SQLException {
    String columns = "CREATE TABLE h (rank INT, `at` TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)";
    StatementAnalysis analysis =
        mariaDb.analyze(columns + " AS SELECT 1 as \"rank\", CURRENT_TIMESTAMP as \"at\"");

    assertThat(analysis.kind()).isEqualTo(Kind.DEFINITION);
    assertThat(analysis.sql())
        .isEqualTo(columns + " AS SELECT 1 as \"rank\", CAST(? AS DATETIME) as \"at\"");
    assertThat(analysis.evaluations())
        .containsExactly(new Evaluation(1, "CURRENT_TIMESTAMP", null));
    assertThat(mariaDb.analyze("CREATE TABLE h AS SELECT now() AS at").sql())
        .isEqualTo("CREATE TABLE h AS SELECT CAST(? AS DATETIME) AS at");
    for (String differs :
        List.of(
            columns + " AS SELECT 1 AS rank",
            columns + " AS SELECT 1 AS rank, (SELECT 2 AS at) AS x",
            columns + " AS SELECT CAST(1 AS at) AS rank",
            "CREATE TABLE h AS SELECT now(6) AS at",
            "CREATE TABLE h AS SELECT now() AS at FROM item",
            "CREATE TABLE h AS SELECT rand() AS at",
            "CREATE TABLE h (id INT, at DATETIME DEFAULT (now())) AS SELECT 1 AS at")) {
      assertThatThrownBy(() -> mariaDb.analyze(differs))
          .as(differs)
          .isInstanceOf(RefusedStatementException.class);
    }
    assertThatThrownBy(() -> postgres.analyze("CREATE TABLE h AS SELECT now() AS at"))
        .isInstanceOf(RefusedStatementException.class);
  }

  @Test
  void aSettingIsWrittenSoThatItIsKnown() throws SQLException {
    for (String setting :
        List.of(" /* a */ SET ROLE x;", "reset role", "SELECT/**/set_config('role', ?, false) ;")) {
      String written = SessionSetting.inline(setting, Engine.POSTGRESQL, List.of("x"));
      assertThat(SessionSetting.isSetting(written)).as(written).isTrue();
    }
    assertThat(SessionSetting.isSetting("SELECT setval('numbers', 7)")).isFalse();
    assertThat(SessionSetting.isSetting("INSERT INTO settings VALUES (1)")).isFalse();
  }

  @Test
  void whatTheUserDeclaresPasses() throws SQLException {
    StatementAnalyzer declared = analyzer(Engine.POSTGRESQL, Set.of("unheard_of"));

    String sql = "UPDATE item SET note = unheard_of(id)";
    assertThat(declared.analyze(sql).sql()).isEqualTo(sql);
    assertThatThrownBy(() -> declared.analyze("UPDATE item SET note = not_heard_of(id)"))
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("functions=not_heard_of");
  }

  private StatementAnalyzer analyzer(Engine engine) {
    return analyzer(engine, Set.of());
  }

  private StatementAnalyzer analyzer(Engine engine, Set<String> functions) {
    return ShopTables.analyzer(engine, functions, executor);
  }
}
