package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.nodes.monitor.ReadingRoom;
import org.terrace.observation.Event;
import org.terrace.testing.Await;

/** A clock that a test sets, in files as the kernel has them, and a thread that watches it. */
@Timeout(60)
@Tag("real-processes")
class HostClockWatchTest {
  @TempDir Path policies;

  @Test
  void aStretchAtASlowerClockIsRecordedWhenItIsOver() throws IOException {
    Path policy = Files.createDirectories(policies.resolve("policy0"));
    Files.writeString(policy.resolve("affected_cpus"), "0\n");
    Files.writeString(policy.resolve("scaling_available_governors"), "ondemand performance\n");
    Files.writeString(policy.resolve("scaling_governor"), "ondemand\n");
    Files.writeString(policy.resolve("cpuinfo_max_freq"), "2000000\n");
    Files.writeString(policy.resolve("scaling_cur_freq"), "1000000\n");
    HostFrequency clock = new HostClocks(policies, policies).control(note -> {}).orElseThrow();
    long start = TimeSource.system().epochNanos();
    KeptEvents kept = new KeptEvents(ReadingRoom.ofHeap());
    try (HostClockWatch _ = new HostClockWatch("database1", clock, TimeSource.system(), kept)) {
      assertThat(
              Await.until(
                  Duration.ofSeconds(20),
                  () -> TimeSource.system().epochNanos() - start > 200_000_000L))
          .isTrue();
      Files.writeString(policy.resolve("scaling_cur_freq"), "2000000\n");
      assertThat(Await.until(Duration.ofSeconds(20), () -> kept.list().size() == 1)).isTrue();

      Event slow = kept.list().getFirst();
      assertThat(slow.attributes()).containsEntry("ofFastest", "0.50");
      assertThat(slow.attributes().get("by")).isEqualTo("the machine's governor ondemand");
      assertThat(slow.endNanos() - slow.startNanos()).isGreaterThan(100_000_000L);
    }
  }
}
