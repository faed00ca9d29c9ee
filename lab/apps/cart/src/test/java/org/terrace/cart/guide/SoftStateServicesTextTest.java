package org.terrace.cart.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The text of the guide to services over soft state against the examples that are run. */
class SoftStateServicesTextTest {
  private static final Path ROOT = Path.of("../../..");
  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyExampleInTheTextIsRun() throws IOException {
    String source =
        flat(
            Files.readString(
                ROOT.resolve(
                    "lab/apps/cart/src/test/java/org/terrace/cart/guide/SoftStateServicesGuideTest.java")));
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(ROOT.resolve("docs/guide/soft-state-services.md")))
            .results()
            .map(result -> result.group(1))
            .toList();

    assertThat(blocks).hasSizeGreaterThanOrEqualTo(4);
    assertThat(blocks).allSatisfy(block -> assertThat(source).contains(flat(block)));
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
