package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.Keeper;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The release archive, unpacked and used where there is neither Java nor Maven. */
@Timeout(300)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ReleaseArchiveTest {
  private static final Path ROOT = SourceTree.root();
  private static final long MOST_BYTES = 155_000_000;

  /** The time within which a stranger's capture is to become a report. */
  private static final String SECONDS_OF_A_STRANGER = "60";

  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: smallest
      topology: 1/1/0/1
      load: {closed: {users: 10, think: exp(300ms)}, mix: browse-only}
      phases: {rampUp: 1s, run: 2s, rampDown: 1s}
      observe: {packets: false, sample: 1s}
      data: {scale: 0.001, seed: 1}
      network: 127.23
      """;

  @TempDir Path directory;

  @Test
  void itRunsInAnEmptyEnvironment() throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(ROOT.resolve("distribution/target/terrace/lib"))
            && Files.isDirectory(ROOT.resolve("distribution/target/terrace/apps/board")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    Path archives = directory.resolve("archives");
    Path made =
        Path.of(
            call(
                ROOT,
                System.getProperty("java.home"),
                ROOT.resolve("tools/release-archive").toString(),
                "--assembled",
                archives.toString()));
    assertThat(Files.size(made)).isLessThan(MOST_BYTES);
    call(archives, "", "sha256sum", "--check", made.getFileName() + ".sha256");
    call(archives, "", "tar", "--extract", "--file", made.toString());
    try (Stream<Path> left = Files.list(archives)) {
      assertThat(left).as("the archive, its sum, and what was unpacked").hasSize(3);
    }

    assertThat(archives.resolve(name(made)).resolve("SECURITY.md")).isNotEmptyFile();
    judgeMaterials(archives.resolve(name(made)));
    Path command = archives.resolve(name(made)).resolve("bin/terrace");
    Path specification = Files.writeString(directory.resolve("smallest.yaml"), SPECIFICATION);
    assertThat(call(directory, "", command.toString(), "--help")).contains("analyze", "run");
    goTheWayOfAStranger(command, archives.resolve(name(made)).resolve("examples/slow-shop"));
    runTrial(command, specification);

    assertThat(directory.resolve("trial/findings.json")).content().contains("app1", "database1");
  }

  /** The bill of materials lists the Java and each other jar of the archive, and no more. */
  private static void judgeMaterials(Path home) throws Exception {
    List<String> jars = new ArrayList<>();
    try (Stream<Path> files = Files.walk(home)) {
      files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !file.startsWith(home.resolve("runtime")))
          .forEach(jar -> jars.add(home.relativize(jar).toString()));
    }
    List<String> listed = new ArrayList<>();
    JsonNode bill = JsonMapper.shared().readTree(home.resolve("bom.json").toFile());
    assertThat(bill.path("components").path(0).path("type").asString()).isEqualTo("platform");
    for (JsonNode library : bill.path("components").valueStream().skip(1).toList()) {
      assertThat(library.path("name").asString()).isNotEmpty();
      assertThat(library.path("hashes").path(0).path("content").asString()).hasSize(64);
      library
          .path("evidence")
          .path("occurrences")
          .forEach(place -> listed.add(place.path("location").asString()));
    }
    assertThat(bill.path("bomFormat").asString()).isEqualTo("CycloneDX");
    assertThat(listed).containsExactlyInAnyOrderElementsOf(jars);
    assertThat(jars).isNotEmpty();
  }

  /**
   * Hands over a capture that tcpdump made of nginx and PostgreSQL, with nothing but the archive:
   * the report names the server that stood still, and who only waited for it.
   */
  private void goTheWayOfAStranger(Path command, Path example) throws Exception {
    String said =
        call(
            directory,
            "",
            "timeout",
            SECONDS_OF_A_STRANGER,
            command.toString(),
            "analyze",
            example.resolve("slow.pcap.gz").toString(),
            "--tiers",
            example.resolve("tiers.yaml").toString(),
            "--out",
            "analysed");
    assertThat(said).contains("postgresql stalled once", "nginx only waited once, for shop");
    assertThat(directory.resolve("analysed/report.html"))
        .content()
        .contains("postgresql stalled once", "</html>");
    assertThat(directory.resolve("analysed/findings.json"))
        .content()
        .contains("shop only waited once, for postgresql.");
  }

  /** Runs a trial to its report; a machine that is too busy makes it say so, and end with 1. */
  private void runTrial(Path command, Path specification) throws Exception {
    Ended run =
        end(directory, "", command.toString(), "run", specification.toString(), "--out", "trial");
    assertThat(run.exitCode()).as(run.text()).isLessThanOrEqualTo(1);
    assertThat(run.text()).as("no packets were captured").contains("not watched");
    assertThat(run.text().lines().filter(line -> line.startsWith("Not valid: ")))
        .allSatisfy(line -> assertThat(line).startsWith("Not valid: generator-"));
  }

  private static String name(Path archive) {
    return archive.getFileName().toString().replace(".tar.gz", "");
  }

  /** Calls a command without any variables but those given, and returns what it printed. */
  private String call(Path where, String javaHome, String... command) throws Exception {
    Ended ended = end(where, javaHome, command);
    assertThat(ended.exitCode()).as(String.join(" ", command) + "\n" + ended.text()).isZero();
    return ended.text().strip();
  }

  private Ended end(Path where, String javaHome, String... command) throws Exception {
    List<String> words = new ArrayList<>(List.of("env", "-i", "PATH=/usr/bin:/bin"));
    words.add("HOME=" + Files.createDirectories(directory.resolve("home")));
    words.add("TERRACE_JAVA_HOME=" + javaHome);
    Collections.addAll(words, command);
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(words)
                    .directory(where.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile()));
    int exitCode = process.waitFor();
    return new Ended(exitCode, Files.readString(output));
  }

  private record Ended(int exitCode, String text) {}
}
