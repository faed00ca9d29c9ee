package org.terrace.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.BenchReport.Goal;

class DatabaseGoalsTest {
  private static final String BOARD =
      DatabaseGoals.level(ServerKind.POSTGRESQL, StatementMix.BOARD);

  private final FigureTable figures = new FigureTable();

  private Goal goal(String id) {
    List<Goal> goals = new DatabaseGoals(figures).judge();
    return goals.stream().filter(goal -> goal.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void aRatioIsThatOfTheMedians() {
    for (double rate : new double[] {90, 100, 400}) {
      figures.add("serial-2", BOARD, "transactions-per-second", rate);
      figures.add("key-2", BOARD, "transactions-per-second", rate + 55);
    }

    assertThat(goal("postgresql-key-to-serial-board").value()).isEqualTo(1.55);
    assertThat(goal("postgresql-key-to-serial-board").met()).isFalse();
    figures.add("key-2", BOARD, "transactions-per-second", 500);
    figures.add("key-2", BOARD, "transactions-per-second", 600);
    assertThat(goal("postgresql-key-to-serial-board").met()).isTrue();
  }

  @Test
  void oneUnequalServerInOneRoundOfAnySubjectIsAMiss() {
    figures.add("table-2", BOARD, "unequal-servers", 0);
    assertThat(goal("postgresql-unequal-servers").met()).isTrue();
    figures.add("table-2", BOARD, "unequal-servers", 1);
    figures.add("table-2", BOARD, "unequal-servers", 0);

    assertThat(goal("postgresql-unequal-servers").met()).isFalse();
    assertThat(goal("mariadb-unequal-servers").met()).isNull();
  }

  @Test
  void aPeerIsComparedWithServersOfItsVersionAlone() {
    String hot = DatabaseGoals.level(ServerKind.MARIADB, StatementMix.HOT_ROWS);
    String peers = DatabaseGoals.level(ServerKind.GALERA, StatementMix.HOT_ROWS);
    figures.add("galera-2", peers, "transactions-per-second", 100);
    figures.add("key-2", hot, "transactions-per-second", 1_000);
    assertThat(goal("key-to-galera-hot-rows").met()).isNull();

    String same = DatabaseGoals.level(ServerKind.DEBIAN_MARIADB, StatementMix.HOT_ROWS);
    figures.add("key-2", same, "transactions-per-second", 140);
    assertThat(goal("key-to-galera-hot-rows").value()).isEqualTo(1.4);
  }

  @Test
  void whatAPeerGetsWrongIsNoMissOfTheCluster() {
    figures.add("key-2", BOARD, "unequal-servers", 0);
    figures.add("pgpool-2", BOARD, "unequal-servers", 1);

    assertThat(goal("postgresql-unequal-servers").met()).isTrue();
  }

  @Test
  void whatWasNotMeasuredIsNotJudged() {
    assertThat(new DatabaseGoals(figures).judge())
        .allSatisfy(goal -> assertThat(goal.met()).isNull());
  }
}
