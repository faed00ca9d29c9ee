package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers to a person who mistypes, or gives the wrong file. */
class MistakesTest {
  @TempDir Path directory;

  private final StringWriter messages = new StringWriter();

  private int run(String... arguments) {
    return Terrace.commandLine().setErr(new PrintWriter(messages)).execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "analyse, analyze",
    "anlyze, analyze",
    "rum, run",
    "Run, run",
    "compair, compare",
    "docter, doctor"
  })
  void theCommandThatWasMeantIsNamed(String mistyped, String meant) {
    assertThat(run(mistyped, "x.pcap", "--out=y")).isEqualTo(2);

    assertThat(messages.toString())
        .contains("there is no command '" + mistyped + "'; did you mean '" + meant + "'?");
  }

  @Test
  void aWordFarFromAnyCommandIsNotGuessedAt() {
    assertThat(run("frobnicate")).isEqualTo(2);

    assertThat(messages.toString())
        .contains("there is no command 'frobnicate'", "See terrace --help")
        .doesNotContain("did you mean");
  }

  @Test
  void theOptionThatWasMeantIsNamed() {
    assertThat(run("analyze", "--teirs=tiers.yaml", "x.pcap")).isEqualTo(2);

    assertThat(messages.toString())
        .contains(
            "there is no option '--teirs'; did you mean '--tiers'?", "terrace analyze --help");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "report"})
  void theCommandThatTakesKeysIsNamed(String command) {
    assertThat(run(command, "x", "--tls-keys", "keys.log")).isEqualTo(2);

    assertThat(messages.toString())
        .contains(
            "there is no option '--tls-keys' of 'terrace " + command + "'",
            "one of 'terrace analyze'",
            "keys are for reading a capture");
  }

  @Test
  void keysOfATableAreRefused() throws IOException {
    Path table =
        Files.writeString(
            directory.resolve("requests.csv"), "server,arrivalNanos,departureNanos\nweb1,1,2\n");

    assertThat(
            run(
                "analyze",
                table.toString(),
                "--tls-keys=keys.log",
                "--out=" + directory.resolve("out")))
        .isEqualTo(2);

    assertThat(messages.toString()).contains("--tls-keys", "requests.csv holds a table");
  }

  @Test
  void aCommandOfACommandIsGuessedToo() {
    assertThat(run("database", "verfiy", "jdbc:terrace:postgresql://a,b/shop")).isEqualTo(2);

    assertThat(messages.toString())
        .contains("there is no command 'verfiy'; did you mean 'verify'?");
  }

  @Test
  void helpOfACommandIsItsHelp() {
    StringWriter output = new StringWriter();

    assertThat(Terrace.commandLine().setOut(new PrintWriter(output)).execute("help", "analyze"))
        .isZero();

    assertThat(output.toString()).startsWith("Usage: terrace analyze").contains("--tiers");
    assertThat(run("help", "analyse")).isEqualTo(2);
    assertThat(messages.toString()).contains("did you mean 'analyze'?");
  }

  @Test
  void aChoiceIsNamedAsItIsWritten() {
    assertThat(run("bench", "wirr")).isEqualTo(2);

    assertThat(messages.toString()).contains("expected one of [wire, load, analysis,");
  }

  @Test
  void withoutACommandThereIsTheListOfThem() {
    assertThat(run()).isEqualTo(2);

    assertThat(messages.toString())
        .contains("expected a command", "Usage: terrace", "analyze", "Examples:");
  }

  /** Such as the text that tcpdump prints. */
  @Test
  void aFileOfAnotherKindIsToldOfAllThatAnalyzeReads() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.txt"), "12:00 IP 10.0.0.1 > 10.0.0.2\n");

    assertThat(run("analyze", text.toString(), "--out=" + directory.resolve("out"))).isEqualTo(2);

    assertThat(messages.toString())
        .contains("notes.txt", "pcap", ".csv", ".parquet", "traces", "tcpdump -w");
    assertThat(directory.resolve("out")).doesNotExist();
  }
}
