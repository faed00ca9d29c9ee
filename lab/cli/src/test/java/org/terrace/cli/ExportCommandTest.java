package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.fleet.FleetFindings;
import org.terrace.fleet.FleetReader;
import org.terrace.fleet.FleetStorage;
import org.terrace.report.FindingsFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExportCommandTest {
  private static final Path SHOP = Path.of("../../examples/slow-shop");

  @TempDir Path directory;

  /** A capture of a real nginx and PostgreSQL, exported twice, and its findings made of parts. */
  @Test
  void theFindingsOfACaptureAreThoseOfItsTrial() {
    Path result = directory.resolve("monday");
    assertThat(
            run(
                "analyze",
                SHOP.resolve("slow.pcap.gz").toString(),
                "--tiers=" + SHOP.resolve("tiers.yaml"),
                "--out=" + result))
        .isEqualTo("0 ");

    assertThat(run("export", result.toString(), "--fleet", fleet())).isEqualTo("0 ");
    assertThat(run("export", directory.toString(), "--fleet", fleet(), "--name", "all"))
        .isEqualTo("0 ");

    FleetStorage storage = FleetStorage.of(Path.of(fleet()));
    assertThat(FleetReader.trials(storage)).containsExactly("all-monday", "monday");
    Findings told = FindingsFile.read(result.resolve(FindingsFile.NAME));
    for (String trial : FleetReader.trials(storage)) {
      Findings found = FleetFindings.of(storage, trial, AnalysisOptions.defaults());
      assertThat(found.window()).isEqualTo(told.window());
      assertThat(found.servers()).isEqualTo(told.servers()).isNotEmpty();
      assertThat(found.users()).isEqualTo(told.users());
      assertThat(found.clients()).isEqualTo(told.clients());
      assertThat(found.stallEpisodes())
          .isEqualTo(withoutPackets(told.stallEpisodes()))
          .isNotEmpty();
    }
  }

  /** The form of findings that a job writes is the one that commands write and read. */
  @Test
  void aTrialsFindingsAreAFileOfFindings() {
    Path result = directory.resolve("monday");
    run("analyze", SHOP.resolve("slow.pcap.gz").toString(), "--out=" + result);
    Findings findings = FindingsFile.read(result.resolve(FindingsFile.NAME));

    JsonNode written = JsonMapper.shared().readTree(FleetFindings.toJson(findings));

    assertThat(written).isEqualTo(JsonMapper.shared().readTree(FindingsFile.toJson(findings)));
  }

  @Test
  void whatIsNoResultOrThereAlreadyIsRefused() throws IOException {
    Path result = directory.resolve("monday");
    run("analyze", SHOP.resolve("slow.pcap.gz").toString(), "--out=" + result);
    run("export", result.toString(), "--fleet", fleet());

    assertThat(run("export", result.toString(), "--fleet", fleet()))
        .startsWith("2 ")
        .contains("has a trial monday already", "--name", "--replace");
    assertThat(run("export", result.toString(), "--fleet", fleet(), "--replace")).isEqualTo("0 ");
    assertThat(run("export", fleet(), "--fleet", fleet()))
        .startsWith("2 ")
        .contains("expected requests.parquet");
    Path other = Files.createDirectories(directory.resolve("other/monday"));
    for (String file : List.of("requests.parquet", "findings.json")) {
      Files.copy(result.resolve(file), other.resolve(file));
    }
    assertThat(run("export", result.toString(), other.toString(), "--fleet", fleet()))
        .startsWith("2 ")
        .contains("would both be the trial monday");
  }

  @Test
  void whatWasAddedBeforeAFailureIsTold() throws IOException {
    Path first = directory.resolve("first");
    run("analyze", SHOP.resolve("slow.pcap.gz").toString(), "--out=" + first);
    Path second = Files.createDirectories(directory.resolve("second"));
    byte[] whole = Files.readAllBytes(first.resolve("requests.parquet"));
    Files.copy(first.resolve("findings.json"), second.resolve("findings.json"));
    Files.write(second.resolve("requests.parquet"), Arrays.copyOf(whole, whole.length / 2));

    assertThat(run("export", first.toString(), second.toString(), "--fleet", fleet()))
        .startsWith("2 ")
        .contains(second.toString(), "Added before it: first.");
    assertThat(FleetReader.trials(FleetStorage.of(Path.of(fleet())))).containsExactly("first");
  }

  /** The link to the newest of a pipeline's results, and what killed and failed runs left. */
  @Test
  void linksAndRunsWithoutAResultAreNoTrials() throws IOException {
    Path results = directory.resolve("results");
    Path first = results.resolve("run-1");
    run("analyze", SHOP.resolve("slow.pcap.gz").toString(), "--out=" + first);
    for (String name : List.of("run-2", "run-1.replaced", "run-3.unfinished", "run-4")) {
      Path copy = Files.createDirectories(results.resolve(name));
      for (String file : List.of("requests.parquet", "findings.json")) {
        Files.copy(first.resolve(file), copy.resolve(file));
      }
    }
    Files.delete(results.resolve("run-4/findings.json"));
    Files.createSymbolicLink(results.resolve("latest"), Path.of("run-2"));

    assertThat(run("export", results.toString(), "--fleet", fleet())).isEqualTo("0 ");

    assertThat(FleetReader.trials(FleetStorage.of(Path.of(fleet()))))
        .containsExactly("results-run-1", "results-run-2");
    assertThat(run("export", results.resolve("run-4").toString(), "--fleet", fleet()))
        .as("what is named itself is meant")
        .isEqualTo("0 ");
    List<String> all =
        new ArrayList<>(List.of("export", "--fleet", directory.resolve("all").toString()));
    try (Stream<Path> entries = Files.list(results)) {
      entries.map(Path::toString).sorted().forEach(all::add);
    }
    assertThat(run(all.toArray(String[]::new))).isEqualTo("0 ");
    assertThat(FleetReader.trials(FleetStorage.of(directory.resolve("all"))))
        .as("of all names, as a shell fills them in")
        .containsExactly("run-1", "run-2");
    Files.delete(first.resolve("findings.json"));
    Files.delete(results.resolve("run-2/findings.json"));
    assertThat(run("export", results.toString(), "--fleet", fleet(), "--replace"))
        .startsWith("2 ")
        .contains("run-1 (it has no findings", "run-3.unfinished (it is not finished");
  }

  private String fleet() {
    return directory.resolve("fleet").toString();
  }

  private static List<StallEpisode> withoutPackets(List<StallEpisode> episodes) {
    return episodes.stream().map(each -> each.withPackets(null)).toList();
  }

  /** The exit code of a command, and what it says of an error. */
  private static String run(String... arguments) {
    StringWriter messages = new StringWriter();
    int code = Terrace.commandLine().setErr(new PrintWriter(messages)).execute(arguments);
    return code + " " + messages;
  }
}
