package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.Seeds;

/** Users before one server, simulated; the time is in nanoseconds. */
class ClosedRateTest {
  private static final double SECOND = 1e9;
  private static final int HISTORIES = 200;
  private static final int USERS = 300;
  private static final Duration RUN = Duration.ofSeconds(10);

  /**
   * A service and users.
   *
   * @param planned the mean think time that is planned, and {@code drawn} that of what is drawn
   * @param late how much later than due each user asks
   * @param perSecond the answers of the server, which is first in, first out
   * @param hung the users whom it never answers
   * @param lost the users who ask no more once the run has begun
   */
  private record Site(
      double planned, double drawn, double late, double perSecond, int hung, int lost) {
    static Site of(double thinkSeconds, double perSecond) {
      return new Site(thinkSeconds, thinkSeconds, 0, perSecond, 0, 0);
    }
  }

  private record Asking(double nanos, int user) {}

  /** The rate that a run had, and the one that was expected of it. */
  private record Rates(double achieved, double expected) {
    double ratio() {
      return achieved / expected;
    }
  }

  private static Rates run(RandomGenerator random, Site site, double upSeconds) {
    return run(random, site, upSeconds, LoadPace.STEADY);
  }

  private static Rates run(RandomGenerator random, Site site, double upSeconds, LoadPace planned) {
    PaceClock pace =
        new PaceClock(
            planned,
            new LoadPlan.Phases(
                Duration.ofMillis((long) (1_000 * upSeconds)), RUN, Duration.ofSeconds(1)));
    ClosedRate rate = new ClosedRate(USERS);
    long start = (long) (upSeconds * SECOND);
    long end = start + RUN.toNanos();
    rate.startRun(start);
    rate.endRun(end);
    PriorityQueue<Asking> due = new PriorityQueue<>(Comparator.comparingDouble(Asking::nanos));
    for (int user = 0; user < USERS; user++) {
      due.add(new Asking(upSeconds * SECOND * user / USERS, user));
    }
    double free = 0;
    long sent = 0;
    while (!due.isEmpty() && due.peek().nanos() + site.late * SECOND < end) {
      Asking next = due.remove();
      int user = next.user();
      double begun = next.nanos() + site.late * SECOND;
      if (user >= USERS - site.lost && begun >= start) {
        continue;
      }
      sent += begun >= start ? 1 : 0;
      if (user < site.hung) {
        rate.addPage(user, (long) begun, (long) (end + SECOND));
      } else {
        free = Math.max(free, begun) + SECOND / site.perSecond * random.nextExponential();
        rate.addPage(user, (long) begun, (long) free);
        long drawn = (long) (site.drawn * SECOND * random.nextExponential());
        double again = pace.moment(pace.users(free) + drawn);
        rate.addThink(user, (long) free, (long) again, drawn, site.planned * SECOND);
        due.add(new Asking(again, user));
      }
    }
    return new Rates(sent / 10.0, rate.perSecond(sent / 10.0, 10 * SECOND));
  }

  /**
   * Three standard errors of exponential think times, as the check permits; one in a hundred may
   * miss it.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1, 0.02})
  void whatIsExpectedIsWhatUsersDoHoweverUnsteadyTheLoad(double thinkSeconds) {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest"));
    int missed = 0;
    for (int history = 0; history < HISTORIES; history++) {
      Site site = Site.of(thinkSeconds, 20 + 400 * random.nextDouble());
      Rates rates = run(random, site, random.nextBoolean() ? 2 : 0.1);
      if (Math.abs(rates.ratio() - 1) > 3 / Math.sqrt(10 * rates.achieved())) {
        missed++;
      }
    }
    assertThat(missed).isLessThanOrEqualTo(HISTORIES / 100 * 3);
  }

  /** In a burst the queue grows, and users wait in the time in which they were to hurry. */
  @Test
  void burstsThatCongestAreExpectedToBeWhatUsersDoInThem() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.bursts"));
    int missed = 0;
    double ratios = 0;
    for (int history = 0; history < HISTORIES; history++) {
      // Four times the usual 300 a second, which takes 1.4 to 2.4 times that.
      Site site = Site.of(1, 420 + 300 * random.nextDouble());
      Bursts bursts = new Bursts(Duration.ofSeconds(2), Duration.ofMillis(400), 4);
      Rates rates = run(random, site, 2, bursts.draw(RUN, random.nextLong()));
      ratios += rates.ratio() / HISTORIES;
      missed += Math.abs(rates.ratio() - 1) > 3 / Math.sqrt(10 * rates.achieved()) ? 1 : 0;
    }
    System.out.printf("bursts: mean ratio %.4f, %d missed%n", ratios, missed);
    assertThat(missed).isLessThanOrEqualTo(HISTORIES / 100 * 3);
    assertThat(ratios).isCloseTo(1, within(0.005));
  }

  @Test
  void whoDoesNotThinkIsExpectedToAskWhenAnswered() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.none"));
    assertThat(run(random, Site.of(0, 20), 2).ratio()).isCloseTo(1, within(1e-3));
    assertThat(run(random, Site.of(0, 5_000), 2).ratio()).isCloseTo(1, within(1e-3));
  }

  @Test
  void whoIsNeverAnsweredIsNotExpectedToAsk() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.hung"));
    Site site = new Site(0.02, 0.02, 0, 5_000, USERS / 3, 0);
    assertThat(run(random, site, 2).ratio()).isCloseTo(1, within(0.02));
  }

  @Test
  void usersWhoThinkForLongerThanPlannedAreFound() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.slow"));
    for (double answersPerSecond : new double[] {60, 200, 2_000}) {
      Site site = new Site(1, 1.5, 0, answersPerSecond, 0, 0);
      assertThat(run(random, site, 2).ratio()).isLessThan(0.85);
    }
  }

  @Test
  void usersWhoAskLateAreFound() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.late"));
    assertThat(run(random, new Site(0, 0, 0.05, 5_000, 0, 0), 2).ratio()).isLessThan(0.6);
    assertThat(meanRatio(random, new Site(1, 1, 0.2, 5_000, 0, 0)))
        .isCloseTo(1 / 1.2, within(0.02));
  }

  /** They are answered within two seconds, and missing for the rest of ten. */
  @Test
  void usersWhoAskNoMoreAreFound() {
    RandomGenerator random = Seeds.generator(Seeds.next("ClosedRateTest.lost"));
    for (double answersPerSecond : new double[] {200, 2_000}) {
      Site site = new Site(1, 1, 0, answersPerSecond, 0, USERS / 10);
      assertThat(meanRatio(random, site)).isCloseTo(0.91, within(0.01));
    }
  }

  private static double meanRatio(RandomGenerator random, Site site) {
    return IntStream.range(0, HISTORIES)
        .mapToDouble(history -> run(random, site, 2).ratio())
        .average()
        .orElseThrow();
  }

  @Test
  void withoutPagesNothingIsExpected() {
    assertThat(new ClosedRate(10).perSecond(0, SECOND)).isZero();
  }
}
