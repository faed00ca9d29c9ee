package org.terrace.testing.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListStep.Read;
import org.terrace.testing.isolation.ListTransaction.Outcome;

/** The checker, asked of histories of which the truth is known. */
class AnomalyCheckerTest {
  private static final int HISTORIES = Depth.of(20_000, 3_000);

  private static ListTransaction committed(long id, ListStep... steps) {
    return new ListTransaction(
        id, IsolationLevel.READ_COMMITTED, Outcome.COMMITTED, List.of(steps));
  }

  private static Set<AnomalyKind> kinds(ListHistory history) {
    return AnomalyChecker.check(history).stream()
        .map(Anomaly::kind)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(AnomalyKind.class)));
  }

  @ParameterizedTest
  @EnumSource(AnomalyKind.class)
  void eachPlantedAnomalyIsFoundByItsName(AnomalyKind kind) {
    ListHistory right =
        RandomHistories.serial(Seeds.generator(Seeds.next("AnomalyCheckerTest.planted")), 20);
    ListHistory planted = PlantedAnomaly.in(right, kind);

    List<Anomaly> found = AnomalyChecker.check(planted);

    assertThat(found.stream().filter(anomaly -> anomaly.kind() == kind))
        .isNotEmpty()
        .allMatch(anomaly -> anomaly.isExcludedIn(planted));
    // What was read between two appends of one transaction is overwritten by it, too.
    Set<AnomalyKind> expected =
        kind == AnomalyKind.G1B ? EnumSet.of(kind, AnomalyKind.G_SINGLE) : EnumSet.of(kind);
    assertThat(kinds(planted)).isEqualTo(expected);
  }

  @Test
  void cyclesOfThreeAreFound() {
    ListHistory writes =
        ListHistory.of(
            List.of(
                committed(1, new Append(1, 10), new Append(3, 11)),
                committed(2, new Append(1, 20), new Append(2, 21)),
                committed(3, new Append(2, 30), new Append(3, 31))),
            Map.of(1, List.of(10L, 20L), 2, List.of(21L, 30L), 3, List.of(31L, 11L)));
    assertThat(AnomalyChecker.check(writes))
        .singleElement()
        .satisfies(anomaly -> {
          assertThat(anomaly.kind()).isEqualTo(AnomalyKind.G0);
          assertThat(anomaly.transactions()).containsExactlyInAnyOrder(1L, 2L, 3L);
        });

    // The third saw what followed on what it did not see.
    ListHistory single =
        ListHistory.of(
            List.of(
                committed(1, new Append(1, 10)),
                committed(2, new Read(1, List.of(10L)), new Append(2, 20)),
                committed(3, new Read(2, List.of(20L)), new Read(1, List.of()))),
            Map.of(1, List.of(10L), 2, List.of(20L)));
    assertThat(AnomalyChecker.check(single))
        .singleElement()
        .satisfies(anomaly -> {
          assertThat(anomaly.kind()).isEqualTo(AnomalyKind.G_SINGLE);
          assertThat(anomaly.antiDependent()).containsExactly(3L);
          assertThat(anomaly.isExcludedIn(single)).isFalse();
        });
  }

  @Test
  void twoReadersWhoDisagreeOnTheOrderAreG2() {
    ListHistory fork =
        ListHistory.of(
            List.of(
                committed(1, new Append(1, 10)),
                committed(2, new Append(2, 20)),
                committed(3, new Read(1, List.of(10L)), new Read(2, List.of())),
                committed(4, new Read(2, List.of(20L)), new Read(1, List.of()))),
            Map.of(1, List.of(10L), 2, List.of(20L)));

    assertThat(kinds(fork)).containsExactly(AnomalyKind.G2);
  }

  @Test
  void aLostUpdateIsACycleWithOneAntiDependency() {
    // The first read, the second appended, and the first appended.
    ListHistory lost =
        ListHistory.of(
            List.of(
                committed(1, new Read(1, List.of()), new Append(1, 10)),
                committed(2, new Append(1, 20))),
            Map.of(1, List.of(20L, 10L)));

    assertThat(kinds(lost)).containsExactly(AnomalyKind.G_SINGLE);
  }

  @Test
  void anAntiDependencyCountsAgainstTheLevelOfWhoRead() {
    List<ListStep> reads = List.of(new Read(1, List.of(10L)), new Read(2, List.of()));
    Map<Integer, List<Long>> lists = Map.of(1, List.of(10L), 2, List.of(20L));
    for (IsolationLevel level : IsolationLevel.values()) {
      ListHistory history =
          ListHistory.of(
              List.of(
                  committed(1, new Append(1, 10), new Append(2, 20)),
                  new ListTransaction(2, level, Outcome.COMMITTED, reads)),
              lists);

      assertThat(AnomalyChecker.check(history))
          .singleElement()
          .satisfies(anomaly ->
              assertThat(anomaly.isExcludedIn(history))
                  .isEqualTo(level != IsolationLevel.READ_COMMITTED));
    }
  }

  @Test
  void whatWasUndoneOrIsUnknownIsJudgedByWhatIsThere() {
    List<ListStep> steps = List.of(new Read(1, List.of(99L)), new Append(2, 20));
    for (Outcome outcome : Outcome.values()) {
      ListTransaction transaction =
          new ListTransaction(1, IsolationLevel.READ_COMMITTED, outcome, steps);
      boolean counts = outcome == Outcome.COMMITTED;

      assertThat(AnomalyChecker.check(ListHistory.of(List.of(transaction), Map.of())))
          .hasSize(counts ? 1 : 0);
      assertThat(
              AnomalyChecker.check(ListHistory.of(List.of(transaction), Map.of(2, List.of(20L)))))
          .hasSize(outcome == Outcome.ABORTED ? 0 : 1);
    }
  }

  @Test
  void elementsOfNobodyAndInAnotherOrderThanTheyWereAppendedInAreFound() {
    ListTransaction two = committed(1, new Append(1, 10), new Append(1, 11));

    assertThat(kinds(ListHistory.of(List.of(two), Map.of(1, List.of(11L, 10L)))))
        .containsExactly(AnomalyKind.VERSION_ORDER);
    assertThat(kinds(ListHistory.of(List.of(two), Map.of(1, List.of(10L, 11L, 12L)))))
        .containsExactly(AnomalyKind.VERSION_ORDER);
  }

  @Test
  void nothingIsFoundExactlyWhereAnOrderExplainsAll() {
    int explained = 0;
    int unexplained = 0;
    for (long seed : Seeds.histories("AnomalyCheckerTest.orders", HISTORIES)) {
      ListHistory history = RandomHistories.smallAndOftenWrong(Seeds.generator(seed));
      boolean serial = SerialOrders.explain(history);

      assertThat(AnomalyChecker.check(history).isEmpty())
          .as("seed %d: %s", seed, history)
          .isEqualTo(serial);
      explained += serial ? 1 : 0;
      unexplained += serial ? 0 : 1;
    }
    // Each is some 40 % or more of 20,000.
    assertThat(explained).isGreaterThan(HISTORIES / 20);
    assertThat(unexplained).isGreaterThan(HISTORIES / 20);
  }

  @Test
  void serialHistoriesAreNeverFlagged() {
    for (long seed : Seeds.histories("AnomalyCheckerTest.serial", HISTORIES / 20)) {
      assertThat(AnomalyChecker.check(RandomHistories.serial(Seeds.generator(seed), 60)))
          .as("seed " + seed)
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = IsolationLevel.class,
      names = {"READ_COMMITTED", "SNAPSHOT"})
  void aSchedulersHistoriesShowWhatItsLevelAllowsAlone(IsolationLevel level) {
    Map<AnomalyKind, Integer> found = new HashMap<>();
    for (long seed : Seeds.histories("AnomalyCheckerTest." + level, HISTORIES / 20)) {
      ListHistory history = RandomHistories.concurrent(Seeds.generator(seed), level);
      List<Anomaly> anomalies = AnomalyChecker.check(history);

      assertThat(anomalies.stream().filter(anomaly -> anomaly.isExcludedIn(history)))
          .as("seed " + seed)
          .isEmpty();
      for (Anomaly anomaly : anomalies) {
        found.merge(anomaly.kind(), 1, Integer::sum);
      }
    }
    List<AnomalyKind> allowed = new ArrayList<>(List.of(AnomalyKind.G2));
    if (level == IsolationLevel.READ_COMMITTED) {
      allowed.add(AnomalyKind.G_SINGLE);
    }
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(allowed);
  }
}
