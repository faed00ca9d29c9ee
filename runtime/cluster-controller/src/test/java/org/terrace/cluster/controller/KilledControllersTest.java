package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.core.TimeSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Controllers that are killed under writes: what was acknowledged is there, what was not is not.
 */
@Tag("real-processes")
class KilledControllersTest {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int LEASE_MILLIS = 400;
  private static final int LONG_LEASE_MILLIS = 600_000;
  private static final int KILLS = Depth.of(4, 2);

  @TempDir private Path directory;

  @Test
  void aControllerThatIsKilledAndStartedAgainLeavesNothingUnknown() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("KilledControllersTest.restarted"));
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ControllerMachine controller =
            ControllerMachine.start(url(replicas, LEASE_MILLIS), false)) {
      assertThat(controller.awaitReady(60)).isTrue();
      ToldWriters writers = ToldWriters.start("127.0.0.1:" + controller.port());
      for (int i = 0; i < KILLS; i++) {
        writers.awaitWrites(20 + random.nextInt(60));
        controller.kill();
        controller.start();
        assertThat(controller.awaitReady(60)).isTrue();
      }
      writers.end();
      writers.judge(replicas);
    }
  }

  @Test
  void aSpareTakesOverSoonAfterTheLeaderIsKilled() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("KilledControllersTest.spares"));
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ControllerMachine first = ControllerMachine.start(url(replicas, LEASE_MILLIS), true)) {
      assertThat(first.awaitReady(60)).isTrue();
      try (ControllerMachine second = ControllerMachine.start(url(replicas, LEASE_MILLIS), true)) {
        ToldWriters writers =
            ToldWriters.start("127.0.0.1:%d,127.0.0.1:%d".formatted(first.port(), second.port()));
        ControllerMachine leader = first;
        ControllerMachine spare = second;
        List<Long> readies = new ArrayList<>();
        List<Long> gaps = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
          assertThat(spare.awaitSpare(60)).isTrue();
          writers.awaitWrites(20 + random.nextInt(60));
          assertThat(spare.serves()).isFalse();
          leader.kill();
          long killed = TimeSource.system().elapsedNanos();
          assertThat(spare.awaitReady(60)).isTrue();
          readies.add((TimeSource.system().elapsedNanos() - killed) / 1_000_000);
          writers.awaitWrites(1);
          gaps.add((TimeSource.system().elapsedNanos() - killed) / 1_000_000);
          leader.start();
          ControllerMachine other = leader;
          leader = spare;
          spare = other;
        }
        System.out.println(
            "milliseconds after each kill until the spare serves %s and a write is acknowledged %s"
                .formatted(readies, gaps));
        assertThat(gaps).allMatch(millis -> millis < LONGEST.toMillis());
        writers.end();
        writers.judge(replicas);
      }
    }
  }

  /** An owner that lives keeps the log; whoever gets it knows that the owner before is gone. */
  @Test
  void aSpareThatGetsTheLogDoesNotWaitForTheLease() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ControllerMachine first = ControllerMachine.start(url(replicas, LONG_LEASE_MILLIS), true)) {
      assertThat(first.awaitReady(60)).isTrue();
      try (ControllerMachine second =
          ControllerMachine.start(url(replicas, LONG_LEASE_MILLIS), true)) {
        ToldWriters writers =
            ToldWriters.start("127.0.0.1:%d,127.0.0.1:%d".formatted(first.port(), second.port()));
        assertThat(second.awaitSpare(60)).isTrue();
        writers.awaitWrites(20);
        assertThat(second.serves()).isFalse();
        first.kill();
        assertThat(second.awaitReady(60)).isTrue();
        writers.awaitWrites(20);
        writers.end();
        writers.judge(replicas);
      }
    }
  }

  private String url(RealReplicas replicas, int leaseMillis) {
    return replicas.url(
        "?log=%s&leaseMillis=%d&hangMillis=10000".formatted(directory.resolve("log"), leaseMillis));
  }
}
