package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Host;
import org.terrace.nodes.LocalHost;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.observation.Event;
import org.terrace.testing.Await;

/** Faults that strike again as soon as they are to be over, on a host that takes its time. */
@Timeout(60)
@Tag("real-processes")
class RepeatedFaultTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration LASTING = Duration.ofMillis(300);
  private static final long BEGINNING_MILLIS = 40;
  private static final Schedule WITHOUT_A_GAP = new Schedule(Duration.ZERO, LASTING, 3);

  @TempDir private Path directory;
  private final TimeSource time = TimeSource.system();

  private static void take() {
    try {
      var _ = new CountDownLatch(1).await(BEGINNING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** This machine, which takes its time to answer that it has signalled a process. */
  private static Host slowHost() {
    LocalHost host = new LocalHost();
    return (Host)
        Proxy.newProxyInstance(
            Host.class.getClassLoader(),
            new Class<?>[] {Host.class},
            (_, method, arguments) -> {
              Object answer = method.invoke(host, arguments);
              if (method.getName().equals("signal")) {
                take();
              }
              return answer;
            });
  }

  /** A target that takes its time to be held. */
  private record Slow(Node node) implements FaultTargets {
    @Override
    public Node node(String server) {
      return node;
    }

    @Override
    public void restart(String server) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Hold hold(Fault fault) {
      return new Hold() {
        @Override
        public void begin() {
          take();
        }

        @Override
        public Map<String, String> end() {
          return Map.of();
        }
      };
    }
  }

  private void assertThatEachLastsAsLongAsItIsTo(List<Fault> faults) {
    try (Supervisor supervisor =
        new Supervisor(directory, "repeated-" + directory.getFileName(), time)) {
      Node node =
          supervisor.start(
              NodeSpecification.of("app1", List.of("sleep", "1000"), new Readiness.AtOnce(), SOON),
              slowHost());
      try (FaultInjector injector = new FaultInjector(faults, new Slow(node), time)) {
        injector.start(time.epochNanos());
        assertThat(Await.until(SOON, () -> injector.events().size() == 3)).isTrue();

        assertThat(injector.problems()).isEmpty();
        assertThat(injector.events())
            .allSatisfy(
                event -> assertThat(inForceNanos(event)).isGreaterThanOrEqualTo(LASTING.toNanos()));
        for (int index = 1; index < 3; index++) {
          assertThat(injector.events().get(index).startNanos())
              .isGreaterThanOrEqualTo(injector.events().get(index - 1).endNanos());
        }
      }
    }
  }

  private static long inForceNanos(Event event) {
    String after = event.attributes().getOrDefault("inForceAfterNanos", "0");
    return event.endNanos() - event.startNanos() - Long.parseLong(after);
  }

  @Test
  void aHoldIsEndedByItsOwnEnd() {
    assertThatEachLastsAsLongAsItIsTo(List.of(new Fault.SynDrop("app1", WITHOUT_A_GAP, LASTING)));
  }

  @Test
  void aPauseIsEndedByItsOwnEnd() {
    assertThatEachLastsAsLongAsItIsTo(List.of(new Fault.Pause("app1", WITHOUT_A_GAP, LASTING)));
  }

  /** Two entries of a file may follow each other as the strikes of one do. */
  @Test
  void anotherFaultOfTheSameKindWaitsForTheOneBefore() {
    assertThatEachLastsAsLongAsItIsTo(
        List.of(
            new Fault.SlowDisk("app1", new Schedule(Duration.ZERO, LASTING, 2), LASTING, 1 << 20),
            new Fault.SlowDisk("app1", Schedule.once(LASTING.multipliedBy(2)), LASTING, 2 << 20)));
  }
}
