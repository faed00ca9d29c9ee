package org.terrace.analysis.experience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.experience.StallEpisodesTest.server;
import static org.terrace.analysis.experience.StallEpisodesTest.still;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Cause;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.SlowStretch;
import org.terrace.analysis.finding.UserExperience;

class UserExperiencesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Cause COLLECTION =
      new Cause("gc-pause", "app2", 0.9, 0.001, 0.002, null, null);

  @Test
  void theWorstStretchIsTheHeadlineWithWhoStalledMeanwhile() {
    double[] p99 = even(40, 24_000);
    p99[18] = 330_000;
    p99[19] = 200_000;
    p99[21] = 250_000;
    p99[30] = 110_000;

    UserExperience users =
        users(
            p99,
            2,
            server("app1", still(30_100, 30_200)),
            server("app2", still(18_300, 18_900, COLLECTION), still(19_200, 19_300)));

    assertThat(users.slowStretches()).extracting(SlowStretch::seconds).containsExactly(4.0, 1.0);
    assertThat(users.slowStretches())
        .as("app2, stalled longer in all, is the first episode, app1 the second")
        .extracting(SlowStretch::stallEpisode)
        .containsExactly(0, 1);
    assertThat(users.usualP99Micros()).isEqualTo(24_000);
    assertThat(users.sentence())
        .isEqualTo(
            "For 4 s from +18 s, one page in 100 took 330 ms or longer instead of the usual 24 ms;"
                + " meanwhile app2 stalled twice, 700 ms in all, likely because of GC pauses of"
                + " app2. Pages were slow in one more stretch, less badly. 2 of 5,000 pages"
                + " failed.");
  }

  @Test
  void secondsWithHardlyAnAnswerAreSlowWhateverTheFewAnswersTook() {
    double[] answers = even(40, 500);
    double[] inFlight = even(40, 20);
    double[] p99 = even(40, 24_000);
    for (int i = 20; i < 22; i++) {
      answers[i] = 3;
      inFlight[i] = 600;
      p99[i] = Double.NaN;
    }

    ClientSeconds held = seconds(p99, answers, inFlight);
    ServerFindings stalled = server("db1", still(20_000, 21_900));
    assertThat(users(held, 0, stalled).sentence())
        .isEqualTo(
            "For 2 s from +20 s, hardly any page was answered; meanwhile db1 stalled for 1.90 s.");
    p99[22] = 2_000_000;
    assertThat(users(held, 0, stalled).sentence())
        .startsWith(
            "For 3 s from +20 s, one page in 100 took 2.00 s or longer instead of the usual 24 ms,"
                + " and for 2 s hardly any was answered; meanwhile db1");
    Arrays.fill(inFlight, 1);
    assertThat(users(held, 0, stalled).slowStretches())
        .as("where nothing is in flight, users are only thinking")
        .extracting(SlowStretch::seconds)
        .containsExactly(1.0);
  }

  @Test
  void evenServiceIsSaidInPlainWords() {
    double[] p99 = even(40, 4_000);
    p99[7] = 13_900;

    assertThat(users(p99, 0, server("app1")).sentence())
        .as("three times the usual, and yet nobody would notice ten milliseconds")
        .isEqualTo(
            "Users were served evenly: half of their pages within 5.0 ms, 99 of 100 within"
                + " 20 ms.");
  }

  @Test
  void slownessWithoutAStallIsNotBlamedOnAnybody() {
    double[] p99 = even(10, 4_000);
    p99[3] = 90_000;
    p99[9] = Double.NaN;

    assertThat(users(p99, 0, server("app1", still(7_000, 7_100))).sentence())
        .endsWith("; no server stalled meanwhile.");
  }

  @Test
  void aCaptureAloneIsSeenFromItsFrontTier() {
    assertThat(users((ClientSeconds) null, 0, server("web1"), server("db1")).sentence())
        .isEqualTo("web1 answered half of its requests within 1 µs, 99 of 100 within 1 µs.");
    assertThat(users((ClientSeconds) null, 0).sentence()).isEmpty();
  }

  @Test
  void noAnswerAtAllIsSaid() {
    assertThat(users(new double[] {Double.NaN}, 5_000).sentence())
        .isEqualTo("No page was answered. 5,000 of 5,000 pages failed.");
  }

  private static double[] even(int seconds, double micros) {
    double[] p99 = new double[seconds];
    Arrays.fill(p99, micros);
    return p99;
  }

  private static UserExperience users(double[] p99, long errors, ServerFindings... servers) {
    return users(seconds(p99, even(p99.length, 100), even(p99.length, 9)), errors, servers);
  }

  private static UserExperience users(
      @Nullable ClientSeconds seconds, long errors, ServerFindings... servers) {
    Findings.Latency latency = new Findings.Latency(6_000, 5_000, 20_000, 30_000, 40_000);
    Findings findings =
        new Findings(
            Findings.FORMAT,
            null,
            new Findings.Window(50, "default"),
            List.of(servers),
            Findings.Transactions.NONE,
            seconds == null
                ? null
                : new Findings.Clients(5_000, errors, 90.0, latency, latency, null),
            List.of(),
            List.of());
    return UserExperiences.of(findings, StallEpisodes.of(findings.servers()), seconds, 0);
  }

  private static ClientSeconds seconds(double[] p99, double[] answers, double[] inFlight) {
    return new ClientSeconds(0, SECOND, answers, p99, inFlight);
  }
}
