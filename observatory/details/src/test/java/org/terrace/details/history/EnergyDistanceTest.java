package org.terrace.details.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EnergyDistanceTest {
  private static final int LEAST = 2;

  @Test
  void theDistanceIsThatOfItsDefinition() {
    double[] values = {1, 2, 4, 1, 9, 7, 8, 6, 9};

    double largest = -1;
    int best = 0;
    for (int at = LEAST; at <= values.length - LEAST; at++) {
      double distance = distance(values, at);
      if (distance > largest) {
        largest = distance;
        best = at;
      }
    }

    assertThat(EnergyDistance.place(values, LEAST)).isEqualTo(best).isEqualTo(4);
  }

  /** The mean over all pairs, a value with itself among them, weighted by the sides' sizes. */
  private static double distance(double[] values, int at) {
    double between = 0;
    double before = 0;
    double after = 0;
    double first = at;
    double second = values.length - at;
    for (int i = 0; i < values.length; i++) {
      for (int other = 0; other < values.length; other++) {
        double distance = Math.abs(values[i] - values[other]);
        if (i < at && other < at) {
          before += distance / (first * first);
        } else if (i >= at && other >= at) {
          after += distance / (second * second);
        } else if (i < at) {
          between += distance / (first * second);
        }
      }
    }
    return first * second / values.length * (2 * between - before - after);
  }

  /** Values just below a level that is far away belong to the level before. */
  @Test
  void aHighValueOfTheOldLevelIsNoneOfTheNew() {
    double[] values = {100, 101, 99, 100, 102, 98, 103, 104, 150, 151, 149, 150, 152};

    assertThat(EnergyDistance.place(values, LEAST)).isEqualTo(8);
  }

  @Test
  void aWildValueIsNoLevelOfItsOwn() {
    double[] values = {100, 101, 100, 0, 99, 101, 100, 99, 100, 104, 105, 104, 103, 105, 104};

    assertThat(EnergyDistance.place(values, LEAST)).isEqualTo(9);
  }

  @Test
  void valuesThatAreMostlyEqualArePartedWhereOthersBegin() {
    double[] values = {0, 0, 0, 0, 0, 0, 0, 3, 5, 0, 4, 6};

    assertThat(EnergyDistance.place(values, LEAST)).isEqualTo(7);
    assertThat(EnergyDistance.place(new double[8], LEAST)).isEqualTo(LEAST);
  }
}
