package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;
import org.terrace.control.naming.Addresses;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.process.ChildProcess;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** Managers and naming processes that are reached by others than their own. */
@Tag("real-processes")
@Tag("untimed")
class ManagerSecretTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Pattern SEVERAL_REFUSED = Pattern.compile("\"refused\":([2-9]|\\d\\d)");
  private static final ControlSecret OTHER =
      ControlSecret.of("another secret, long enough".getBytes(StandardCharsets.UTF_8));
  private static final Endpoint FORGED = new Endpoint("forged", "terrace", "127.63.5.3", 1, "");

  @TempDir private Path directory;

  private List<String> manager(String address, String naming, String... more) {
    List<String> command =
        new ArrayList<>(
            Processes.java(
                ManagerProcess.class,
                "--managers",
                address,
                "--naming",
                naming,
                "--service",
                "nothing",
                "--degree",
                "0",
                "--directory",
                directory.resolve("replicas").toString(),
                "--command",
                "false {name}"));
    command.addAll(List.of(more));
    return command;
  }

  @Test
  void aReplicaWithoutTheSecretIsNotRegisteredAndOneWithItIs() throws Exception {
    Path file = directory.resolve("secret");
    Files.writeString(file, "0123456789abcdef0123456789abcdef");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (Processes processes = new Processes()) {
      InetSocketAddress agents =
          Addresses.parseOne(
              "manager",
              processes.start(
                  "manager",
                  manager("127.63.5.2:0", "127.63.5.1:1", "--secret-file", file.toString()),
                  directory.resolve("manager.log")));
      // Who is refused may hang up first, and then the manager has nothing to count: so again.
      assertThat(
              Await.until(
                  LIMIT,
                  () -> {
                    hello(agents, ControlSecret.none());
                    hello(agents, OTHER);
                    return SEVERAL_REFUSED.matcher(status(processes)).find();
                  }))
          .isTrue();
      assertThat(status(processes)).doesNotContain("forged");

      try (Link link = Link.connect(agents, LIMIT, ControlSecret.ofFile(file))) {
        link.send(ManagerMessage.encode(new ManagerMessage.ReplicaHello("nothing", FORGED, 1)));
        assertThat(Await.until(LIMIT, () -> status(processes).contains("forged"))).isTrue();
      }
    }
  }

  private static void hello(InetSocketAddress manager, ControlSecret secret) {
    try (Link link = Link.connect(manager, LIMIT, secret)) {
      link.send(ManagerMessage.encode(new ManagerMessage.ReplicaHello("nothing", FORGED, 1)));
      byte[] answer = link.receive();
      throw new AssertionError("the manager answered " + answer.length + " bytes");
    } catch (IOException refused) {
      assertThat(refused).isNotNull();
    }
  }

  private static String status(Processes processes) {
    try {
      return processes.ask("services");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void beyondLoopbackNeitherStartsWithoutASecretAndPeopleAreNeverAnsweredThere() throws Exception {
    assertThat(lastWords(manager("0.0.0.0:0", "127.63.5.1:1")))
        .contains("will not listen")
        .contains("--secret-file");
    assertThat(lastWords(manager("127.63.5.2:0", "127.63.5.1:1", "--admin", "0.0.0.0:0")))
        .contains("will not answer people")
        .contains("ssh -L");
    assertThat(
            lastWords(
                Processes.java(
                    NamingProcess.class,
                    "--listen",
                    "0.0.0.0:0",
                    "--directory",
                    directory.resolve("names").toString())))
        .contains("will not listen")
        .contains("--secret-file");
  }

  /** All that a process says which ends by itself, with an error. */
  private static String lastWords(List<String> command) throws Exception {
    try (ChildProcess process =
        ChildProcess.start(new ProcessBuilder(command).redirectErrorStream(true))) {
      String words = String.join("\n", process.output().lines().toList());
      assertThat(process.process().waitFor()).isEqualTo(2);
      return words;
    }
  }
}
