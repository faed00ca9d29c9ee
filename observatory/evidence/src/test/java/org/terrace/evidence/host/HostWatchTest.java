package org.terrace.evidence.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.evidence.Evidence;
import org.terrace.evidence.EvidenceFile;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

@Tag("real-processes")
class HostWatchTest {
  @TempDir Path directory;

  /** A host that shows two things: the rest is listed, and both tables are there. */
  @Test
  void whatAHostDoesNotShowIsListed() throws IOException {
    Path proc = directory.resolve("proc");
    Path group = directory.resolve("sys/fs/cgroup/shop");
    Files.createDirectories(proc.resolve("pressure"));
    Files.createDirectories(group);
    Files.writeString(proc.resolve("pressure/io"), "some avg10=0 total=1000\n");
    Files.writeString(group.resolve("cpu.stat"), "throttled_usec 5\n");
    Files.writeString(group.resolve("cpu.max"), "50000 100000\n");
    Path out = directory.resolve("out");

    WatchResult result = watch(proc).run(out);

    assertThat(result.ticks()).isPositive();
    assertThat(result.notVisible())
        .hasSize(7)
        .anySatisfy(line -> assertThat(line).startsWith("frequency: "))
        .anySatisfy(line -> assertThat(line).startsWith("run delay: "))
        .noneSatisfy(line -> assertThat(line).contains("throttling"));
    Evidence read = EvidenceFile.read(out, "db1", null);
    assertThat(read.events())
        .extracting(Event::node, Event::kind)
        .contains(tuple("db1", EventKinds.WATCHED));
    assertThat(read.notes()).hasSize(7).allMatch(note -> note.contains("does not show"));
  }

  @Test
  void aHostThatShowsNothingIsRefused() {
    assertThatThrownBy(() -> watch(directory.resolve("nothing")).run(directory.resolve("out")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("shows nothing to watch");
  }

  private HostWatch watch(Path proc) {
    Duration every = Duration.ofMillis(10);
    WatchOptions options =
        new WatchOptions(WatchOptions.HOST, every, Duration.ofMillis(60), Map.of());
    return new HostWatch(options, TimeSource.system(), proc, directory.resolve("sys"));
  }
}
