package org.terrace.invocation.managed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.manager.Processes;
import org.terrace.control.manager.ReferenceWatch;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/** Calls to a service whose replicas are started and replaced by managers. */
@Tag("real-processes")
@Tag("untimed")
class ManagedServiceTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void theWholeWayWorksWithASecretAndNotWithoutOrWithAnother() throws Exception {
    Path file = directory.resolve("secret");
    Files.writeString(file, "0123456789abcdef0123456789abcdef");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    ControlSecret another = ControlSecret.of("another secret, long enough".getBytes(US_ASCII));
    try (ControlPlane plane = new ControlPlane(directory, file)) {
      String naming = plane.startNaming(3);
      plane.startManagers(
          naming, 2, "clock", ClockReplica.class, List.of(file.toString()), List.of());
      try (NamingClient client = NamingClient.open(naming, ControlSecret.ofFile(file));
          NamingClient stranger = NamingClient.open(naming);
          NamingClient other = NamingClient.open(naming, another);
          ServiceClient caller = ServiceClient.open(ClientOptions.of(client))) {
        assertThat(
                Processes.until(
                    LIMIT,
                    () ->
                        client
                            .resolve("clock")
                            .filter(reference -> reference.endpoints().size() == 2)
                            .isPresent()))
            .isTrue();
        Clock clock = caller.stub(Clock.class, "clock");
        assertThat(clock.count()).isEqualTo(1);
        ChildProcess.signal("KILL", Long.parseLong(clock.whoAnswers().split(" ", -1)[1]));
        assertThat(clock.count()).isEqualTo(1);

        assertThat(stranger.resolve("clock")).isEmpty();
        assertThat(other.resolve("clock")).isEmpty();
      }
    }
  }

  @Test
  void callsGoOnWhileThePrimaryIsKilledAndItsSuccessorDrained() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 1, "clock", ClockReplica.class);
      try (ReferenceWatch client = new ReferenceWatch(naming, "clock");
          ServiceClient caller = ServiceClient.open(ClientOptions.of(client.naming()))) {
        client.awaitDegree(2);
        Clock clock = caller.stub(Clock.class, "clock");
        assertThat(clock.count()).isEqualTo(1);
        List<String> first = List.of(clock.whoAnswers().split(" ", -1));

        ChildProcess.signal("KILL", Long.parseLong(first.get(1)));
        String second = clock.whoAnswers().split(" ", -1)[0];
        client.awaitDegree(2);
        plane.processes().tellManager("drain clock " + second);

        assertThat(second).isNotEqualTo(first.getFirst());
        assertThat(
                Processes.until(
                    LIMIT,
                    () -> {
                      clock.count();
                      return !clock.whoAnswers().startsWith(second + " ");
                    }))
            .isTrue();
        client.awaitDegree(2);
      }
    }
  }
}
