package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.core.process.Keeper;

/** The calls of jq in the guides, made on the findings of the example that the guides analyse. */
@Tag("real-processes")
@Tag("untimed")
class GuideFiltersTest {
  private static final Path PROGRAM = Path.of("/usr/bin/jq");

  @TempDir static Path folder;

  @BeforeAll
  static void analyse() {
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "jq is not installed");
    GuideExample.analyse(folder);
  }

  static List<GuideBlock> filters() throws IOException {
    List<GuideBlock> filters =
        GuideBlock.all().stream()
            .filter(block -> block.text().startsWith("jq "))
            .filter(block -> block.text().contains("slow/"))
            .toList();
    assertThat(filters).hasSizeGreaterThan(2);
    return filters;
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aFilterOfAPageIsUnderstood(GuideBlock block) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder("sh", "-e", "-c", block.text())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile()));

    assertThat(process.waitFor()).as(() -> text(output)).isZero();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
