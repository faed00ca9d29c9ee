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

  @Test
  void aDryRunPrintsTheFaultsOfACampaignAndStartsNothing() throws IOException {
    Path specification =
        Files.writeString(
            directory.resolve("small.yaml"),
            """
            kind: Experiment
            name: small
            topology: 1/1/0/1
            load: {closed: {users: 10, think: exp(2s)}}
            phases: {rampUp: 1500ms, run: 20s}
            faults:
              - {pause: web1, at: 4s, for: 1s}
              - campaign: {seed: 3, every: exp(3s), of: [loss], on: [app1], for: 1s, share: 0.1}
            """);
    StringWriter printed = new StringWriter();

    int exitCode =
        Terrace.commandLine()
            .setOut(new PrintWriter(printed))
            .execute("run", specification.toString(), "--dry-run");

    assertThat(exitCode).isZero();
    assertThat(printed.toString().lines().toList())
        .hasSizeGreaterThan(2)
        .contains("  - {pause: web1, at: 4s, for: 1s}")
        .anyMatch(line -> line.matches("  - \\{loss: app1, at: \\d+ms, for: 1s, share: 0\\.1}"));
    assertThat(printed.toString())
        .startsWith(
            "small: servers 1/1/0/1, 1.5 s of ramp-up, 20 s of run, 0 s of ramp-down; "
                + (printed.toString().lines().count() - 1)
                + " faults");
  }
}
