package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;

/** The first words of a host behind ssh: its login shell, and the programs that it is brought. */
@Timeout(180)
@Tag("real-processes")
class SshBootstrapTest extends OverSsh {
  /** A crash of the host or a full disk leaves such a file. */
  @Test
  void anArchiveThatIsDamagedInTheCacheIsBroughtAgain() throws Exception {
    open(List.of(host("one", ""))).close();
    Path archive = cached().keySet().iterator().next();
    byte[] whole = Files.readAllBytes(archive);
    Files.write(archive, java.util.Arrays.copyOf(whole, whole.length / 2));
    Path cut = archive.resolveSibling(archive.getFileName() + ".4194305");
    Files.writeString(cut, "a part");

    open(List.of(host("one", ""))).close();

    assertThat(archive).hasBinaryContent(whole);
    assertThat(cut).doesNotExist();
  }

  /** The words of csh and fish, in which a quoted script of several lines is none. */
  @ParameterizedTest
  @ValueSource(strings = {"tcsh", "fish", "bash"})
  @Tag("long")
  void theLoginShellMayBeAny(String shell) throws Exception {
    assumeTrue(runs(shell, "-c", "true"), shell + " (Debian: " + shell + ") is not installed");
    restart(shell);

    try (TrialHosts hosts = open(List.of(host("one", "")))) {
      assertThat(hosts.of("web1").host().facts().cores()).isPositive();
    }
  }

  /** The rules of csh about what may stand between quotation marks, where there is no csh. */
  @Test
  @Tag("long")
  void theLoginShellMayKnowNoQuotedLineBreaks() throws Exception {
    Path strict = folder.resolve("strict");
    Files.writeString(
        strict,
        """
        #!/bin/sh
        case $2 in
        *'
        '* | *!* | *\\\\*) echo "Unmatched '." >&2; exit 1 ;;
        esac
        exec sh -c "$2"
        """);
    Files.setPosixFilePermissions(strict, PosixFilePermissions.fromString("rwxr-xr-x"));
    restart(strict.toString());

    String java = JavaCommand.program().toString();
    try (TrialHosts hosts = open(List.of(host("one", java)))) {
      assertThat(hosts.of("web1").host().facts().cores()).isPositive();
    }
  }

  @Test
  void aLoginShellThatRefusesIsToldInItsOwnWords() throws Exception {
    restart("sh", "-c", "echo This account is currently not available.; exit 1", "sh");

    assertThatThrownBy(() -> open(List.of(host("one", ""))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the agent of the host one ended before it was ready")
        .hasMessageContaining("This account is currently not available.");
  }

  private SshAgent openAgent(Duration patience) {
    try (LocalServerHost here =
        new LocalServerHost("local", folder.resolve("logs"), TimeSource.system())) {
      return SshAgent.open(
          host("one", ""),
          server.command(),
          programs,
          here.facts(),
          TimeSource.system(),
          progress::add,
          patience);
    }
  }

  @Test
  @Tag("long")
  void aHostThatTakesNoBytesIsNamedWithTheFile() throws Exception {
    restart("sh", "-c", "{ dd bs=65536 count=6 2>/dev/null; sleep 15; } | \"$0\" \"$@\"", "sh");

    assertThatThrownBy(() -> openAgent(Duration.ofSeconds(3)))
        .isInstanceOf(TerraceException.class)
        .hasMessageMatching("(?s)the host one took nothing of /\\S+\\.jar for 3 s, after .*");
    assertThat(progress.getFirst()).contains("0.0 of");
  }

  /** Its bound is a time without progress, and all together takes longer than that. */
  @Test
  @Tag("long")
  void aHostThatTakesBytesSlowlyIsWaitedFor() throws Exception {
    restart(
        "sh",
        "-c",
        "{ n=0; while [ $n -lt 12 ]; do dd bs=65536 count=4 2>/dev/null; sleep 0.7; n=$((n + 1));"
            + " done; exec cat; } | \"$0\" \"$@\"",
        "sh");
    Duration patience = Duration.ofSeconds(5);
    TimeSource time = TimeSource.system();
    long start = time.elapsedNanos();

    SshAgent agent = openAgent(patience);

    agent.host().close();
    assertThat(time.elapsedNanos() - start).isGreaterThan(patience.toNanos());
    assertThat(progress).hasSizeGreaterThan(2);
  }

  @Test
  void aHostWhoseDiskIsFullIsToldWithTheFile() throws Exception {
    Path full = folder.resolve("head");
    Files.writeString(
        full,
        """
        #!/bin/sh
        [ "$2" = 131072 ] || exec /usr/bin/head "$@"
        echo "head: error writing 'standard output': No space left on device" >&2
        exit 1
        """);
    Files.setPosixFilePermissions(full, PosixFilePermissions.fromString("rwxr-xr-x"));
    restart("env", "PATH=" + folder + ":" + System.getenv("PATH"), "sh");

    assertThatThrownBy(() -> open(List.of(host("one", JavaCommand.program().toString()))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the connection to the host one broke")
        .hasMessageContaining("cannot be written into " + cache)
        .hasMessageContaining("No space left on device");
  }

  @Test
  @Tag("long")
  void anArchiveThatIsDamagedOnItsWayIsRefused() throws Exception {
    Process script =
        new ProcessBuilder("sh", "-c", SshAgent.remoteCommand()).redirectErrorStream(true).start();
    script.getOutputStream().write(SshAgent.firstWords("", cache.toString()));
    script
        .getOutputStream()
        .write(("file " + "0".repeat(64) + " 5 a.jar\nhello").getBytes(StandardCharsets.UTF_8));
    script.getOutputStream().close();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(said).contains("a.jar arrived with other bytes than were sent");
    assertThat(script.waitFor()).isEqualTo(3);
    assertThat(cache.resolve("0".repeat(64))).isEmptyDirectory();
  }
}
