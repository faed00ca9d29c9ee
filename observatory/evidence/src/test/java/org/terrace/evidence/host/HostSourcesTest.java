package org.terrace.evidence.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

class HostSourcesTest {
  private static final long MILLIS = 1_000_000L;

  @TempDir Path directory;

  @Test
  void readingsBeyondTheirBoundThatFollowEachOtherAreOneEvent() {
    List<Event> events = new ArrayList<>();
    Spells spells = new Spells(Map.of(), events::add);

    double[] pressure = {0.2, 0.6, 0.9, 0.1, 0.7};
    for (int i = 0; i < pressure.length; i++) {
      spells.take("host", EventKinds.CPU_PRESSURE, i * 20L, i * 20L + 20, pressure[i]);
      spells.take("host", EventKinds.FREQUENCY_LOW, i * 20L, i * 20L + 20, pressure[i]);
    }
    spells.finish();

    assertThat(events)
        .filteredOn(event -> event.kind().equals(EventKinds.CPU_PRESSURE))
        .extracting(Event::startNanos, Event::endNanos, event -> event.attributes().get("peak"))
        .containsExactly(tuple(20L, 60L, "0.900"), tuple(80L, 100L, "0.700"));
    assertThat(events)
        .filteredOn(event -> event.kind().equals(EventKinds.FREQUENCY_LOW))
        .extracting(Event::startNanos, Event::endNanos)
        .containsExactly(tuple(0L, 40L), tuple(60L, 100L));
  }

  @Test
  void aSourceTellsWhatPassedSinceItWasReadBefore() throws IOException {
    Path file = directory.resolve("cpu");
    Files.writeString(file, "some avg10=0 total=1000\n");
    List<Double> values = new ArrayList<>();
    try (HostSource source = new HostSources.Pressure(file, "host", EventKinds.CPU_PRESSURE)) {
      Readings readings = (node, resource, value) -> values.add(value);
      assertThat(source.readAt(100 * MILLIS, readings)).isZero();
      Files.writeString(file, "some avg10=0 total=6000\n");
      assertThat(source.readAt(120 * MILLIS, readings)).isEqualTo(20 * MILLIS);
    }
    assertThat(values).containsExactly(0.25);
  }

  @Test
  void longFilesAreReadWholeAndSeldom() throws IOException {
    Path file = directory.resolve("stat");
    String rest = "intr 1 2 3\n".repeat(2_000);
    Files.writeString(file, "cpu  0 0 0 100 0 0 0 0 0 0\n" + rest);
    List<String> values = new ArrayList<>();
    try (HostSource source = new HostSources.Processors(file, "host")) {
      Readings readings = (node, resource, value) -> values.add(resource + " " + value);
      source.readAt(0, readings);
      Files.writeString(file, "cpu  5 0 0 110 0 0 0 5 0 0\n" + rest);
      assertThat(source.readAt(20 * MILLIS, readings)).isZero();
      assertThat(source.readAt(100 * MILLIS, readings)).isEqualTo(100 * MILLIS);
    }
    assertThat(values).containsExactly("cpu-utilisation 0.25", "cpu-steal 0.25");
  }

  @Test
  void theIntervalHasABound() {
    assertThatThrownBy(() -> new WatchOptions("host", Duration.ofMillis(9), null, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10 ms to 1000 ms");
  }
}
