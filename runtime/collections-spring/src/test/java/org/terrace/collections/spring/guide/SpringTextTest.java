package org.terrace.collections.spring.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code in the guide to Spring against the code that is run. */
class SpringTextTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyBlockOfTheGuideIsRun() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guide/spring.md"));
    String source =
        flat(
            Files.readString(
                ROOT.resolve(
                    "runtime/collections-spring/src/test/java/org/terrace/collections/spring/guide/SpringGuideTest.java")));

    List<String> blocks =
        BLOCK.matcher(guide).results().map(result -> flat(result.group(1))).toList();
    assertThat(blocks).isNotEmpty();
    assertThat(blocks).allSatisfy(block -> assertThat(source).contains(block));
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
