package org.terrace.collections.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The text of the guide and of the README against the examples that are run. */
class SoftStateTextTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root", "../.."));
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final int README_LINES_MAX = 14;

  @Test
  void everyExampleInTheTextIsRun() throws IOException {
    String source =
        flat(
            Files.readString(
                ROOT.resolve(
                    "runtime/collections/src/test/java/org/terrace/collections/guide/SoftStateGuideTest.java")));
    List<String> guide = blocks(ROOT.resolve("docs/guide/soft-state.md"));
    List<String> readme = blocks(ROOT.resolve("README.md"));

    assertThat(guide).hasSizeGreaterThanOrEqualTo(4);
    assertThat(readme).isNotEmpty();
    for (String block : guide) {
      assertThat(source).contains(flat(block));
    }
    for (String block : readme) {
      assertThat(source).contains(flat(block));
      assertThat(block.lines().count()).isLessThanOrEqualTo(README_LINES_MAX);
    }
  }

  @Test
  void theCodeOfTheGuideToKubernetesIsWhatAPodRuns() throws IOException {
    String source =
        flat(
            Files.readString(
                ROOT.resolve(
                    "runtime/collections/src/test/java/org/terrace/collections/guide/HeadlessServiceTest.java")));
    List<String> guide = blocks(ROOT.resolve("docs/guide/kubernetes.md"));

    assertThat(guide).hasSize(2);
    for (String block : guide) {
      assertThat(source).contains(flat(block));
    }
  }

  private static List<String> blocks(Path document) throws IOException {
    Matcher matcher = BLOCK.matcher(Files.readString(document));
    return matcher.results().map(result -> result.group(1)).toList();
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
