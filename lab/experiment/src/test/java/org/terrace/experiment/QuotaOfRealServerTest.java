package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.machine.ControlGroup;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.nodes.machine.CpuThrottling;
import org.terrace.nodes.machine.Throttling;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.nodes.monitor.ReadingRoom;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;

/**
 * The congestion point of a real server that the kernel throttles: what it can do follows from its
 * limit and from the processor time of a request.
 */
@Timeout(180)
@Tag("real-processes")
class QuotaOfRealServerTest {
  private static final String ADDRESS = "127.24.2.1";
  private static final String USERS = "127.24.9.1";
  private static final int PORT = 8_080;
  private static final double CORES = 0.4;
  private static final long WORK_MICROS = 2_000;
  private static final double CAPACITY = CORES * 1e6 / WORK_MICROS;
  private static final long SHORTEST_OF_OTHERS = 40_000_000L;
  private static final int CONNECTIONS = 64;

  /** A quarter of the half seconds ask for more than the server can do. */
  private static final double FEWEST_HELD = 0.2;

  private static final int WARM_UP = 200;
  private static final int RUN_SECONDS = 25;
  private static final long SLOT_NANOS = 500_000_000L;

  private final TimeSource time = TimeSource.system();
  private final ConcurrentLinkedQueue<Request> answered = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<WorkingClient> idle = new LinkedBlockingQueue<>();

  @Test
  void theKneeIsWhereTheQuotaPutsIt() throws Exception {
    assumeTrue(
        Boolean.getBoolean("terrace.quietMachine"),
        "others must leave the server its limit: run it alone, with -Dterrace.quietMachine=true");
    try (CpuLimits limits = CpuLimits.open()) {
      assumeTrue(limits.warning().isEmpty(), limits.warning().orElse(""));
      try (ControlGroup group = limits.limit("app1", CORES).orElseThrow()) {
        try (ChildProcess server =
            ChildProcess.start(
                new ProcessBuilder(
                    group.command(
                        JavaCommand.small(
                            List.of(),
                            WorkingServer.class,
                            ADDRESS,
                            Integer.toString(PORT),
                            Long.toString(WORK_MICROS)))))) {
          server.awaitReady();
          Duration before = server.process().info().totalCpuDuration().orElseThrow();
          Observation observation = observed(group);
          Duration used = server.process().info().totalCpuDuration().orElseThrow().minus(before);
          check(observation, CORES * observation.requests().size() / (used.toNanos() / 1e9));
        }
      }
    }
  }

  /** The observation, where the limit and not a busy machine held the server back. */
  private Observation observed(ControlGroup group) throws Exception {
    CpuThrottling before = group.throttling();
    Observation observation = observe(group);
    CpuThrottling after = group.throttling();
    double periods = after.periods() - before.periods();
    double held = (after.throttledPeriods() - before.throttledPeriods()) / periods;
    assumeTrue(
        held >= FEWEST_HELD,
        "other programs left the server less than its limit: held back in " + held + " of periods");
    return observation;
  }

  /**
   * Checks what was found.
   *
   * @param capacity the requests a second whose processor time makes up the limit, by the kernel's
   *     count of what each took: its work, its share of the protocol and of the JVM's own threads
   */
  private static void check(Observation observation, double capacity) {
    ServerFindings server =
        Analysis.analyze(observation, AnalysisOptions.defaults()).findings().servers().getFirst();
    CongestionPoint point = server.congestionPoint();
    System.out.printf(
        "capacity %s of %.1f by processor time, N* %s (%s to %s) of %s; reason %s; %d stalls%n",
        point.capacityPerSecond(),
        capacity,
        point.load(),
        point.low(),
        point.high(),
        point.basis(),
        point.reason(),
        server.stalls().size());
    assertThat(point.identifiable()).as(String.valueOf(point.reason())).isTrue();
    assertThat(point.capacityPerSecond()).isCloseTo(capacity, within(0.2 * capacity));
    // A request alone takes its work, and longer when the quota of a period is used up in it.
    double alone = WORK_MICROS / 1e6;
    assertThat(point.load()).isBetween(0.8 * CAPACITY * alone, 6 * CAPACITY * alone);
    // Other programs may make longer ones.
    assertThat(server.stalls())
        .as("throttling by periods of 10 ms is no stall")
        .noneMatch(stall -> stall.endNanos() - stall.startNanos() < SHORTEST_OF_OTHERS);
  }

  /** Arrivals at a rate that changes each half second, to far beyond what the server can do. */
  private Observation observe(ControlGroup group) throws Exception {
    RandomGenerator random =
        Seeds.generator(Seeds.next("QuotaOfRealServerTest.theKneeIsWhereTheQuotaPutsIt"));
    for (int i = 0; i < CONNECTIONS; i++) {
      idle.add(new WorkingClient(USERS, ADDRESS, PORT));
    }
    for (int i = 0; i < WARM_UP; i++) {
      ask(new CountDownLatch(1));
    }
    answered.clear();
    List<Long> arrivals = arrivals(random);
    CountDownLatch left = new CountDownLatch(arrivals.size());
    long start = time.epochNanos();
    List<Event> events;
    KeptEvents kept = new KeptEvents(ReadingRoom.ofHeap());
    try (Throttling _ = new Throttling(Map.of("app1", group), time, kept);
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long at : arrivals) {
        var _ = clock.schedule(() -> asking.execute(() -> ask(left)), at, TimeUnit.NANOSECONDS);
      }
      assertThat(left.await(RUN_SECONDS + 60, TimeUnit.SECONDS)).isTrue();
      events = new ArrayList<>(kept.list());
    }
    for (WorkingClient client : idle) {
      client.close();
    }
    events.add(
        new Event(
            "experiment",
            EventKinds.PHASE_RUN,
            start,
            start + TimeUnit.SECONDS.toNanos(RUN_SECONDS),
            Map.of()));
    RequestTable.Builder table = new RequestTable.Builder();
    answered.forEach(table);
    return new Observation(
        List.of(new Server("app1", "app", List.of())), table.build(), List.of(), events);
  }

  private static List<Long> arrivals(RandomGenerator random) {
    List<Long> arrivals = new ArrayList<>();
    long end = TimeUnit.SECONDS.toNanos(RUN_SECONDS);
    double rate = 0;
    long slot = -1;
    for (long at = 0; at < end; ) {
      if (at / SLOT_NANOS != slot) {
        slot = at / SLOT_NANOS;
        rate = CAPACITY * random.nextDouble(0.05, 1.4);
      }
      at += (long) (-Math.log(1 - random.nextDouble()) / rate * 1e9);
      arrivals.add(at);
    }
    return arrivals;
  }

  private void ask(CountDownLatch left) {
    try {
      WorkingClient client = idle.take();
      long sent = time.epochNanos();
      client.get("/page");
      long back = Math.max(sent, time.epochNanos());
      answered.add(new Request("app1", "page", "users", sent, sent, back, 1, 1, Outcome.OK, 1));
      idle.add(client);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      left.countDown();
    }
  }
}
