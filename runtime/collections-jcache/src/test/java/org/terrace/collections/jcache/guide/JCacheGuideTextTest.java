package org.terrace.collections.jcache.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The text of the guide, beside the examples that run. */
class JCacheGuideTextTest {
  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyExampleOfTheGuideIsOneOfThese() throws IOException {
    Path root = Path.of(System.getProperty("terrace.root"));
    String source =
        Files.readString(
            root.resolve(
                "runtime/collections-jcache/src/test/java/org/terrace/collections/jcache/guide/JCacheGuideTest.java"));
    Matcher blocks = BLOCK.matcher(Files.readString(root.resolve("docs/guide/jcache.md")));
    List<String> examples = blocks.results().map(result -> flat(result.group(1))).toList();

    assertThat(examples).isNotEmpty().allMatch(flat(source)::contains);
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
