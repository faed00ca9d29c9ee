package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
  @TempDir Path directory;

  @Test
  void anEarlierResultIsRefusedBeforeAnythingElseIsDoneOrSaid() throws IOException {
    Files.writeString(directory.resolve("findings.json"), "{}");
    Path specification =
        Files.writeString(
            directory.resolve("small.yaml"),
            """
            kind: Experiment
            name: small
            topology: 1/1/0/1
            application: board
            database: postgresql
            load: {closed: {users: 10, think: exp(2s)}, mix: read-write}
            phases: {rampUp: 1s, run: 2s, rampDown: 1s}
            observe: {packets: true, sample: 1s}
            seed: 1
            """);
    StringWriter messages = new StringWriter();

    int exitCode =
        Terrace.commandLine()
            .setErr(new PrintWriter(messages))
            .execute("run", specification.toString(), "--out", directory.toString());

    assertThat(exitCode).isEqualTo(2);
    assertThat(messages.toString().lines())
        .singleElement()
        .asString()
        .contains("holds an earlier result", "--replace");
  }
}
