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
import org.junit.jupiter.api.Test;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.StatementAnalyzer;

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
