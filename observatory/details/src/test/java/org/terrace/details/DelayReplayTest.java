package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class DelayReplayTest {
  private static final int CELLS = 1_000;
  private static final long MILLI = 1_000_000L;
  private static final int REQUESTS = 10_000;

  private final long[] arrived = new long[REQUESTS];
  private final long[] departed = new long[REQUESTS];
  private final boolean[] stalled = new boolean[CELLS];

  /**
   * A request each millisecond that takes 4 ms, by a server that ends two in a millisecond, and
   * stands still for 300 ms once and for 100 ms three times.
   */
  DelayReplayTest() {
    long last = 0;
    for (int i = 0; i < REQUESTS; i++) {
      arrived[i] = i * MILLI;
      long ready = Math.max(arrived[i] + 4 * MILLI, last + MILLI / 2);
      for (long[] pause :
          new long[][] {{1_000, 1_300}, {3_000, 3_100}, {5_000, 5_100}, {7_000, 7_100}}) {
        if (ready >= pause[0] * MILLI && ready < pause[1] * MILLI) {
          ready = pause[1] * MILLI;
        }
      }
      departed[i] = ready;
      last = ready;
    }
    for (int at : new int[] {100, 110, 120, 300, 500, 700}) {
      Arrays.fill(stalled, at, at + 10, true);
    }
  }

  private DelayReplay replay() {
    return replay(arrived, departed, stalled);
  }

  /** A replay of requests, held up in some cells that tell nothing of what the server can do. */
  static DelayReplay replay(long[] arrived, long[] departed, boolean[] stalled) {
    DelayCells.Tally tally = new DelayCells.Tally(0, stalled.length * DelayReplay.CELL_NANOS);
    for (int i = 0; i < arrived.length; i++) {
      tally.add(arrived[i], departed[i]);
    }
    return tally.cells().replay(stalled, stalled);
  }

  private double share(boolean[] freed) {
    DelayReplay replay = replay();
    return Arrays.stream(replay.saved(freed, replay.arrivals())).sum()
        / Arrays.stream(replay.overUsual()).sum();
  }

  private static boolean[] freed(int from, int to) {
    boolean[] freed = new boolean[CELLS];
    Arrays.fill(freed, from, to, true);
    return freed;
  }

  @Test
  void withNothingTakenOutItIsWhatWasObserved() {
    DelayReplay replay = replay();

    assertThat(Arrays.stream(replay.saved(new boolean[CELLS], replay.arrivals())).map(Math::abs))
        .allMatch(each -> each < 1e-6);
  }

  @Test
  void aLongPauseDelaysMoreThanAsMuchTimeInShortOnes() {
    // Delay grows with the square of a pause: 9 to 3, though both stalled for 300 ms.
    assertThat(share(freed(100, 130))).isCloseTo(0.75, within(0.04));
    boolean[] shorter = freed(300, 310);
    Arrays.fill(shorter, 500, 510, true);
    Arrays.fill(shorter, 700, 710, true);
    assertThat(share(shorter)).isCloseTo(0.25, within(0.04));
  }

  @Test
  void whatHadNoEffectMakesNoDelay() {
    assertThat(share(freed(800, 900))).isCloseTo(0, within(0.01));
    assertThat(share(freed(200, 290))).isCloseTo(0, within(0.01));
  }

  @Test
  void withoutAllNothingOfTheDelayIsLeft() {
    assertThat(share(stalled)).isCloseTo(1, within(0.04));
  }

  @Test
  void aCrowdIsTakenOutOfTheArrivals() {
    DelayReplay replay = replay();
    double[] crowd = replay.arrivals();
    Arrays.fill(crowd, 800, 810, 70);
    boolean[] crowded = freed(800, 810);

    assertThat(replay.withoutCrowd(crowd, crowded)[805]).isCloseTo(10, within(0.1));
    assertThat(replay.withoutCrowd(crowd, crowded)[811]).isEqualTo(crowd[811]);
  }

  @Test
  void usualTrafficInACrowdsTimeKeepsItsSum() {
    long seed = Seeds.next("DelayReplayTest.crowd");
    SplittableRandom random = new SplittableRandom(seed);
    long[] from = new long[20_000];
    long[] to = new long[from.length];
    double time = 0;
    for (int i = 0; i < from.length; i++) {
      time -= Math.log(1 - random.nextDouble()) * 5 * MILLI;
      from[i] = (long) time;
      to[i] = from[i] + 20 * MILLI;
    }
    int cells = 9_000;
    boolean[] crowded = new boolean[cells];
    for (int at = 300; at < cells; at += 300) {
      Arrays.fill(crowded, at, at + 60, true);
    }
    DelayReplay replay = replay(from, to, new boolean[cells]);
    double kept = Arrays.stream(replay.withoutCrowd(replay.arrivals(), crowded)).sum();

    assertThat(kept / Arrays.stream(replay.arrivals()).sum()).isCloseTo(1, within(0.005));
  }
}
