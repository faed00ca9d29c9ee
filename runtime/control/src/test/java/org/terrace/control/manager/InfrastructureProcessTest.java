package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ServiceReference;
import org.terrace.core.process.ChildProcess;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** The whole infrastructure as processes, and what becomes of it when some of them die. */
@Tag("real-processes")
@Tag("untimed")
class InfrastructureProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void aKilledPrimaryIsSucceededByTheBackupAndReplaced() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 1, "echo", EchoReplica.class);
      try (ReferenceWatch client = new ReferenceWatch(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Endpoint first = before.endpoints().getFirst();
        assertThat(Await.until(LIMIT, () -> knowsItIsPrimary(first)))
            .as("told that it is the primary")
            .isTrue();
        Processes.Answer primary = Processes.ask(first);
        assertThat(primary.epoch()).isEqualTo(before.epoch());

        ChildProcess.signal("KILL", primary.pid());

        client.awaitSuccession(before);
      }
    }
  }

  @Test
  @Tag("long")
  void aHungPrimaryIsDeclaredFailedKilledAndReplaced() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 1, "echo", EchoReplica.class);
      try (ReferenceWatch client = new ReferenceWatch(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Processes.Answer primary = Processes.ask(before.endpoints().getFirst());

        ChildProcess.signal("STOP", primary.pid());

        client.awaitSuccession(before);
        assertThat(Await.until(LIMIT, () -> hasEnded(primary.pid()))).isTrue();
      }
    }
  }

  @Test
  @Tag("long")
  void byHeartbeatsAloneACrashIsTakenForASilence() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      Processes processes = plane.processes();
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 1, "echo", EchoReplica.class, "--detection", "heartbeats");
      try (ReferenceWatch client = new ReferenceWatch(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Processes.Answer primary = Processes.ask(before.endpoints().getFirst());

        ChildProcess.signal("KILL", primary.pid());

        client.awaitSuccession(before);
        assertThat(processes.ask("services")).contains("\"verdict\":\"hung\"");
      }
    }
  }

  @Test
  @Tag("long")
  void theLossOfANamingProcessStopsNothing() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      Processes processes = plane.processes();
      String naming = plane.startNaming(3);
      plane.startManagers(naming, 1, "echo", EchoReplica.class);
      try (ReferenceWatch client = new ReferenceWatch(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        processes.kill(processes.named("naming1"));
        Processes.Answer primary = Processes.ask(before.endpoints().getFirst());

        ChildProcess.signal("KILL", primary.pid());

        client.awaitSuccession(before);
        assertThat(client.naming().resolve("echo")).get().isEqualTo(client.newest());
      }
    }
  }

  @Test
  @Tag("long")
  void theLossOfTheLeadingManagerDuringAFailOverStopsNothing() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      Processes processes = plane.processes();
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 2, "echo", EchoReplica.class);
      try (ReferenceWatch client = new ReferenceWatch(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Processes.Answer primary = Processes.ask(before.endpoints().getFirst());

        ChildProcess.signal("KILL", primary.pid());
        processes.kill(processes.named("manager1"));

        client.awaitSuccession(before);
        Endpoint replacement = client.newest().endpoints().getLast();
        assertThat(incarnationOfManager(replacement))
            .as("launched by another manager")
            .isNotEqualTo(incarnationOfManager(before.endpoints().getFirst()));
      }
    }
  }

  @Test
  void nothingOutlivesTheLastManagerEvenIfItIsKilled() throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      Processes processes = plane.processes();
      String naming = plane.startNaming(1);
      plane.startManagers(naming, 1, "echo", EchoReplica.class);
      try (ReferenceWatch client = new ReferenceWatch(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        long first = Processes.ask(before.endpoints().getFirst()).pid();
        long second = Processes.ask(before.endpoints().getLast()).pid();

        processes.kill(processes.named("manager1"));

        assertThat(Await.until(LIMIT, () -> hasEnded(first) && hasEnded(second))).isTrue();
      }
    }
  }

  private static String incarnationOfManager(Endpoint replica) {
    assertThat(replica.replica()).matches("echo-[0-9]+[a-z]{5}-[0-9]+");
    return replica.replica().replaceAll("echo|[^a-z]", "");
  }

  private static boolean knowsItIsPrimary(Endpoint replica) {
    try {
      return Processes.ask(replica).role().equals("primary");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasEnded(long pid) {
    return ProcessHandle.of(pid).isEmpty();
  }
}
