package org.terrace.invocation.managed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.manager.ReferenceWatch;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.testing.Await;

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
                Await.until(
                    LIMIT,
                    () ->
                        client
                            .resolve("clock")
                            .filter(reference -> reference.endpoints().size() == 2)
                            .isPresent()))
            .isTrue();
        Clock clock = caller.stub(Clock.class, "clock");
        assertThat(clock.count()).isEqualTo(1);
        ChildProcess.signal("KILL", pidOfPrimary(client, clock));
        assertThat(clock.count()).isEqualTo(1);

        assertThat(stranger.resolve("clock")).isEmpty();
        assertThat(other.resolve("clock")).isEmpty();
      }
    }
  }

  /** A slow primary's reads are answered by its backup, too. */
  private static long pidOfPrimary(NamingClient naming, Clock clock) {
    AtomicLong pid = new AtomicLong();
    assertThat(
            Await.until(
                LIMIT,
                () -> {
                  String primary = primary(naming);
                  String[] words = clock.whoAnswers().split(" ", -1);
                  pid.set(Long.parseLong(words[1]));
                  return words[0].equals(primary);
                }))
        .isTrue();
    return pid.get();
  }

  private static String primary(NamingClient naming) {
    return naming.resolve("clock").orElseThrow().endpoints().getFirst().replica();
  }

  @Test
  @Tag("long")
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
                Await.until(
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

  /**
   * The only naming process loses its disk while all others live: the managers put the names back,
   * new clients find them, and one that was open before hears of the next fail-over.
   */
  @Test
  @Tag("long")
  void namesThatTheNamingServiceLostArePutBack() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 1, "clock", ClockReplica.class);
      try (ReferenceWatch before = new ReferenceWatch(naming, "clock");
          ServiceClient old = ServiceClient.open(ClientOptions.of(before.naming()))) {
        before.awaitDegree(2);
        Clock clock = old.stub(Clock.class, "clock");
        assertThat(clock.count()).isEqualTo(1);

        plane.loseAllNames();

        try (NamingClient naming2 = NamingClient.open(naming);
            ServiceClient fresh =
                ServiceClient.open(ClientOptions.of(naming2).withDeadline(LIMIT))) {
          assertThat(fresh.stub(Clock.class, "clock").count()).isPositive();
        }
        String killed = primary(before.naming());
        ChildProcess.signal("KILL", pidOfPrimary(before.naming(), clock));
        assertThat(
                Await.until(
                    LIMIT,
                    () ->
                        before
                            .naming()
                            .resolve("clock")
                            .filter(reference -> reference.endpoints().size() == 2)
                            .filter(reference ->
                                reference.endpoints().stream()
                                    .noneMatch(endpoint -> endpoint.replica().equals(killed)))
                            .isPresent()))
            .as("replaced, for a client that was there before")
            .isTrue();
        assertThat(clock.count()).isPositive();
      }
    }
  }
}
