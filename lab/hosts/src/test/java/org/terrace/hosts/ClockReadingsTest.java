package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class ClockReadingsTest {
  private static final long START = 1_800_000_000_000_000_000L;

  /** Whatever the delays of the two ways were, the true offset is within the bound. */
  @Test
  void theBoundHoldsForAnyDelays() {
    RandomGenerator random =
        Seeds.generator(Seeds.next("ClockReadingsTest.theBoundHoldsForAnyDelays"));
    for (int trial = 0; trial < 200; trial++) {
      long truth = random.nextLong(-5_000_000_000L, 5_000_000_000L);
      ClockReadings readings = new ClockReadings();
      for (int reading = 0; reading < 50; reading++) {
        long sent = START + reading * 1_000_000_000L;
        long there = sent + random.nextLong(20_000_000);
        long heard = there + random.nextLong(20_000_000);
        readings.add(sent, there - truth, heard);
      }
      ClockOffset offset = readings.offset();
      assertThat(Math.abs(offset.offsetNanos() - truth)).isLessThanOrEqualTo(offset.errorNanos());
      assertThat(offset.disagreementNanos()).isZero();
      assertThat(readings.here(START - truth)).isBetween(START - 10_000_000, START + 10_000_000);
    }
  }

  /** Half an hour with a clock that gains 40 ms in it, which one offset would be wrong by. */
  @Test
  void aClockThatDriftsIsFollowed() {
    RandomGenerator random =
        Seeds.generator(Seeds.next("ClockReadingsTest.aClockThatDriftsIsFollowed"));
    double drift = 22e-6;
    ClockReadings readings = new ClockReadings();
    long second = 1_000_000_000L;
    for (long at = 0; at < 1_800; at++) {
      long sent = START + at * second;
      long read = sent + random.nextLong(500_000);
      long heard = read + random.nextLong(500_000);
      readings.add(sent, read + Math.round((read - START) * drift), heard);
    }
    for (long at = 0; at < 1_800; at += 7) {
      long moment = START + at * second + 300_000_000;
      long there = moment + Math.round((moment - START) * drift);
      // Half of the longest round trip, and what two clocks go apart in a second.
      assertThat(Math.abs(readings.here(there) - moment)).isLessThan(600_000);
    }
    assertThat(readings.offset().disagreementNanos()).as("no clock was set").isZero();
  }

  @Test
  void aClockThatWasSetDisagrees() {
    ClockReadings readings = new ClockReadings();
    readings.add(START, START + 50_000, START + 100_000);
    readings.add(START + 1_000_000_000, START + 1_003_050_000, START + 1_000_100_000);

    assertThat(readings.offset().disagreementNanos()).isEqualTo(3_000_000 - 100_000 - 100_300);
  }

  @Test
  void memoryIsBoundedAndTheBestReadingOfTheRestCounts() {
    ClockReadings readings = new ClockReadings();
    for (int reading = 0; reading < 5 * ClockReadings.MOST; reading++) {
      readings.add(START + reading, START + reading + 500, START + reading + 1_000);
    }

    ClockOffset offset = readings.offset();

    assertThat(offset.readings()).isLessThan(ClockReadings.MOST);
    assertThat(offset.errorNanos()).isEqualTo(500);
    assertThat(offset.offsetNanos()).isZero();
  }

  @Test
  void momentsInALineAreMovedAndOtherNumbersAreNot() {
    HostClock offset = time -> time - 1_000;

    assertThat(offset.here("gc-pressure start 1800000000000000000"))
        .isEqualTo("gc-pressure start 1799999999999999000");
    assertThat(offset.here("replica 10.0.4.2:5432 lost 1800000000000000000 after 12 s"))
        .isEqualTo("replica 10.0.4.2:5432 lost 1799999999999999000 after 12 s");
    assertThat(offset.here("ready 8080 18000000000000000001"))
        .isEqualTo("ready 8080 18000000000000000001");
  }
}
