package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
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
    for (int step = 0; step < 5_000; step++) {
      long writer = random.nextInt(3);
      TreeMap<Long, byte[]> ofWriter = model.computeIfAbsent(writer, absent -> new TreeMap<>());
      long next = ofWriter.isEmpty() ? 1 : ofWriter.lastKey() + 1;
      if (random.nextInt(100) == 0) {
        Map<Long, Long> known = new HashMap<>();
        model.keySet().forEach(each -> known.put(each, random.nextLong(next + 5)));
        log.dropKnown(known::get);
        model.forEach((each, deltas) -> deltas.headMap(known.get(each), true).clear());
      } else {
        long sequence = Math.max(1, next + random.nextInt(-5, 3));
        byte[] delta = delta(sequence);
        log.add(writer, sequence, delta);
        ofWriter.putIfAbsent(sequence, delta);
      }
      assertThat(log.size()).isEqualTo(model.values().stream().mapToInt(Map::size).sum());
      if (step % 50 == 0) {
        model.forEach((each, deltas) ->
            assertThat(numbers(log, each, ALL)).isEqualTo(new ArrayList<>(deltas.keySet())));
        SequenceSet.Range part = new SequenceSet.Range(Math.max(1, next - 20), next - 1 + 2);
        assertThat(numbers(log, writer, part))
            .isEqualTo(
                new ArrayList<>(ofWriter.subMap(part.first(), true, part.last(), true).keySet()));
      }
    }
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
