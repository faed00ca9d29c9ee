package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/** A name of a host that has no address yet, and later another one than before. */
@Tag("real-processes")
@Tag("untimed")
class ChangingNamesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir private Path directory;

  private NamingServer naming(String host, int port) throws IOException {
    Path names = Files.createDirectory(directory.resolve(host));
    return NamingServer.open(new InetSocketAddress(host, port), List.of(), names);
  }

  /** Registers a replica of each of these names, one after another. */
  private static void register(NamingServer server, String... replicas) throws Exception {
    try (Registrar registrar =
        new Registrar(
            List.of(server.address()),
            ControlSecret.none(),
            Seeds.generator(Seeds.next("registrar " + server.address())),
            List.of(),
            value -> {})) {
      for (int version = 1; version <= replicas.length; version++) {
        Endpoint endpoint = new Endpoint(replicas[version - 1], "terrace", "127.63.7.9", 7_000, "");
        Registration value =
            new Registration(
                new ServiceReference(
                    "seats", Style.WARM_PASSIVE, version, version, List.of(endpoint)),
                version,
                1);
        assertThat(registrar.change(value, PATIENCE.toMillis()))
            .isEqualTo(new Registrar.Result.Present(value));
        assertThat(Await.until(PATIENCE, () -> value.equals(server.chosen("seats")))).isTrue();
      }
    }
  }

  @Test
  void aNameWithoutAnAddressDelaysAndIsFollowedWhereItGoes() throws Exception {
    Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n");
    Path errors = directory.resolve("errors");
    NamingServer first = naming("127.63.7.1", 0);
    int port = first.address().getPort();
    try (NamingServer second = naming("127.63.7.2", port)) {
      register(first, "seats-1");
      register(second, "seats-1", "seats-2");
      List<String> command =
          JavaCommand.of(
              List.of("-XX:TieredStopAtLevel=1", "-Djdk.net.hosts.file=" + hosts),
              WatchingClient.class,
              "naming.example:" + port,
              "seats");
      try (ChildProcess client =
          ChildProcess.start(new ProcessBuilder(command).redirectError(errors.toFile()))) {
        assertThat(client.awaitReady()).isEmpty();
        client.awaitLine("asked in vain"::equals);
        Files.writeString(hosts, "127.63.7.1 naming.example\n");
        client.awaitLine("seats-1"::equals);

        Files.writeString(hosts, "127.63.7.2 naming.example\n");
        first.close();
        client.awaitLine("seats-2"::equals);
      }
    } finally {
      first.close();
    }

    assertThat(Files.readAllLines(errors))
        .filteredOn(line -> line.contains("naming.example"))
        .satisfiesExactly(
            line -> assertThat(line).contains("the name 'naming.example' has no address now"),
            line -> assertThat(line).contains("the name has an address again"));
  }
}
