package org.terrace.collections.structures.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.collections.structures.WriterLog;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.testing.Seeds;

class DeltaLogTest {
  private static final SequenceSet.Range ALL = new SequenceSet.Range(1, Long.MAX_VALUE);
  private static final long ROOM = 1 << 30;

  private static byte[] delta(long number) {
    return new byte[] {(byte) number, (byte) (number >> 8)};
  }

  private static List<Long> numbers(DeltaLog log, long writer, SequenceSet.Range range) {
    return log.get(writer, range).stream().map(WriterLog.Logged::sequence).toList();
  }

  @Test
  void holdsWhatASortedMapWouldHold() {
    RandomGenerator random = Seeds.generator(Seeds.next("DeltaLogTest"));
    DeltaLog log = new DeltaLog(ROOM);
    Map<Long, TreeMap<Long, byte[]>> model = new HashMap<>();
    Map<Long, Long> known = new HashMap<>();
    for (int step = 0; step < 5_000; step++) {
      long writer = random.nextInt(3);
      TreeMap<Long, byte[]> ofWriter = model.computeIfAbsent(writer, absent -> new TreeMap<>());
      long next = Math.max(known.getOrDefault(writer, 0L), lastOf(ofWriter)) + 1;
      if (random.nextInt(100) == 0) {
        model.forEach(
            (each, deltas) -> known.merge(each, random.nextLong(lastOf(deltas) + 5), Math::max));
        log.forgetKnown(known::get);
        model.forEach((each, deltas) -> deltas.headMap(known.get(each), true).clear());
      } else {
        long sequence = Math.max(1, next + random.nextInt(-5, 3));
        byte[] delta = delta(sequence);
        log.add(writer, sequence, delta);
        if (sequence > known.getOrDefault(writer, 0L)) {
          ofWriter.putIfAbsent(sequence, delta);
        }
      }
      assertThat(log.size()).isNotNegative();
      assertThat(log.bytes()).isEqualTo(42L * log.size());
      model.forEach((each, deltas) -> {
        long first = known.getOrDefault(each, 0L) + 1;
        assertThat(numbers(log, each, new SequenceSet.Range(first, Long.MAX_VALUE)))
            .isEqualTo(new ArrayList<>(deltas.keySet()));
        SequenceSet.Range part = new SequenceSet.Range(first + 3, first + 9);
        assertThat(numbers(log, each, part))
            .isEqualTo(new ArrayList<>(deltas.subMap(first + 3, true, first + 9, true).keySet()));
      });
    }
  }

  private static long lastOf(NavigableMap<Long, byte[]> deltas) {
    return deltas.isEmpty() ? 0 : deltas.lastKey();
  }

  @Test
  void whatIsKnownToAllGoesAsOthersComeAndTheRestNextTime() {
    DeltaLog log = new DeltaLog(ROOM);
    for (long number = 1; number <= 1_000; number++) {
      log.add(1, number, delta(number));
    }
    log.forgetKnown(writer -> 1_000);
    assertThat(log.size()).isEqualTo(1_000);
    for (long number = 1_001; number <= 1_010; number++) {
      log.add(1, number, delta(number));
    }
    assertThat(log.size()).isEqualTo(930);
    log.forgetKnown(writer -> 1_010);
    assertThat(numbers(log, 1, ALL).getFirst()).isEqualTo(1_001);
    log.forgetKnown(writer -> 1_010);
    assertThat(log.size()).isZero();
  }

  @Test
  void theOldestOfAllWritersGoFirstWhenThereAreTooManyBytes() {
    DeltaLog log = new DeltaLog(4 * 42);
    log.add(1, 1, delta(1));
    log.add(2, 1, delta(1));
    log.add(1, 2, delta(2));
    log.add(2, 2, delta(2));
    log.add(2, 3, delta(3));
    assertThat(numbers(log, 1, ALL)).containsExactly(2L);
    assertThat(numbers(log, 2, ALL)).containsExactly(1L, 2L, 3L);
    assertThat(log.bytes()).isEqualTo(4 * 42);
  }

  @Test
  void whatCameSinceTheTickBeforeLastIsRecent() {
    DeltaLog log = new DeltaLog(ROOM);
    List<VersionVector.Span> asked =
        List.of(new VersionVector.Span(7, new SequenceSet.Range(1, 3)));
    log.add(7, 1, delta(1));
    assertThat(log.withoutRecent(asked)).isEmpty();
    log.tick();
    log.add(7, 2, delta(2));
    log.tick();
    log.add(7, 3, delta(3));
    assertThat(log.withoutRecent(asked))
        .containsExactly(new VersionVector.Span(7, new SequenceSet.Range(1, 1)));
    log.tick();
    log.tick();
    assertThat(log.withoutRecent(asked)).isEqualTo(asked);
  }

  @Test
  void ofAWriterThatIsNotHereNothingIsRecent() {
    List<VersionVector.Span> asked =
        List.of(new VersionVector.Span(7, new SequenceSet.Range(1, 3)));
    assertThat(new DeltaLog(ROOM).withoutRecent(asked)).isEqualTo(asked);
  }
}
