package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The example that the guides analyse, as their readers do it. */
final class GuideExample {
  private static final Path DIRECTORY = GuideBlock.ROOT.resolve("examples/slow-shop");

  private GuideExample() {}

  /** Analyses the example into a directory named {@code slow}, with more options of the command. */
  static Path analyse(Path folder, String... options) {
    Path result = folder.resolve("slow");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "analyze",
                DIRECTORY.resolve("slow.pcap.gz").toString(),
                "--tiers=" + DIRECTORY.resolve("tiers.yaml"),
                "--quiet",
                "--out=" + result));
    arguments.addAll(List.of(options));
    assertThat(Terrace.commandLine().execute(arguments.toArray(String[]::new))).isZero();
    return result;
  }
}
