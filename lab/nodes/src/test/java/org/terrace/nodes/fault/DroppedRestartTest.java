package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.testing.Await;

/** The restarts of killed servers at the end of the run. */
@Timeout(60)
@Tag("real-processes")
class DroppedRestartTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path directory;
  private final TimeSource time = TimeSource.system();
  private final CountDownLatch mayRestart = new CountDownLatch(1);
  private final AtomicInteger restarts = new AtomicInteger();
  private Supervisor supervisor;
  private volatile Node node;
  private Optional<NodeSpecification> again = Optional.empty();

  @BeforeEach
  void open() {
    supervisor = new Supervisor(directory, "restarts-" + directory.getFileName(), time);
    node =
        supervisor.start(
            NodeSpecification.of("app1", List.of("sleep", "1000"), new Readiness.AtOnce(), SOON));
  }

  @AfterEach
  void close() throws InterruptedException {
    node.kill();
    supervisor.close();
  }

  private FaultInjector killed(Duration restartAfter) {
    return new FaultInjector(
        List.of(new Fault.Kill("app1", Schedule.once(Duration.ZERO), Optional.of(restartAfter))),
        new Servers(),
        time);
  }

  private final class Servers implements FaultTargets {
    @Override
    public Node node(String server) {
      return node;
    }

    @Override
    public void restart(String server) {
      again.ifPresent(specification -> node = supervisor.start(specification));
      restarts.incrementAndGet();
      try {
        mayRestart.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public Hold hold(Fault fault) {
      throw new AssertionError("no hold is planned");
    }
  }

  /** A trial that lacks it looks like one whose server did not come back. */
  @Test
  void aRestartThatWasDueAfterTheRunIsAProblem() {
    FaultInjector faults = killed(Duration.ofHours(1));
    faults.start(time.epochNanos());
    assertThat(Await.until(SOON, () -> faults.events().size() == 1)).isTrue();

    faults.heal();

    assertThat(restarts).hasValue(0);
    assertThat(faults.problems())
        .singleElement()
        .asString()
        .startsWith("app1 was not started again: that was due ")
        .endsWith(" ms after the end of the faults");
    faults.close();
    assertThat(faults.problems()).as("it is told once").hasSize(1);
  }

  @Test
  void aRestartThatIsUnderWayAtTheEndIsNone() {
    FaultInjector faults = killed(Duration.ofMillis(50));
    faults.start(time.epochNanos());
    assertThat(Await.until(SOON, () -> restarts.get() == 1)).isTrue();
    mayRestart.countDown();

    faults.close();

    assertThat(faults.problems()).isEmpty();
  }

  private static NodeSpecification hung(Duration readyWithin) {
    return NodeSpecification.of(
        "app1", List.of("sleep", "1000"), new Readiness.Port("127.15.8.1", 9), readyWithin);
  }

  @Test
  void aServerThatHangsWhenItIsStartedAgainIsAProblem() {
    again = Optional.of(hung(Duration.ofMillis(200)));
    mayRestart.countDown();
    FaultInjector faults = killed(Duration.ofMillis(50));
    faults.start(time.epochNanos());

    assertThat(Await.until(SOON, () -> restarts.get() == 1)).isTrue();

    faults.heal();

    assertThat(faults.problems())
        .singleElement()
        .asString()
        .startsWith("app1 was started again, but app1 did not accept connections at 127.15.8.1:9");
    faults.heal();
    assertThat(faults.problems()).as("it is told once").hasSize(1);
  }

  /** It would be a request of the run, and a refusal of the server. */
  @Test
  void nothingIsAskedOfAServerBeforeTheEndOfTheFaults() throws Exception {
    try (ServerSocket place = new ServerSocket(0, 50, InetAddress.ofLiteral("127.15.8.2"))) {
      again =
          Optional.of(
              NodeSpecification.of(
                  "app1",
                  List.of("sleep", "1000"),
                  new Readiness.Port("127.15.8.2", place.getLocalPort()),
                  SOON));
      mayRestart.countDown();
      FaultInjector faults = killed(Duration.ofMillis(50));
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> restarts.get() == 1)).isTrue();
      place.setSoTimeout(500);

      assertThatThrownBy(place::accept).isInstanceOf(SocketTimeoutException.class);

      faults.heal();
      place.setSoTimeout((int) SOON.toMillis());
      place.accept().close();
      assertThat(faults.problems()).isEmpty();
    }
  }

  @Test
  void aServerThatHasNotComeBackSomeTimeAfterTheFaultsIsAProblem() {
    again = Optional.of(hung(SOON.multipliedBy(3)));
    mayRestart.countDown();
    FaultInjector faults =
        new FaultInjector(
            List.of(
                new Fault.Kill(
                    "app1", Schedule.once(Duration.ZERO), Optional.of(Duration.ofMillis(50)))),
            new Servers(),
            time,
            Duration.ofSeconds(1));
    faults.start(time.epochNanos());
    assertThat(Await.until(SOON, () -> restarts.get() == 1)).isTrue();

    faults.heal();

    assertThat(faults.problems())
        .containsExactly(
            "app1 was started again, but did not accept work 1000 ms after the faults");
  }
}
