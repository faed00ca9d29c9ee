package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.hosts.Target;
import picocli.CommandLine;

/** A dry run is one of the target that is asked for. */
@Tag("real-processes")
class DryRunTargetTest {
  private static final String HOME = "terrace.home";
  private static final String MESH =
      """
      kind: Mesh
      name: small
      topologies: ["1/1/0/1"]
      load: {closed: {users: 10, think: exp(1s)}, mix: read-write}
      phases: {run: 10s}
      """;
  private static final String EXPERIMENT =
      """
      kind: Experiment
      name: small
      topology: 1/1/0/1
      load: {closed: {users: 10, think: exp(1s)}}
      phases: {run: 10s}
      """;

  @TempDir private Path directory;
  private final StringWriter messages = new StringWriter();
  private final String homeBefore = System.getProperty(HOME, "");

  @BeforeEach
  void aDistributionWithoutPrograms() {
    System.setProperty(HOME, directory.toString());
  }

  @AfterEach
  void theHomeBefore() {
    if (homeBefore.isEmpty()) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }

  private int dryRun(String specification, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("small.yaml"), specification);
    CommandLine command = Terrace.commandLine().setErr(new PrintWriter(messages));
    String[] all = new String[options.length + 5];
    System.arraycopy(options, 0, all, 5, options.length);
    all[0] = "run";
    all[1] = file.toString();
    all[2] = "--dry-run";
    all[3] = "--out";
    all[4] = directory.resolve("out").toString();
    return command.execute(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {MESH, EXPERIMENT})
  void aMissingFileOfHostsIsNamed(String specification) throws IOException {
    Path hosts = directory.resolve("nowhere.yaml");

    int exitCode = dryRun(specification, "--target", "ssh", "--hosts", hosts.toString());

    assertThat(messages.toString()).contains(hosts.toString());
    assertThat(exitCode).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {MESH, EXPERIMENT})
  void hostsWithoutTheirTargetAreRefused(String specification) throws IOException {
    assertThat(dryRun(specification, "--hosts", "hosts.yaml")).isEqualTo(2);
    assertThat(messages.toString()).contains("--hosts is for --target ssh");
  }

  @Test
  void theHostsOfAMeshAreAskedAsTheKeysOfItsTrialsNeedThem() throws IOException {
    Path asked = directory.resolve("asked");
    Path ssh =
        Files.writeString(
            directory.resolve("ssh"),
            """
            #!/bin/sh
            echo asked >>%s
            while [ "$1" != -- ]; do shift; done
            echo "no route to $2"
            [ -e %s/there ] && exec sh -c "$3"
            exit 255
            """
                .formatted(asked, directory));
    Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path hosts =
        Files.writeString(
            directory.resolve("hosts.yaml"),
            """
            kind: Hosts
            ssh: [%s]
            hosts:
              one: {ssh: one.example, address: 10.0.0.1}
              two: {ssh: two.example, address: 10.0.0.2}
              three: {ssh: three.example, address: 10.0.0.3}
            """
                .formatted(ssh));
    String[] options = {"--target", "ssh", "--hosts", hosts.toString()};

    assertThat(dryRun(MESH, options)).as("no host answers").isNotZero();
    assertThat(messages.toString()).contains("one").contains("no route to one.example");

    Files.createFile(directory.resolve("there"));
    assertThat(dryRun(MESH, options)).as(messages.toString()).isZero();
    assertThat(asked).content().as("one, and then all").hasLineCount(1 + 3);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void aServerOfAnExperimentWithoutAHostIsNamed() throws IOException {
    Path hosts =
        Files.writeString(
            directory.resolve("hosts.yaml"),
            """
            kind: Hosts
            hosts: {one: {ssh: one.example, address: 10.0.0.1, servers: [web, app]}}
            """);

    assertThat(dryRun(EXPERIMENT, "--target", "ssh", "--hosts", hosts.toString())).isEqualTo(2);
    assertThat(messages.toString()).contains("database1");
  }

  @Test
  void namespacesAreNotEnteredForADryRun() throws IOException {
    assertThat(CommandLine.populateCommand(new TargetOptions(), "--target", "NAMESPACES").target())
        .isEqualTo(new Target.Namespaces());
    assertThat(dryRun(MESH, "--target", "namespaces")).as(messages.toString()).isZero();
  }
}
