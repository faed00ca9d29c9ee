package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.nodes.fault.DisturbedPlaces;
import org.terrace.nodes.machine.HostClocks;
import org.terrace.nodes.machine.HostFrequency;
import org.terrace.nodes.machine.ServerControlGroups;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.testing.Await;

/** Monitors and governors of a watch whose threads end by an error in the midst of a run. */
@Timeout(120)
@Tag("real-processes")
class EndedMonitorTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final TimeSource TIME = TimeSource.system();
  private static final String NAME = "app1";

  @TempDir private Path policies;
  @TempDir private Path notes;
  private volatile boolean isBroken;
  private final AtomicInteger refusals = new AtomicInteger();

  private List<Long> members(String node) {
    if (isBroken) {
      refusals.incrementAndGet();
      throw new IllegalStateException("the processes of " + node + " cannot be listed");
    }
    return List.of();
  }

  private static WatchPlan plan(Optional<URI> metrics, Optional<Duration> governor) {
    return new WatchPlan(
        List.of(
            new WatchPlan.Watched(
                NAME,
                NAME,
                0.5,
                Optional.empty(),
                metrics.map(MetricsPlace::own),
                Optional.empty(),
                governor)),
        INTERVAL);
  }

  private LocalWatch watch(
      WatchPlan plan, ServerControlGroups groups, Optional<HostFrequency> clock) {
    Function<String, List<Long>> members = this::members;
    return new LocalWatch(plan, groups, members, new DisturbedPlaces(TIME), clock, TIME);
  }

  private static boolean runs(String thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(each -> each.getName().equals(thread));
  }

  @Test
  void readingsOfPoolsThatFailedAreSaidToLack() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME);
        LocalWatch watch =
            watch(
                plan(
                    Optional.of(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/")),
                    Optional.empty()),
                groups,
                Optional.empty())) {
      watch.enforceLimits();
      isBroken = true;
      // Once by the monitor of resources, and of pools by two threads.
      assertThat(Await.until(SOON, () -> refusals.get() > 3)).isTrue();

      assertThat(watch.end().lost())
          .anyMatch(each ->
              each.matches(
                  "how full pools of servers were was not read each time: .* cannot be listed"));
    }
  }

  @Test
  void aLimitThatNoGovernorChangesAnyMoreDoesNotHold() {
    try (ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME)) {
      var _ = groups.limited(NAME, 0.5, List.of("true"));
      assumeTrue(groups.warning().isEmpty(), () -> groups.warning().orElse(""));
      try (LocalWatch watch =
          watch(plan(Optional.empty(), Optional.of(INTERVAL)), groups, Optional.empty())) {
        watch.enforceLimits();
        isBroken = true;
        assertThat(Await.until(SOON, () -> !runs("governor of " + NAME))).isTrue();

        assertThat(watch.end().limitsLost())
            .hasSize(2)
            .anyMatch(each ->
                each.matches("the governor of app1 ended before the run did, .* cannot be listed"))
            .anyMatch(each -> each.startsWith("it cannot be told where limited servers ran"));
      }
    }
  }

  @Test
  void aClockThatIsNotReadToTheEndIsSaid() throws IOException {
    Path policy = PolicyFiles.governed(policies);
    Files.writeString(policy.resolve("cpuinfo_max_freq"), "2000000\n");
    Files.writeString(policy.resolve("scaling_cur_freq"), "<unknown>\n");
    Optional<HostFrequency> clock = new HostClocks(policies, notes).control(_ -> {});
    try (ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME);
        LocalWatch watch = watch(plan(Optional.empty(), Optional.of(INTERVAL)), groups, clock)) {
      watch.enforceLimits();
      assertThat(Await.until(SOON, () -> !runs("clock of " + NAME))).isTrue();

      assertThat(watch.end().lost())
          .singleElement()
          .asString()
          .matches("the clock of app1 was not read to the end of the run: .*unknown.*");
    }
  }
}
