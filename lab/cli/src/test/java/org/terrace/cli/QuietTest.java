package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Quiet commands: each can be, and one that fails says why all the same. */
class QuietTest {
  /** Help, a script for the shell, and what runners call: they have no messages for people. */
  private static final List<String> WITHOUT_MESSAGES =
      List.of("terrace", "completion", "help", "agent");

  @TempDir Path directory;

  static List<CommandLine> commands() {
    return HelpTextTest.commands().stream()
        .filter(command -> !WITHOUT_MESSAGES.contains(command.getCommandName()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandCanBeQuiet(CommandLine command) {
    assertThat(command.getCommandSpec().optionsMap()).containsKey("--quiet");
  }

  @Test
  void aQuietCommandThatEndsWithOneNamesWhatFailed() throws IOException {
    Path table =
        Files.writeString(
            directory.resolve("few.csv"),
            """
            server,arrivalNanos,departureNanos
            app1,1000000000,1010000000
            app1,1100000000,1110000000
            """);
    StringWriter messages = new StringWriter();

    int exitCode =
        Terrace.commandLine()
            .setErr(new PrintWriter(messages))
            .execute(
                "analyze",
                table.toString(),
                "--quiet",
                "--fail-if=app1 p50 > 1ms",
                "--out=" + directory.resolve("out"));

    assertThat(exitCode).isEqualTo(1);
    assertThat(messages.toString().lines())
        .singleElement()
        .asString()
        .contains("Failed: app1 p50 > 1ms");
  }

  @Test
  void afterTheLastWordOfAnInterruptedCommandNothingIsSaid() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Console console = new Console(new PrintStream(said, true, StandardCharsets.UTF_8));
    console.message("running");

    console.last("Interrupted: no result was written to %s", "out");
    console.message("  warning: %s", "the progress cannot be written");
    console.progress("ramping down");
    console.failure("Failed");

    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("running", "Interrupted: no result was written to out");
  }

  @Test
  void ofAProgramThatFailsTheLastMessagesAreKept() throws IOException {
    String all = "a line of progress\n".repeat(20_000) + "the reason\n";

    byte[] kept =
        Subprogram.last(new ByteArrayInputStream(all.getBytes(StandardCharsets.US_ASCII)));

    assertThat(kept).hasSize(1 << 16);
    assertThat(new String(kept, StandardCharsets.US_ASCII)).endsWith("progress\nthe reason\n");
    assertThat(Subprogram.last(new ByteArrayInputStream(new byte[] {1, 2}))).containsExactly(1, 2);
    assertThat(Subprogram.last(new ByteArrayInputStream(new byte[0]))).isEmpty();
  }
}
