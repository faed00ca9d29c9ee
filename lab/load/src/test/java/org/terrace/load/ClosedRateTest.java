package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

/** Users before one server, simulated; the time is in nanoseconds. */
class ClosedRateTest {
  private static final double SECOND = 1e9;
  private static final int HISTORIES = 200;
  private static final int USERS = 300;

  /** The rate that a run of users had, and the one that was expected of it. */
  private record Rates(double achieved, double expected) {
    double ratio() {
      return achieved / expected;
    }
  }

  /** Users of whom a second of thinking is planned, before a server that is first in, first out. */
  private static Rates run(
      RandomGenerator random, double thinkSeconds, double answersPerSecond, double upSeconds) {
    ClosedRate rate = new ClosedRate();
    long start = (long) (upSeconds * SECOND);
    long end = start + (long) (10 * SECOND);
    rate.startRun(start);
    rate.endRun(end);
    PriorityQueue<Double> asked = new PriorityQueue<>();
    for (int user = 0; user < USERS; user++) {
      asked.add(upSeconds * SECOND * user / USERS);
    }
    double free = 0;
    long sent = 0;
    while (asked.peek() < end) {
      double begun = asked.remove();
      free = Math.max(free, begun) + SECOND / answersPerSecond * random.nextExponential();
      rate.add((long) begun, (long) free);
      sent += begun >= start ? 1 : 0;
      asked.add(free + thinkSeconds * SECOND * random.nextExponential());
    }
    return new Rates(sent / 10.0, rate.perSecond(USERS, 10 * SECOND, SECOND, 0));
  }

  /**
   * Three standard errors of a Poisson count, as the check permits; one in a hundred may miss it.
   */
  @Test
  void whatIsExpectedIsWhatUsersDoHoweverUnsteadyTheLoad() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest"));
    int missed = 0;
    for (int history = 0; history < HISTORIES; history++) {
      double answersPerSecond = 20 + 400 * random.nextDouble();
      Rates rates = run(random, 1, answersPerSecond, random.nextBoolean() ? 2 : 0.1);
      if (Math.abs(rates.ratio() - 1) > 3 / Math.sqrt(10 * rates.achieved())) {
        missed++;
      }
    }
    assertThat(missed).isLessThanOrEqualTo(HISTORIES / 100 * 3);
  }

  @Test
  void usersWhoThinkForLongerThanPlannedAreFound() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.slow"));
    for (double answersPerSecond : new double[] {60, 200, 2_000}) {
      assertThat(run(random, 1.5, answersPerSecond, 2).ratio()).isLessThan(0.85);
    }
  }

  /** Their only pause is the lateness of their timers, which is no part of any thinking time. */
  @Test
  void whoHardlyThinksIsExpectedToAskAsOftenAsItIsAnswered() {
    ClosedRate rate = new ClosedRate();
    rate.startRun(0);
    rate.endRun((long) (10 * SECOND));
    rate.add(0, (long) (10 * SECOND));

    assertThat(rate.perSecond(1, 10 * SECOND, 0, SECOND / 10)).isEqualTo(10);
    assertThat(rate.perSecond(3, 10 * SECOND, SECOND / 50, SECOND / 10)).isEqualTo(25);
  }

  @Test
  void withoutPagesNothingIsExpected() {
    assertThat(new ClosedRate().perSecond(10, SECOND, 0, 0)).isZero();
  }
}
