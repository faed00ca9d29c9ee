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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.nodes.fault.DisturbedPlaces;
import org.terrace.nodes.machine.ServerControlGroups;
import org.terrace.nodes.monitor.ReadingRoom;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

/** A watch of a real process within a real limit, with room for what it reads and without. */
@Timeout(120)
@Tag("real-processes")
class LocalWatchTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final TimeSource TIME = TimeSource.system();
  private static final String NAME = "app1";

  /** The readings of a server that the kernel holds back all the time. */
  private static WatchReadings readings(ReadingRoom room) throws IOException {
    try (ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME)) {
      List<String> command = groups.limited(NAME, 0.05, List.of("sh", "-c", "while :; do :; done"));
      assumeTrue(groups.warning().isEmpty(), () -> groups.warning().orElse(""));
      Process process = new ProcessBuilder(command).start();
      WatchPlan plan =
          new WatchPlan(List.of(WatchPlan.Watched.of(NAME, NAME, 0.05)), Duration.ofMillis(100));
      try (LocalWatch watch =
          new LocalWatch(
              plan,
              groups,
              _ -> List.of(process.pid()),
              new DisturbedPlaces(TIME),
              Optional.empty(),
              TIME,
              room)) {
        watch.enforceLimits();
        var group = groups.processor(NAME).orElseThrow();
        assertThat(Await.until(SOON, () -> group.throttling().throttledPeriods() > 20)).isTrue();
        return watch.end();
      } finally {
        process.destroyForcibly();
        process.onExit().join();
      }
    }
  }

  /** The limits that were lost of a server that stays in its group, or leaves it. */
  private static List<String> limitsLost(boolean leaves) throws IOException {
    try (ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME)) {
      List<String> command = groups.limited(NAME, 0.5, List.of("sleep", "1000"));
      assumeTrue(groups.warning().isEmpty(), () -> groups.warning().orElse(""));
      Process process = new ProcessBuilder(command).start();
      WatchPlan plan =
          new WatchPlan(List.of(WatchPlan.Watched.of(NAME, NAME, 0.5)), Duration.ofMillis(100));
      try (LocalWatch watch =
          new LocalWatch(
              plan,
              groups,
              _ -> List.of(process.pid()),
              new DisturbedPlaces(TIME),
              Optional.empty(),
              TIME,
              ReadingRoom.ofHeap())) {
        watch.enforceLimits();
        var group = groups.processor(NAME).orElseThrow();
        List<Long> only = List.of(process.pid());
        assertThat(Await.until(SOON, () -> group.processes().equals(only))).isTrue();
        if (leaves) {
          Path outside = Objects.requireNonNull(group.folder().getParent());
          Files.writeString(outside.resolve("cgroup.procs"), Long.toString(process.pid()));
        }
        return watch.end().limitsLost();
      } finally {
        process.destroyForcibly();
        process.onExit().join();
      }
    }
  }

  @Test
  void aServerThatLeavesTheGroupOfItsLimitLosesIt() throws IOException {
    assertThat(limitsLost(false)).isEmpty();
    assertThat(limitsLost(true))
        .singleElement()
        .asString()
        .matches("1 processes of app1, such as \\d+, have left the control group .*");
  }

  @Test
  void whatFindsNoRoomIsCounted() throws IOException {
    WatchReadings readings = readings(new ReadingRoom(0));

    assertThat(readings.samples()).isEmpty();
    assertThat(readings.events()).isEmpty();
    assertThat(readings.lost()).hasSize(2);
    assertThat(readings.lost().getFirst())
        .matches(
            "[1-9]\\d* samples of what servers used were not kept beside 0 that were, since .*");
    assertThat(readings.lost().getLast())
        .matches(
            "[1-9]\\d* stretches in which servers were held back were not kept beside 0 that were, since .*");
  }

  /** Whether one of the threads reads that are to end early. */
  private static boolean isReading() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .anyMatch(Set.of("monitor", "throttling")::contains);
  }

  /** A watch that has ended in the midst of a run has no stretches of the rest of it. */
  @Test
  void aWatchThatEndsEarlySaysSo() throws IOException {
    try (ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME)) {
      var _ = groups.limited(NAME, 0.05, List.of("true"));
      assumeTrue(groups.warning().isEmpty(), () -> groups.warning().orElse(""));
      WatchPlan plan =
          new WatchPlan(List.of(WatchPlan.Watched.of(NAME, NAME, 0.05)), Duration.ofMillis(50));
      AtomicInteger readings = new AtomicInteger();
      Function<String, List<Long>> members =
          _ -> {
            if (readings.incrementAndGet() > 3) {
              throw new IllegalStateException("the processes cannot be listed");
            }
            return List.of();
          };
      try (LocalWatch watch =
          new LocalWatch(
              plan,
              groups,
              members,
              new DisturbedPlaces(TIME),
              Optional.empty(),
              TIME,
              ReadingRoom.ofHeap())) {
        groups.processor(NAME).orElseThrow().close();
        assertThat(Await.until(SOON, () -> readings.get() > 3 && !isReading())).isTrue();

        assertThat(watch.end().lost())
            .hasSize(2)
            .anyMatch(each -> each.matches("what servers used was not read to the end .*listed"))
            .anyMatch(each -> each.startsWith("whether servers were held back was not read to"));
      }
    }
  }

  @Test
  void whereThereIsRoomNothingIsLost() throws IOException {
    WatchReadings readings = readings(ReadingRoom.ofHeap());

    assertThat(readings.samples()).extracting("node").contains(NAME);
    assertThat(readings.events()).extracting("kind").contains(EventKinds.CPU_THROTTLED);
    assertThat(readings.lost()).isEmpty();
  }

  /** The losses of a watch of a server that takes connections, and answers nobody. */
  private static List<String> lostOfSilentServer(List<Long> members) throws IOException {
    InetAddress here = InetAddress.ofLiteral("127.0.0.1");
    try (ServerSocket silent = new ServerSocket(0, 50, here);
        ServerControlGroups groups = new ServerControlGroups(_ -> {}, (_, _) -> {}, TIME)) {
      URI place = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/metrics");
      WatchPlan.Watched server =
          new WatchPlan.Watched(
              NAME,
              NAME,
              1,
              Optional.empty(),
              Optional.of(MetricsPlace.own(place)),
              Optional.empty(),
              Optional.empty());
      WatchPlan plan = new WatchPlan(List.of(server), Duration.ofMillis(50));
      try (LocalWatch watch =
          new LocalWatch(
              plan,
              groups,
              _ -> members,
              new DisturbedPlaces(TIME),
              Optional.empty(),
              TIME,
              ReadingRoom.ofHeap())) {
        watch.enforceLimits();
        for (int asked = 0; asked < 5; asked++) {
          var _ = silent.accept();
        }
        return watch.end().lost();
      }
    }
  }

  @Test
  void aServerThatDoesNotTellOfItsPoolsWhileItRunsIsNamed() throws IOException {
    assertThat(lostOfSilentServer(List.of(ProcessHandle.current().pid())))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("app1 did not tell how much of its pools was in use");
  }

  @Test
  void oneThatIsGoneHasNothingToTell() throws IOException {
    assertThat(lostOfSilentServer(List.of())).isEmpty();
  }
}
