package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cli.input.TiersFile;
import org.terrace.specification.HostsFile;
import org.terrace.specification.PricesFile;
import org.terrace.specification.SpecificationReader;

/** The files that the documents show are read: whole ones, and parts beside what they leave out. */
class GuideFilesTest {
  private static final Path EXPERIMENTS = GuideBlock.ROOT.resolve("experiments");
  private static final Pattern SECTION = Pattern.compile("(?m)^(?=[\\w-]+:)");
  private static final Pattern KEY = Pattern.compile("([\\w-]+):.*", Pattern.DOTALL);
  private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\w+)$");
  private static final Pattern TIERS = Pattern.compile("(?m)^[\\w-]+: \\{tier: ");
  private static final String EXPERIMENT =
      """
      kind: Experiment
      name: guide
      topology: 1/2/0/1
      load: {closed: {users: 10, think: exp(1s)}, mix: read-write}
      phases: {rampUp: 5s, run: 90s, rampDown: 2s}
      """;
  private static final int FEWEST = 10;

  @TempDir Path folder;

  static List<GuideBlock> files() throws IOException {
    List<GuideBlock> files =
        GuideBlock.all().stream()
            .filter(block -> block.language().equals("yaml"))
            .filter(block -> !block.text().startsWith("containers:")) // of Kubernetes
            .filter(block -> !block.text().startsWith("apiVersion:")) // of Kubernetes
            .toList();
    assertThat(files).hasSizeGreaterThanOrEqualTo(FEWEST);
    return files;
  }

  @ParameterizedTest
  @MethodSource("files")
  void aFileOfAPageIsRead(GuideBlock block) {
    assertThatCode(() -> read(block.text())).doesNotThrowAnyException();
  }

  private void read(String text) throws IOException {
    Matcher kind = KIND.matcher(text);
    if (kind.find()) {
      read(kind.group(1), text);
    } else if (TIERS.matcher(text).find()) {
      TiersFile.read(Files.writeString(folder.resolve("tiers.yaml"), text));
    } else if (keys(text).contains("vary")) {
      read("Mesh", beside(text, "own-service-mesh.yaml"));
    } else if (keys(text).contains("search")) {
      read("Mesh", beside(text, "small-mesh.yaml"));
    } else {
      read("Experiment", without(EXPERIMENT, keys(text)) + text);
    }
  }

  private void read(String kind, String text) throws IOException {
    String name = EXPERIMENTS.resolve("guide.yaml").toString();
    switch (kind) {
      case "Experiment" -> SpecificationReader.read(name, text);
      case "Mesh" -> SpecificationReader.readMesh(name, text);
      case "Prices" -> PricesFile.read(Files.writeString(folder.resolve("prices.yaml"), text));
      case "Hosts" -> HostsFile.read(Files.writeString(folder.resolve("hosts.yaml"), text));
      default -> throw new IllegalArgumentException("there is no kind " + kind);
    }
  }

  private static String beside(String part, String example) throws IOException {
    return without(Files.readString(EXPERIMENTS.resolve(example)), keys(part)) + "\n" + part;
  }

  /** A file without those of its sections that a part has. */
  private static String without(String whole, Set<String> keys) {
    return SECTION
        .splitAsStream(whole)
        .filter(section -> !keys.contains(key(section)))
        .collect(Collectors.joining());
  }

  private static Set<String> keys(String text) {
    return SECTION.splitAsStream(text).map(GuideFilesTest::key).collect(Collectors.toSet());
  }

  private static String key(String section) {
    Matcher key = KEY.matcher(section);
    return key.matches() ? key.group(1) : "";
  }
}
