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
}
