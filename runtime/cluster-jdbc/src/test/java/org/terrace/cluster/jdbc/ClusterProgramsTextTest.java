package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide to programs on a clustered database against the programs that are run. */
class ClusterProgramsTextTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root", "../.."));
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyBlockOfTheGuidesProgramsIsRun() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guide/clustered-database.md"));
    String programs = guide.substring(guide.indexOf("\n## Programs"));
    String source =
        flat(
            Files.readString(
                ROOT.resolve(
                    "runtime/cluster-jdbc/src/test/java/org/terrace/cluster/jdbc/ClusterProgramsTest.java")));

    List<String> blocks =
        BLOCK.matcher(programs).results().map(result -> flat(result.group(1))).toList();
    assertThat(blocks).hasSize(4);
    assertThat(blocks).allSatisfy(block -> assertThat(source).contains(block));
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
