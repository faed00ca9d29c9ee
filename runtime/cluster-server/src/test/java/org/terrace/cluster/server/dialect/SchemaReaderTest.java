package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.RefusedStatementException;
import org.terrace.cluster.sql.StatementAnalyzer;
import org.terrace.cluster.sql.TableCatalog;

class SchemaReaderTest {
  @Test
  void aTableFromWhichTheServerReachesOneWithTriggersHasThemToo() throws SQLException {
    SchemaReader reader = new SchemaReader(StatementAnalyzer.defaults(Engine.POSTGRESQL));
    for (String table : List.of("grandparent", "parent", "child", "alone")) {
      reader.column("public." + table, "id", "bigint", null, Optional.empty());
    }
    reader.refers("public.parent", "public.grandparent");
    reader.refers("public.child", "public.parent");
    reader.refers("public.alone", "public.child");
    reader.reaches("public.grandparent", "public.parent");
    reader.reaches("public.parent", "public.child");
    reader.hasTrigger("public.child");

    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      StatementAnalyzer analyzer =
          new StatementAnalyzer(
              Engine.POSTGRESQL,
              reader.snapshot("PostgreSQL", "").catalog(),
              Set.of(),
              executor,
              Duration.ofSeconds(20));
      for (String table : List.of("grandparent", "parent", "child")) {
        assertThatThrownBy(() -> analyzer.analyze("DELETE FROM " + table))
            .as(table)
            .hasMessageContaining("has triggers");
      }
      assertThat(analyzer.analyze("DELETE FROM alone").written()).contains("alone");
    }
  }

  @Test
  void aDefinitionAfterWhichATableThatItNamesIsUnwritableIsRefused() throws SQLException {
    TableCatalog before = catalog(reader -> {});
    TableCatalog viewed = catalog(reader -> reader.isUnfit("other.item", "it is a view", "wait"));
    TableCatalog twice =
        catalog(reader -> reader.column("other.item", "id", "bigint", null, Optional.empty()));
    TableCatalog alike =
        catalog(reader -> reader.column("public.item", "ID", "bigint", null, Optional.empty()));
    TableCatalog made =
        catalog(reader -> {
          reader.column("public.twin", "id", "bigint", null, Optional.empty());
          reader.column("public.twin", "ID", "bigint", null, Optional.empty());
        });
    TableCatalog apart = catalog(reader -> reader.isUnfit("other.view", "it is a view", "wait"));

    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Duration limit = Duration.ofSeconds(20);
      StatementAnalyzer analyzer =
          new StatementAnalyzer(Engine.POSTGRESQL, before, Set.of(), executor, limit);
      isRefused(analyzer, "CREATE VIEW other.item AS SELECT 1", viewed, "it is a view");
      isRefused(analyzer, "ALTER VIEW other.x RENAME TO \"Item\"", viewed, "it is a view");
      isRefused(analyzer, "CREATE TABLE other.item (id int)", twice, "two would be called so");
      isRefused(analyzer, "ALTER TABLE item ADD \"ID\" int", alike, "but for capitals");
      isRefused(analyzer, "CREATE TABLE twin (id int, \"ID\" int)", made, "but for capitals");
      analyzer.checkWritable("CREATE VIEW other.view AS SELECT 1", apart);
      analyzer.checkWritable("CREATE TABLE another (id int)", viewed);
      analyzer.checkWritable("", viewed);
      analyzer.use(viewed);
      analyzer.checkWritable("CREATE INDEX ON item (id)", viewed);
      analyzer.checkWritable("DROP VIEW other.item", before);
    }
  }

  @Test
  void aDefinitionThatBringsEffectsOrNumbersOfTheCatalogueIsRefused() throws SQLException {
    TableCatalog before = catalog(reader -> {});
    TableCatalog defaults = catalog(reader -> reader.setsDefaults("public.item"));
    TableCatalog triggered = catalog(reader -> reader.hasTrigger("public.item"));
    TableCatalog numbered =
        catalog(reader -> reader.column("public.item", "k", "regclass", null, Optional.empty()));

    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      StatementAnalyzer analyzer =
          new StatementAnalyzer(
              Engine.POSTGRESQL, before, Set.of(), executor, Duration.ofSeconds(20));
      String child = "CREATE TABLE child (p int DEFAULT 0 REFERENCES item ON DELETE SET DEFAULT)";
      isRefusedWith(analyzer, child, defaults, "a foreign key ON DELETE", "take CASCADE");
      String reached = "ALTER TABLE log ADD FOREIGN KEY (p) REFERENCES item ON DELETE CASCADE";
      isRefusedWith(analyzer, reached, triggered, "has triggers", "drop them");
      String column = "ALTER TABLE item ADD COLUMN k regclass";
      isRefusedWith(analyzer, column, numbered, "the column k holds a number", "make it a text");

      analyzer.use(numbered);
      analyzer.checkWritable("ALTER TABLE item ADD COLUMN n int", numbered);
      for (TableCatalog tables : List.of(defaults, triggered, numbered)) {
        analyzer.use(tables);
        assertThatThrownBy(() -> analyzer.analyze("INSERT INTO item (id) VALUES (1)"))
            .isInstanceOf(RefusedStatementException.class);
      }
    }
  }

  @Test
  void anExtensionConcernsTablesThatItDoesNotName() throws SQLException {
    TableCatalog twice =
        catalog(reader -> reader.column("tiger.item", "id", "bigint", null, Optional.empty()));
    TableCatalog own =
        catalog(reader -> {
          reader.column("topology.layer", "id", "bigint", null, Optional.empty());
          reader.hasTrigger("topology.layer");
        });

    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      StatementAnalyzer analyzer =
          new StatementAnalyzer(
              Engine.POSTGRESQL, catalog(reader -> {}), Set.of(), executor, Duration.ofSeconds(20));
      isRefused(analyzer, "CREATE EXTENSION geocoder", twice, "two would be called so");
      isRefused(analyzer, "ALTER EXTENSION geocoder UPDATE", twice, "two would be called so");
      analyzer.checkWritable("CREATE EXTENSION topology", own);
      analyzer.checkWritable("CREATE TABLE extension (id int)", twice);
    }
  }

  private static TableCatalog catalog(Consumer<SchemaReader> more) {
    SchemaReader reader = new SchemaReader(StatementAnalyzer.defaults(Engine.POSTGRESQL));
    reader.column("public.item", "id", "bigint", null, Optional.empty());
    more.accept(reader);
    return reader.snapshot("PostgreSQL", "").catalog();
  }

  private static void isRefused(
      StatementAnalyzer analyzer, String definition, TableCatalog after, String reason) {
    isRefusedWith(analyzer, definition, after, reason, "choose a name");
  }

  private static void isRefusedWith(
      StatementAnalyzer analyzer,
      String definition,
      TableCatalog after,
      String reason,
      String wayOut) {
    assertThatThrownBy(() -> analyzer.checkWritable(definition, after))
        .as(definition)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("nothing could be written to the table")
        .hasMessageContaining(reason)
        .hasMessageContaining("Instead: ")
        .hasMessageContaining(wayOut);
  }

  @Test
  void whatHasTheNameOfATableAndIsNoneIsRefusedWithTheReason() throws SQLException {
    SchemaReader reader = new SchemaReader(StatementAnalyzer.defaults(Engine.POSTGRESQL));
    for (String table : List.of("public.item", "public.twin", "public.kept")) {
      reader.column(table, "id", "bigint", null, Optional.empty());
    }
    reader.column("public.twin", "ID", "bigint", "now()", Optional.empty());
    reader.isUnfit("other.item", "'%s' is a view", "name tables, not NAME");

    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      StatementAnalyzer analyzer =
          new StatementAnalyzer(
              Engine.POSTGRESQL,
              reader.snapshot("PostgreSQL", "").catalog(),
              Set.of(),
              executor,
              Duration.ofSeconds(20));
      for (String sql : List.of("DELETE FROM item", "INSERT INTO kept SELECT id FROM item")) {
        assertThatThrownBy(() -> analyzer.analyze(sql))
            .as(sql)
            .hasMessageContaining("because 'item' is a view. Instead: name tables, not item.");
      }
      assertThatThrownBy(() -> analyzer.analyze("INSERT INTO twin (id) VALUES (1)"))
          .hasMessageContaining("called alike but for capitals");
      assertThat(analyzer.analyze("DELETE FROM kept").written()).containsExactly("kept");
    }
  }
}
