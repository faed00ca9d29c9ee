package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessStat;
import org.terrace.nodes.Host;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
class FaultInjectorTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Schedule AT_ONCE = Schedule.once(Duration.ZERO);

  @TempDir Path directory;
  private final TimeSource time = TimeSource.system();
  private final Map<String, Node> nodes = new ConcurrentHashMap<>();
  private final Set<String> holding = ConcurrentHashMap.newKeySet();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile long feltNanos;
  private volatile boolean beginsHalfWay;
  private Supervisor supervisor;

  @BeforeEach
  void open() {
    supervisor = new Supervisor(directory, "faults-" + directory.getFileName(), time);
    start("app1", "sleep 1000");
  }

  @AfterEach
  void close() throws InterruptedException {
    for (Node node : nodes.values()) {
      node.kill();
    }
    supervisor.close();
  }

  private void start(String name, String script) {
    nodes.put(
        name,
        supervisor.start(
            NodeSpecification.of(name, List.of("sh", "-c", script), new Readiness.AtOnce(), SOON)));
  }

  private FaultInjector injector(Fault... faults) {
    return new FaultInjector(List.of(faults), new Servers(), time);
  }

  /** The processes of this test, held by a hold that remembers. */
  private final class Servers implements FaultTargets {
    @Override
    public Node node(String server) {
      return nodes.get(server);
    }

    @Override
    public void restart(String server) {
      start(server, "sleep 1000");
    }

    @Override
    public Hold hold(Fault fault) {
      return new Hold() {
        @Override
        public void begin() {
          feltNanos = time.epochNanos();
          begun.incrementAndGet();
          holding.add(fault.server());
          if (beginsHalfWay) {
            throw new TerraceException(ErrorCode.MACHINE_LACKS, "a process has gone meanwhile");
          }
        }

        @Override
        public Map<String, String> end() {
          if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new TerraceException(ErrorCode.CHECK_FAILED, "it may still hold");
          }
          holding.remove(fault.server());
          return Map.of("fact", "told");
        }
      };
    }
  }

  private char state(String server) {
    return ProcessStat.of(nodes.get(server).pid()).map(ProcessStat::state).orElse('-');
  }

  @Test
  void aKillIsRecordedFromTheSignalToTheReapedProcessAndRepeatedAfterARestart() {
    Schedule twice = new Schedule(Duration.ofMillis(100), Duration.ofMillis(300), 2);
    Node first = nodes.get("app1");
    long start = time.epochNanos();
    try (FaultInjector faults =
        injector(new Fault.Kill("app1", twice, Optional.of(Duration.ofMillis(150))))) {
      faults.start(start);
      assertThat(Await.until(SOON, () -> faults.events().size() == 2)).isTrue();
      assertThat(Await.until(SOON, () -> nodes.get("app1").isAlive())).isTrue();

      Event kill = faults.events().getFirst();
      assertThat(kill.kind()).isEqualTo(EventKinds.FAULT_KILL);
      assertThat(kill.attributes()).containsEntry("pid", Long.toString(first.pid()));
      assertThat(kill.startNanos()).isGreaterThanOrEqualTo(start + 100_000_000L);
      assertThat(kill.endNanos()).isGreaterThan(kill.startNanos());
      assertThat(first.exit().join().status()).isEqualTo(128 + 9);
      assertThat(faults.problems()).isEmpty();
    }
  }

  @Test
  void aPauseStopsTheServerAndLetsItGoOn() {
    try (FaultInjector faults =
        injector(new Fault.Pause("app1", AT_ONCE, Duration.ofMillis(200)))) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> state("app1") == 'T')).isTrue();
      assertThat(Await.until(SOON, () -> faults.events().size() == 1)).isTrue();
      Event pause = faults.events().getFirst();
      assertThat(pause.kind()).isEqualTo(EventKinds.FAULT_PAUSE);
      assertThat(pause.endNanos() - pause.startNanos()).isGreaterThanOrEqualTo(100_000_000L);
      assertThat(Await.until(SOON, () -> state("app1") == 'S')).isTrue();
    }
  }

  @Test
  void aFaultThatStrikesLateLastsAsLongAsItWasTo() {
    try (FaultInjector faults =
        injector(
            new Fault.Pause("app1", AT_ONCE, Duration.ofMillis(200)),
            new Fault.SynDrop("app1", AT_ONCE, Duration.ofMillis(200)))) {
      faults.start(time.epochNanos() - 150_000_000L);
      assertThat(Await.until(SOON, () -> faults.events().size() == 2)).isTrue();
      assertThat(faults.events())
          .allSatisfy(event ->
              assertThat(event.endNanos() - event.startNanos())
                  .isGreaterThanOrEqualTo(190_000_000L));
    }
  }

  @Test
  void closingHealsAServerThatIsStopped() {
    FaultInjector faults = injector(new Fault.Pause("app1", AT_ONCE, Duration.ofHours(1)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> state("app1") == 'T')).isTrue();
    }
    assertThat(Await.until(SOON, () -> state("app1") == 'S')).isTrue();
    assertThat(faults.events()).extracting(Event::kind).containsExactly(EventKinds.FAULT_PAUSE);
  }

  @Test
  void aHoldFromOutsideBeginsEndsAndTellsItsFacts() {
    try (FaultInjector faults =
        injector(new Fault.SynDrop("app1", AT_ONCE, Duration.ofMillis(200)))) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> holding.contains("app1"))).isTrue();
      assertThat(Await.until(SOON, () -> faults.events().size() == 1)).isTrue();
      assertThat(holding).isEmpty();
      Event drop = faults.events().getFirst();
      assertThat(drop.kind()).isEqualTo(EventKinds.FAULT_SYN_DROP);
      assertThat(drop.attributes()).containsEntry("fact", "told").containsKey("inForceAfterNanos");
      assertThat(drop.startNanos())
          .as("what a server feels while a fault takes hold is of the fault")
          .isLessThanOrEqualTo(feltNanos);
      assertThat(drop.endNanos() - drop.startNanos()).isGreaterThanOrEqualTo(100_000_000L);
    }
  }

  /** A fault that cannot be ended when its time has come is in force until the trial ends it. */
  @Test
  void aHoldThatDoesNotEndIsToldAndEndedWithTheTrial() {
    refusals.set(1);
    FaultInjector faults = injector(new Fault.SynDrop("app1", AT_ONCE, Duration.ofMillis(50)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> !faults.problems().isEmpty())).isTrue();
      assertThat(holding).containsExactly("app1");
      assertThat(faults.events()).hasSize(1);
      assertThat(faults.events().getFirst().kind()).isEqualTo(EventKinds.FAULT_SYN_DROP);
      assertThat(faults.events().getFirst().attributes()).containsEntry("end", "not seen");
    }
    assertThat(holding).isEmpty();
    assertThat(faults.events()).as("it happened once").hasSize(1);
    assertThat(faults.problems()).containsExactly("it may still hold");
  }

  @Test
  void aHoldThatDoesNotEndWithTheTrialEitherIsToldOnceAndIsAProblem() {
    refusals.set(Integer.MAX_VALUE);
    FaultInjector faults = injector(new Fault.SynDrop("app1", AT_ONCE, Duration.ofHours(1)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> holding.contains("app1"))).isTrue();
    }
    assertThat(faults.events()).extracting(Event::kind).containsExactly(EventKinds.FAULT_SYN_DROP);
    assertThat(faults.problems()).containsExactly("it may still hold");
  }

  @Test
  void aHoldThatBeginsHalfWayIsLetGoAtOnce() {
    beginsHalfWay = true;
    FaultInjector faults = injector(new Fault.SynDrop("app1", AT_ONCE, Duration.ofHours(1)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> !faults.problems().isEmpty())).isTrue();
      assertThat(holding).isEmpty();
    }
    assertThat(faults.events()).isEmpty();
    assertThat(faults.problems()).containsExactly("a process has gone meanwhile");
  }

  @Test
  void aPauseWhoseEndFailsIsEndedWithTheTrial() {
    startOn(new StubbornHost(1), "app2");
    FaultInjector faults = injector(new Fault.Pause("app2", AT_ONCE, Duration.ofMillis(50)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> !faults.problems().isEmpty())).isTrue();
      assertThat(state("app2")).isEqualTo('T');
    }
    assertThat(Await.until(SOON, () -> state("app2") == 'S')).isTrue();
    assertThat(faults.events()).extracting(Event::kind).containsExactly(EventKinds.FAULT_PAUSE);
  }

  /** The second begins where the first cannot be ended, and nobody would know of that any more. */
  @Test
  void aRepeatedHoldDoesNotBeginOverOneThatDidNotEnd() {
    refusals.set(2);
    Schedule twice = new Schedule(Duration.ZERO, Duration.ofMillis(200), 2);
    FaultInjector faults = injector(new Fault.SynDrop("app1", twice, Duration.ofMillis(50)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> faults.problems().size() == 2)).isTrue();
      assertThat(begun).hasValue(1);
    }
    assertThat(holding).isEmpty();
    assertThat(faults.events()).hasSize(1);
  }

  /** A host that is lost, or refuses, must not keep the others broken. */
  @Test
  void healingGoesOnThoughOneHostRefuses() {
    startOn(new StubbornHost(), "app2");
    FaultInjector faults =
        injector(
            new Fault.Pause("app2", AT_ONCE, Duration.ofHours(1)),
            new Fault.Pause("app1", AT_ONCE, Duration.ofHours(1)),
            new Fault.SynDrop("app1", AT_ONCE, Duration.ofHours(1)));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> holding.contains("app1"))).isTrue();
      assertThat(Await.until(SOON, () -> state("app1") == 'T')).isTrue();
    }
    assertThat(Await.until(SOON, () -> state("app1") == 'S')).isTrue();
    assertThat(holding).isEmpty();
    assertThat(faults.problems()).containsExactly("this host lets nothing go on");
  }

  /** Neither another server's faults nor whoever asks for the events may wait for it. */
  @Test
  @Timeout(30)
  void aHostThatAnswersLateHoldsUpItsOwnServersAlone() {
    LateHost late = new LateHost(false);
    startOn(late, "app2");
    try (FaultInjector faults =
        injector(
            new Fault.Pause("app2", AT_ONCE, Duration.ofMillis(100)),
            new Fault.Pause(
                "app1", Schedule.once(Duration.ofMillis(200)), Duration.ofMillis(100)))) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> late.asked() == 1)).isTrue();

      assertThat(Await.until(SOON, () -> faults.events().size() == 1)).isTrue();
      assertThat(faults.events()).extracting(Event::node).containsExactly("app1");
      faults.serverPrinted("app1", "cpu start 100");
      assertThat(faults.problems()).isEmpty();

      late.answer();
      assertThat(Await.until(SOON, () -> faults.events().size() == 2)).isTrue();
      assertThat(Await.until(SOON, () -> state("app2") == 'S')).isTrue();
    }
  }

  @Test
  @Timeout(30)
  void theEndOfTheRunWaitsForALateHostAsLongAsItSaysAndNamesItsServer() {
    LateHost late = new LateHost(false);
    startOn(late, "app2");
    FaultInjector faults =
        new FaultInjector(
            List.of(
                new Fault.Pause("app2", AT_ONCE, Duration.ofHours(1)),
                new Fault.Pause("app1", AT_ONCE, Duration.ofHours(1))),
            new Servers(),
            time,
            Duration.ofMillis(300));
    faults.start(time.epochNanos());
    assertThat(Await.until(SOON, () -> late.asked() == 1 && state("app1") == 'T')).isTrue();

    faults.heal();

    assertThat(Await.until(SOON, () -> state("app1") == 'S')).isTrue();
    assertThat(faults.events()).extracting(Event::node).containsExactly("app1");
    assertThat(faults.problems())
        .containsExactly("the host of app2 did not end its faults within 300 ms");
    late.answer();
    assertThat(Await.until(SOON, () -> state("app2") == 'S'))
        .as("it is let go on all the same")
        .isTrue();
    faults.close();
  }

  private void startOn(Host host, String name) {
    nodes.put(
        name,
        supervisor.start(
            NodeSpecification.of(name, List.of("sleep", "1000"), new Readiness.AtOnce(), SOON),
            host));
  }

  @Test
  void closingEndsAHold() {
    FaultInjector faults =
        injector(new Fault.SlowDisk("app1", AT_ONCE, Duration.ofHours(1), 1 << 20));
    try (faults) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> holding.contains("app1"))).isTrue();
    }
    assertThat(holding).isEmpty();
    assertThat(faults.events()).extracting(Event::kind).containsExactly(EventKinds.FAULT_SLOW_DISK);
  }

  @Test
  void garbagePressureIsAskedForAndRecordedAsTheServerTells() {
    start("app2", "read line; echo \"$line\"; sleep 1000");
    Node app2 = nodes.get("app2");
    try (FaultInjector faults =
        injector(new Fault.GarbagePressure("app2", AT_ONCE, Duration.ofMillis(1_500)))) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> app2.logTail().contains("gc-pressure 1.5"))).isTrue();
      faults.serverPrinted("app2", "gc-pressure start 100");
      faults.serverPrinted("app2", "something else");
      faults.serverPrinted("app2", "gc-pressure end 300");
      assertThat(faults.events())
          .containsExactly(new Event("app2", EventKinds.FAULT_GC_PRESSURE, 100, 300, Map.of()));
    }
  }

  @Test
  void processorLoadIsAskedForAndRecordedBesideGarbage() {
    start("app2", "read line; echo \"$line\"; sleep 1000");
    Node app2 = nodes.get("app2");
    try (FaultInjector faults =
        injector(new Fault.ProcessorLoad("app2", AT_ONCE, Duration.ofMillis(500)))) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> app2.logTail().contains("cpu 0.5"))).isTrue();
      faults.serverPrinted("app2", "gc-pressure start 50");
      faults.serverPrinted("app2", "cpu start 100");
      faults.serverPrinted("app2", "cpu end 300");
      assertThat(faults.events())
          .containsExactly(new Event("app2", EventKinds.FAULT_CPU, 100, 300, Map.of()));
    }
  }

  @Test
  void aFaultThatFindsItsServerDeadIsAProblem() throws Exception {
    nodes.get("app1").kill();
    try (FaultInjector faults = injector(new Fault.Kill("app1", AT_ONCE, Optional.empty()))) {
      faults.start(time.epochNanos());
      assertThat(Await.until(SOON, () -> !faults.problems().isEmpty())).isTrue();
      assertThat(faults.problems()).containsExactly("the kill of app1 found it dead already");
      assertThat(faults.events()).isEmpty();
    }
  }
}
