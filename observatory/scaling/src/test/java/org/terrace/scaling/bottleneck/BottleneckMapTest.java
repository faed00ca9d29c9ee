package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;

class BottleneckMapTest {
  private static final Configuration ONE =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration TWO = ONE.withServers("app", 2);

  /** One application server is full from 200 users on; with two the database is, from 300 on. */
  private static BottleneckMap map() {
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < 2; repeat++) {
      for (int users : List.of(100, 200, 300, 400)) {
        trials.add(trial(ONE, users, repeat, Math.min(users, 200), users >= 200 ? 1 : 0.6, 0.5));
        trials.add(trial(TWO, users, repeat, Math.min(users, 300), 0.6, users >= 300 ? 1 : 0.6));
      }
    }
    return BottleneckMap.of(new Mesh("two", Map.of(), trials), SaturationRules.DEFAULT, 1);
  }

  @Test
  void aBottleneckIsClaimedWhereThroughputGrowsNoMore() {
    BottleneckMap map = map();

    assertThat(map.at(ONE, 100).bottleneck().kind()).isEqualTo(Kind.NONE);
    assertThat(map.at(ONE, 200).bottleneck().kind()).isEqualTo(Kind.SINGLE);
    assertThat(map.at(ONE, 400).bottleneck().place()).isEqualTo("app cpu");
    assertThat(map.at(TWO, 200).limited()).isFalse();
    assertThat(map.at(TWO, 400).bottleneck().place()).isEqualTo("database cpu");
    assertThat(map.at(ONE, 500)).isNull();
  }

  @Test
  void theBottleneckMovesWithLoadAndWithServers() {
    assertThat(map().migrations())
        .anyMatch(
            move -> move.from().equals(ONE) && move.to().equals(ONE) && move.fromUsers() == 100)
        .anyMatch(move ->
            move.from().equals(ONE)
                && move.to().equals(TWO)
                && move.before().place().equals("app cpu")
                && move.after().place().equals("database cpu"));
  }

  /** Databases take turns throughout, but under the middle load for so long that few are seen. */
  @Test
  void noBottleneckMovesToWhereItsClassIsNotTold() {
    List<MeshTrial> trials = new ArrayList<>();
    for (int users : List.of(100, 200, 300, 400)) {
      int dwell = users == 300 ? 30 : 2;
      List<Utilisation> samples = new ArrayList<>();
      for (int server = 0; server < 2; server++) {
        double[] values = new double[MadeUpCells.MANY];
        for (int i = 0; i < values.length; i++) {
          values[i] = i / dwell % 2 == server ? 1 : 0.4;
        }
        samples.add(MadeUpCells.cpu("database", server + 1, values));
      }
      double throughput = Math.min(users, 200);
      trials.add(
          new MeshTrial(
              ONE.label() + users,
              Status.DONE,
              ONE,
              users,
              0,
              10,
              List.of(),
              throughput,
              samples,
              "trials/x"));
    }
    BottleneckMap map =
        BottleneckMap.of(new Mesh("turns", Map.of(), trials), SaturationRules.DEFAULT, 1);

    assertThat(map.of(ONE))
        .extracting(each -> each.bottleneck().kind())
        .containsExactly(Kind.NONE, Kind.OSCILLATORY, Kind.UNCLEAR, Kind.OSCILLATORY);
    assertThat(map.migrations()).hasSize(1);
  }

  @Test
  void oneServerMoreConfirmsIt() {
    assertThat(map().confirmations())
        .anyMatch(each ->
            each.users() == 400
                && each.tier().equals("app")
                && each.gain() > 0.4
                && each.outcome() == Confirmation.Outcome.CONFIRMED);
    assertThat(Confirmation.judge(Kind.OSCILLATORY, -0.02, 0.03))
        .isEqualTo(Confirmation.Outcome.CONFIRMED);
    assertThat(Confirmation.judge(Kind.SINGLE, -0.02, 0.03))
        .isEqualTo(Confirmation.Outcome.REFUTED);
    assertThat(Confirmation.judge(Kind.SINGLE, null, null))
        .isEqualTo(Confirmation.Outcome.CANNOT_TELL);
  }

  /** Of each gain, classes that predict the opposite are not both confirmed, nor both refuted. */
  @Test
  void noGainConfirmsOppositeClaims() {
    for (double low = -0.2; low < 0.2; low += 0.01) {
      for (double high = low; high < 0.3; high += 0.01) {
        Confirmation.Outcome single = Confirmation.judge(Kind.SINGLE, low, high);
        Confirmation.Outcome turns = Confirmation.judge(Kind.OSCILLATORY, low, high);
        assertThat(single)
            .as("%s to %s", low, high)
            .isEqualTo(
                switch (turns) {
                  case CONFIRMED -> Confirmation.Outcome.REFUTED;
                  case REFUTED -> Confirmation.Outcome.CONFIRMED;
                  case CANNOT_TELL -> Confirmation.Outcome.CANNOT_TELL;
                });
      }
    }
    assertThat(Confirmation.judge(Kind.SINGLE, 0.002, 0.03))
        .as("a gain that counts for nothing")
        .isEqualTo(Confirmation.Outcome.REFUTED);
    assertThat(Confirmation.judge(Kind.SINGLE, 0.002, 0.3))
        .isEqualTo(Confirmation.Outcome.CANNOT_TELL);
    assertThat(Confirmation.judge(Kind.PARTIAL, 0.06, 0.3))
        .isEqualTo(Confirmation.Outcome.CONFIRMED);
  }

  /** The database is sampled throughout the first repeat, and not, or hardly, in the second. */
  @Test
  void hardwareThatARepeatLacksIsNamedAndNotTakenForIdle() {
    for (int kept : List.of(0, 20, 59, 60)) {
      List<MeshTrial> trials = new ArrayList<>();
      for (int users : List.of(100, 200)) {
        for (int repeat = 0; repeat < 2; repeat++) {
          double[] values = new double[repeat == 0 ? 60 : kept];
          Arrays.fill(values, 0.5);
          MeshTrial whole = trial(ONE, users, repeat, 50, 0.5, 0.5);
          trials.add(
              whole.withUtilisation(
                  kept == 0 && repeat == 1
                      ? List.of(steady("app1", "app", 0.5))
                      : List.of(
                          steady("app1", "app", 0.5),
                          Utilisation.of("database1", "database", "cpu", 1, values))));
        }
      }
      Bottleneck found =
          BottleneckMap.of(new Mesh("one", Map.of(), trials), SaturationRules.DEFAULT, 1)
              .at(ONE, 200)
              .bottleneck();

      boolean throughout = kept >= 59;
      assertThat(found.kind())
          .as("%d samples", kept)
          .isEqualTo(throughout ? Kind.NO_HARDWARE : Kind.UNCLEAR);
      assertThat(found.lacking()).isEqualTo(throughout ? List.of() : List.of("cpu of database1"));
      assertThat(found.words().contains("not sampled throughout: cpu of database1"))
          .isEqualTo(!throughout);
    }
  }

  /** A sample fewer at the end of one repeat does not move those of the next against each other. */
  @Test
  void repeatsAreJoinedAtTheSameTimes() {
    double[] first = {1, 2, 3};
    double[] second = {1, 2};
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < 2; repeat++) {
      trials.add(
          trial(ONE, 100, repeat, 50, 0.5, 0.5)
              .withUtilisation(
                  List.of(
                      Utilisation.of("app1", "app", "cpu", 1, first),
                      Utilisation.of(
                          "database1", "database", "cpu", 1, repeat == 0 ? second : first))));
    }
    assertThat(new Mesh("one", Map.of(), trials).cells().getFirst().utilisation())
        .containsExactly(
            Utilisation.of(
                "app1",
                "app",
                "cpu",
                1,
                new int[] {0, 1, 2, 3, 4, 5},
                new double[] {1, 2, 3, 1, 2, 3}),
            Utilisation.of(
                "database1",
                "database",
                "cpu",
                1,
                new int[] {0, 1, 3, 4, 5},
                new double[] {1, 2, 1, 2, 3}));
  }

  /** Users who think ten times as long ask for a tenth, of an idle system too. */
  @Test
  void usersWhoAskForLessAreNotHeldAgainstThoseWhoAskForMore() {
    List<MeshTrial> trials = new ArrayList<>();
    Map<String, String> longer = Map.of("load.closed.think", "exp(10s)");
    Map<String, String> shorter = Map.of("load.closed.think", "exp(1s)");
    for (int repeat = 0; repeat < 2; repeat++) {
      for (int users : List.of(40, 120)) {
        trials.add(trial(varied(shorter), users, repeat, users, 0.2, 0.1));
        trials.add(trial(varied(longer), users, repeat, 0.1 * users, 0.02, 0.01));
      }
    }
    BottleneckMap map =
        BottleneckMap.of(new Mesh("think", Map.of(), trials), SaturationRules.DEFAULT, 1);

    assertThat(map.cells())
        .hasSize(4)
        .allMatch(cell -> !cell.limited())
        .allMatch(cell -> cell.bottleneck().kind() == Kind.NONE);
  }

  private static Configuration varied(Map<String, String> variations) {
    return new Configuration("1/1/0/1", "postgresql", Map.of(), variations);
  }

  private static MeshTrial trial(
      Configuration configuration,
      int users,
      int repeat,
      double throughput,
      double app,
      double database) {
    long count = Math.round(100 * throughput);
    return new MeshTrial(
        configuration.label() + users + repeat,
        MeshTrial.Status.DONE,
        configuration,
        users,
        repeat,
        100,
        List.of(
            new ClassOutcome(
                "page", count, 0, LatencyHistogram.of(new double[] {1e5}, new long[] {count, 0}))),
        throughput * (1 + 0.001 * repeat),
        List.of(steady("app1", "app", app), steady("database1", "database", database)),
        "trials/x");
  }

  private static Utilisation steady(String node, String tier, double value) {
    double[] values = new double[60];
    Arrays.fill(values, value);
    return Utilisation.of(node, tier, "cpu", 1, values);
  }
}
