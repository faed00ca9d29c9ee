package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The queries of the guides, asked by DuckDB of the example that the guides analyse. */
class GuideQueriesTest {
  @TempDir static Path folder;

  @BeforeAll
  static void analyse() {
    Path result = GuideExample.analyse(folder, "--csv");
    assertThat(
            Terrace.commandLine()
                .execute(
                    "export", result.toString(), "--quiet", "--fleet=" + folder.resolve("fleet")))
        .isZero();
  }

  static List<GuideBlock> queries() throws IOException {
    List<GuideBlock> queries =
        GuideBlock.all().stream()
            .filter(block -> block.language().equals("sql"))
            .filter(block -> !MeshQueriesTest.isOfAMesh(block))
            .toList();
    assertThat(queries).hasSizeGreaterThan(3);
    return queries;
  }

  @ParameterizedTest
  @MethodSource("queries")
  void aQueryOfAPageHasAnAnswer(GuideBlock block) throws SQLException {
    String query =
        block
            .text()
            .replace("'slow/", "'" + folder.resolve("slow") + "/")
            .replace("'/mnt/fleet/", "'" + folder.resolve("fleet") + "/")
            // The hour of the guide's own recording, which is later than the example's.
            .replaceAll("hour >= '[0-9-]+'", "hour >= '2000-01-01-00'");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).as(query).isTrue();
    }
  }
}
