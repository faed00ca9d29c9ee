package org.terrace.invocation.managed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.manager.Processes;
import org.terrace.control.manager.ReferenceWatch;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/** Calls to a service whose replicas are started and replaced by managers. */
@Tag("real-processes")
class ManagedServiceTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path directory;

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
