package org.terrace.scaling.repeats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.scaling.repeats.RepeatedShares.Counted;
import org.terrace.testing.Seeds;

class RepeatedSharesTest {
  private static final int MESHES = 400;
  private static final int LOADS = 5;
  private static final int REQUESTS = 1_000;

  /** A trial whose own share differs from that of its load, as runs of one machine do. */
  private static Counted trial(double share, double deviation, RandomGenerator random) {
    double own = Math.clamp(share + deviation * random.nextGaussian(), 0, 1);
    int good = 0;
    for (int i = 0; i < REQUESTS; i++) {
      good += random.nextDouble() < own ? 1 : 0;
    }
    return new Counted(good, REQUESTS);
  }

  /** Intervals hold the true share about as often as they say, also where runs differ. */
  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "2,0.01", "3,0.02"})
  void intervalsHoldTheTrueShare(int repeats, double deviation) {
    RandomGenerator random =
        Seeds.generator(Seeds.next("RepeatedSharesTest." + repeats + "." + deviation));
    int held = 0;
    for (int mesh = 0; mesh < MESHES; mesh++) {
      List<Double> truth = new ArrayList<>();
      List<List<Counted>> cells = new ArrayList<>();
      for (int load = 0; load < LOADS; load++) {
        double share = 0.9 + 0.06 * random.nextDouble();
        List<Counted> trials = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
          trials.add(trial(share, deviation, random));
        }
        truth.add(share);
        cells.add(trials);
      }
      RepeatedShares shares = RepeatedShares.of(cells);
      for (int load = 0; load < LOADS; load++) {
        held += shares.interval(cells.get(load), 0.95).holds(truth.get(load)) ? 1 : 0;
      }
    }

    double part = (double) held / (MESHES * LOADS);
    System.out.printf(
        "of %d 95 %% intervals with %d repeats that differ by %.2f, %.1f %% hold the share%n",
        MESHES * LOADS, repeats, deviation, 100 * part);
    assertThat(part).isGreaterThan(0.91);
  }

  @Test
  void aShareOfAllOrNoneHasAnInterval() {
    RepeatedShares once = RepeatedShares.of(List.of(List.of(new Counted(100, 100))));
    assertThat(once.knowsRepeats()).isFalse();
    assertThat(once.interval(List.of(new Counted(100, 100)), 0.95).low()).isBetween(0.96, 0.97);
    assertThat(once.interval(List.of(new Counted(0, 100)), 0.95).high()).isBetween(0.03, 0.04);
    assertThat(once.interval(List.of(new Counted(0, 0)), 0.95)).isEqualTo(new Interval(1, 0, 1));
  }
}
