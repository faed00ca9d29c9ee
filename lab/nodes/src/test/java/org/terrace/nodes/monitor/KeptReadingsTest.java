package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;

/** The samples and events of a watch, and the room that they share. */
class KeptReadingsTest {
  private static final ReadingRoom LARGE = new ReadingRoom(Long.MAX_VALUE);

  private static Sample sample(int number) {
    return new Sample("app" + number % 3, "resource" + number % 7, number, 0.5 * number);
  }

  private static Event event() {
    return new Event("app1", "cpu-throttled", 1, 2, Map.of("withheldNanos", "12345"));
  }

  @Test
  void samplesAreThoseThatWereKept() {
    KeptSamples kept = new KeptSamples(LARGE);
    List<Sample> expected = new ArrayList<>();
    for (int number = 0; number < 10_000; number++) {
      kept.add(sample(number));
      expected.add(sample(number));
    }

    assertThat(kept.list()).isEqualTo(expected);
    assertThat(kept.leftOut()).isZero();
  }

  @Test
  void aListDoesNotChange() {
    KeptSamples kept = new KeptSamples(LARGE);
    kept.add(sample(1));
    List<Sample> before = kept.list();
    kept.add(sample(2));
    List<Sample> after = kept.list();
    kept.clear();
    kept.add(sample(3));

    assertThat(before).containsExactly(sample(1));
    assertThatThrownBy(() -> before.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> before.add(sample(4)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(after).containsExactly(sample(1), sample(2));
    assertThat(kept.list()).containsExactly(sample(3));
  }

  @Test
  void samplesThatFindNoRoomAreCounted() {
    String name = "app1";
    long series = KeptSamples.SERIES_BYTES + 2L * name.length();
    KeptSamples kept = new KeptSamples(new ReadingRoom(series + 5L * KeptSamples.SAMPLE_BYTES));
    for (int number = 0; number < 12; number++) {
      kept.add(new Sample(name, name, number, number));
    }

    assertThat(kept.list()).hasSize(5);
    assertThat(kept.list().getLast().timeNanos()).isEqualTo(4);
    assertThat(kept.leftOut()).isEqualTo(7);
  }

  /** A program may tell of another pool in each reading. */
  @Test
  void namesTakeRoomToo() {
    KeptSamples kept = new KeptSamples(new ReadingRoom(100_000));
    for (int number = 0; number < 1_000; number++) {
      kept.add(new Sample("app1", "pool-" + number, number, number));
    }

    assertThat(kept.list()).hasSizeBetween(100, 100_000 / KeptSamples.SERIES_BYTES);
    assertThat(kept.leftOut()).isEqualTo(1_000 - kept.list().size());
  }

  @Test
  void eventsAndSamplesShareARoom() {
    ReadingRoom room = new ReadingRoom(2_000);
    KeptSamples samples = new KeptSamples(room);
    KeptEvents events = new KeptEvents(room);
    for (int number = 0; number < 100; number++) {
      events.add(event());
    }
    int kept = events.list().size();
    samples.add(sample(1));

    assertThat(kept).isBetween(2, 12);
    assertThat(events.leftOut()).isEqualTo(100 - kept);
    assertThat(samples.leftOut()).isEqualTo(1);
    assertThat(samples.list()).isEmpty();
  }
}
