package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.Keeper;
import org.terrace.report.FindingsFile;

/** The command as a user calls it, in a JVM of its own. */
@Timeout(180)
@Tag("real-processes")
@Tag("untimed")
class CommandTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final Path CAPTURE =
      SourceTree.root().resolve("observatory/protocols/src/test/resources/captures/http.pcap");

  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: smallest
      topology: 1/1/0/1
      load: {closed: {users: 20, think: exp(300ms)}, mix: browse-only}
      phases: {rampUp: 1s, run: 4s, rampDown: 1s}
      data: {scale: 0.001, seed: 1}
      network: 127.21
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  /** The output of a call of the command and its exit code. */
  private record Call(int exitCode, String output, String messages) {}

  @Test
  void helpNamesEveryCommandAndTheExitCodes() throws Exception {
    Call call = terrace("--help");

    assertThat(call.exitCode()).isZero();
    assertThat(call.output())
        .contains("run", "analyze", "capture", "report", "serve", "bench", "doctor", "Exit codes");
  }

  @Test
  void aNewMeshIsUnderstoodByADryRun() throws Exception {
    String file = directory.resolve("new.yaml").toString();

    assertThat(terrace("init", file, "--kind", "mesh").exitCode()).isZero();
    Call call = terrace("run", file, "--dry-run");

    assertThat(call.exitCode()).as(call.messages()).isZero();
    assertThat(call.output() + call.messages()).contains("trials");
  }

  @Test
  void aDryRunOfAStudyThatRunsAMeshNamesItsTrials() throws Exception {
    Path out = directory.resolve("none");

    Call call = terrace("run", study("scale-out"), "--dry-run", "--out", out.toString());

    assertThat(call.exitCode()).as(call.messages()).isZero();
    List<String> lines = call.output().lines().toList();
    assertThat(lines)
        .anyMatch(line -> line.matches(".*\\d+ trials, of which 0 are done; .* \\d+ minutes"));
    List<String> trials =
        lines.stream().filter(line -> line.matches(" +\\d+ of \\d+: .*")).toList();
    assertThat(trials).hasSizeGreaterThan(60).doesNotHaveDuplicates();
    assertThat(trials.getLast()).startsWith("  %1$d of %1$d: ".formatted(trials.size()));
    assertThat(out).doesNotExist();
  }

  @Test
  void aDryRunOfAStudyWithoutTrialsIsRefused() throws Exception {
    Call call = terrace("run", study("fail-over"), "--dry-run");

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.messages()).contains("the study fail-over has none");
  }

  private static String study(String name) {
    return SourceTree.root().resolve("studies/" + name + ".yaml").toString();
  }

  @Test
  void aCaptureIsAnalysedByItself() throws Exception {
    Path out = directory.resolve("out");

    Call call = terrace("analyze", CAPTURE.toString(), "--out", out.toString(), "--json");

    assertThat(call.exitCode()).isZero();
    assertThat(call.output()).startsWith("{").contains("terrace-findings/1");
    assertThat(out.resolve("findings.json")).hasContent(call.output());
    assertThat(out.resolve("report.html")).content().contains("<!DOCTYPE html>");
    assertThat(out.resolve("requests.parquet")).isNotEmptyFile();
  }

  @Test
  @Tag("long")
  void whatACaptureLostIsToldOnTheTerminalToo() throws Exception {
    byte[] whole = Files.readAllBytes(CAPTURE);
    Path cut = Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 7));

    Call call = terrace("analyze", cut.toString(), "--out", directory.resolve("out").toString());

    assertThat(call.exitCode()).isZero();
    assertThat(call.messages()).contains("warning: 1 capture file ends in the middle of a packet");
  }

  @Test
  @Tag("long")
  void aSecondResultNeitherReplacesNorJoinsTheFirstUnlessToldTo() throws Exception {
    Path out = directory.resolve("twice");
    Call first = terrace("analyze", CAPTURE.toString(), "--out", out.toString());
    Path mark = Files.writeString(out.resolve("mark"), "of the first result");

    Call second = terrace("analyze", CAPTURE.toString(), "--out", out.toString());

    assertThat(first.exitCode()).as(first.messages()).isZero();
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(second.messages()).contains("earlier result", "--replace");
    assertThat(mark).exists();

    Call third =
        terrace(
            "analyze", CAPTURE.toString(), "--window", "50", "--out", out.toString(), "--replace");

    assertThat(third.exitCode()).as(third.messages()).isZero();
    assertThat(mark).doesNotExist();
    assertThat(out.resolve("facts.json"))
        .content()
        .contains("./terrace analyze " + CAPTURE + " --window 50 --out " + out + " --replace");
  }

  @Test
  @Tag("long")
  void anInterruptEndsStandardInputAndTheAnalysisGoesOn() throws Exception {
    Path out = directory.resolve("piped");
    Process process = command("analyze", "-", "--out", out.toString()).start();
    try (var input = process.getOutputStream()) {
      Files.copy(CAPTURE, input);
      input.flush();
      var reading = process.errorReader(StandardCharsets.UTF_8);
      assertThat(reading.readLine()).contains("reading");
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      assertThat(process.waitFor()).as(() -> reading.lines().toList().toString()).isZero();
    }

    assertThat(out.resolve("report.html")).isNotEmptyFile();
  }

  @Test
  @Tag("long")
  void aShellCompletesCommandsAndOptions() throws Exception {
    Path script = directory.resolve("completion");
    Files.writeString(script, terrace("completion").output());

    assertThat(completions(script, "terrace an")).contains("analyze");
    assertThat(completions(script, "terrace serve --to")).contains("--token");
    assertThat(completions(script, "terrace analyze --ti")).contains("--tiers");
  }

  /** The completions that bash offers at the end of a line. */
  private String completions(Path script, String line) throws Exception {
    String words = line.replaceAll("(\\S+)", "'$1'");
    Path offered = directory.resolve("offered");
    Process shell =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(
                        "bash",
                        "-c",
                        "source %s; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                                .formatted(script, words)
                            + " _complete_terrace; echo ${COMPREPLY[@]}")
                    .redirectErrorStream(true)
                    .redirectOutput(offered.toFile()));
    int status = shell.waitFor();
    String text = Files.readString(offered);
    assertThat(status).as(text).isZero();
    return text;
  }

  @Test
  @Tag("long")
  void aProofRunsOnTheLibrariesOfTheCommandAlone() throws Exception {
    Call call = terrace("prove", "collections", "--seeds", "20", "--json");

    assertThat(call.exitCode()).as(call.messages()).isZero();
    assertThat(call.output()).contains("terrace-proof/1");
  }

  @Test
  void badInputEndsWithItsOwnCodeAndOneSentence() throws Exception {
    Path specification = directory.resolve("bad.yaml");
    Files.writeString(specification, "kind: Experiment\nname: bad\ntopologie: 1/1/0/1\n");

    Call bad = terrace("run", specification.toString());
    Call missing = terrace("analyze", directory.resolve("nothing.pcap").toString());
    Call unknown = terrace("bench", "nothing");

    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.messages()).contains("bad.yaml:3", "topologie", "topology");
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.messages()).contains("nothing.pcap").doesNotContain("Exception");
    assertThat(unknown.exitCode()).isEqualTo(2);
  }

  @Test
  @Tag("long")
  void aRunAndItsCaptureAloneGiveTheSameRequestCounts() throws Exception {
    Call doctor = terrace("doctor", "--json");
    Assumptions.assumeTrue(
        doctor.exitCode() == 0, "this machine lacks something that a run needs: terrace doctor");
    Path specification = directory.resolve("smallest.yaml");
    Files.writeString(specification, SPECIFICATION);
    Path run = directory.resolve("run");
    Path alone = directory.resolve("alone");

    Call first = terrace("run", specification.toString(), "--out", run.toString());
    Call second =
        terrace("analyze", run.resolve("capture.pcapng").toString(), "--out", alone.toString());
    Call third = terrace("report", run.toString());

    assertThat(first.exitCode()).as(first.messages()).isLessThanOrEqualTo(1);
    assertThat(first.messages().lines().filter(line -> line.startsWith("Not valid: ")))
        .allSatisfy(line -> assertThat(line).startsWith("Not valid: generator-"));
    assertThat(second.exitCode()).as(second.messages()).isZero();
    assertThat(third.exitCode()).isEqualTo(first.exitCode());
    assertThat(counts(alone)).hasSize(3).isEqualTo(counts(run));
    assertThat(FindingsFile.read(run.resolve(FindingsFile.NAME)).transactions().calls())
        .as("calls that a run has stitched, told by its report again")
        .isPositive();
    assertThat(run.resolve("report.html")).isNotEmptyFile();
  }

  /** Name and number of requests of each server, in the order of the findings. */
  private static List<String> counts(Path result) throws IOException {
    List<String> counts = new ArrayList<>();
    String name = "";
    for (String line : Files.readAllLines(result.resolve("findings.json"))) {
      String text = line.strip();
      if (text.startsWith("\"name\"")) {
        name = text;
      } else if (text.startsWith("\"requests\"") && !name.isEmpty()) {
        counts.add(name + " " + text);
        name = "";
      }
    }
    return counts;
  }

  private Call terrace(String... arguments) throws IOException, InterruptedException {
    Path messages = Files.createTempFile(directory, "messages", ".txt");
    Process process =
        Keeper.ofThisProcess().start(command(arguments).redirectError(messages.toFile()));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Call(process.waitFor(), output, Files.readString(messages));
  }

  private ProcessBuilder command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dterrace.home=" + HOME,
            "-cp",
            HOME.resolve("lib") + "/*",
            "org.terrace.cli.Terrace"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(directory.toFile());
  }
}
