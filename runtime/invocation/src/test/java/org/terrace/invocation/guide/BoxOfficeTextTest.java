package org.terrace.invocation.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page that shows the example of the guide against the example that is run. */
class BoxOfficeTextTest {
  private static final Path PAGE = Path.of("docs/guide/fail-over-and-exactly-once.md");
  private static final String SOURCE = "src/test/java/org/terrace/invocation/guide/BoxOffice.java";
  private static final int MOST_LINES = 40;

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
