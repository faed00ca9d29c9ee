package org.terrace.studies.softstate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The time that servers' calls spent with their data, as samples of a quarter of a second each.
 * Immutable.
 *
 * @param slots the samples
 */
record DataTimes(List<Slot> slots) {
  private static final long SLOT_MILLIS = 250;

  /** A sample; its times are in nanoseconds. */
  record Slot(long startMillis, long reads, long updates, long[] readNanos, long[] updateNanos) {}

  DataTimes {
    slots = List.copyOf(slots);
  }

  /** Reads the files that servers left. */
  static DataTimes read(List<Path> files) {
    List<Slot> slots = new ArrayList<>();
    for (Path file : files) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .map(line -> JsonMapper.shared().readTree(line))
            .filter(json -> json.has("startMillis"))
            .map(DataTimes::slot)
            .forEach(slots::add);
      } catch (IOException e) {
        throw new TerraceException(
            ErrorCode.CHECK_FAILED, "the times " + file + " cannot be read: " + e, e);
      }
    }
    return new DataTimes(slots);
  }

  private static Slot slot(JsonNode json) {
    return new Slot(
        json.path("startMillis").asLong(),
        json.path("reads").asLong(),
        json.path("updates").asLong(),
        longs(json.path("readNanos")),
        longs(json.path("updateNanos")));
  }

  private static long[] longs(JsonNode array) {
    return array.valueStream().mapToLong(JsonNode::asLong).toArray();
  }

  /** Those that lie wholly between two times, in milliseconds since the epoch. */
  DataTimes between(long startMillis, long endMillis) {
    return new DataTimes(
        slots.stream()
            .filter(slot -> slot.startMillis >= startMillis)
            .filter(slot -> slot.startMillis + SLOT_MILLIS <= endMillis)
            .toList());
  }

  long reads() {
    return slots.stream().mapToLong(Slot::reads).sum();
  }

  /** Sampled times of reads, the shortest first. */
  long[] readNanos() {
    return slots.stream().flatMapToLong(slot -> Arrays.stream(slot.readNanos)).sorted().toArray();
  }

  /** Sampled times of updates, the shortest first. */
  long[] updateNanos() {
    return slots.stream().flatMapToLong(slot -> LongStream.of(slot.updateNanos)).sorted().toArray();
  }
}
