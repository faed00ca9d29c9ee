package org.terrace.invocation.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.retention.PostgresDatabase;

/** The example of the guide runs, and the guide shows what runs. */
@Tag("real-processes")
@Tag("untimed")
class BoxOfficeTest {
  private static final Path PAGE = Path.of("docs/guide/fail-over-and-exactly-once.md");
  private static final String SOURCE = "src/test/java/org/terrace/invocation/guide/BoxOffice.java";
  private static final int MOST_LINES = 40;

  @Test
  void theExampleFailsOverAndSellsEachSeatOnce() throws Exception {
    try (PostgresDatabase database = PostgresDatabase.start();
        HikariDataSource pool = database.pool(4)) {
      try (var connection = pool.getConnection();
          var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE seats (free int NOT NULL)");
        statement.execute("INSERT INTO seats VALUES (10)");
        connection.commit();
      }
      assertThat(BoxOffice.sellThroughFailOver(pool)).isEqualTo(5);
    }
  }

  @Test
  void thePageShowsTheExampleInLessThanFortyLines() throws Exception {
    String source = Files.readString(module().resolve(SOURCE));
    Path root = module();
    while (!Files.exists(root.resolve(PAGE))) {
      root = root.getParent();
    }
    assertThat(Files.readString(root.resolve(PAGE))).contains("```java\n" + source + "```\n");
    assertThat(source.lines()).hasSizeLessThan(MOST_LINES);
  }

  private static Path module() {
    return Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  }
}
