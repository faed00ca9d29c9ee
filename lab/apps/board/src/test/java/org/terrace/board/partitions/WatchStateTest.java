package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.board.partitions.WatchState.Finding;
import org.terrace.board.partitions.WatchState.Finding.Kind;
import org.terrace.board.partitions.WatchState.Order;

class WatchStateTest {
  private static final int SQL_NODES = 2;
  private static final Sight OUTSIDE = Sight.Away.OUTSIDE;
  private static final Sight REFUSES = Sight.Away.REFUSES;
  private static final Sight SILENT = Sight.Away.SILENT;

  private static final List<Integer> AT_HOME = List.of(0, 1);

  private WatchState state =
      WatchState.ofNodes(2, SQL_NODES).afterHearing(0, AT_HOME).afterHearing(1, AT_HOME);
  private final List<Order> orders = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  private static Sight member(int node) {
    return new Sight.Member("process of " + node, 3, true);
  }

  private void look(int times, Sight first, Sight second) {
    for (int each = 0; each < times; each++) {
      WatchState.Step step = state.after(List.of(first, second));
      state = step.state();
      orders.addAll(step.orders());
      findings.addAll(step.findings());
    }
  }

  private void tellAll() {
    orders.forEach(order -> state = state.afterTelling(order));
    orders.clear();
  }

  private List<Integer> servers() {
    return state.places().stream().map(WatchState.Place::node).toList();
  }

  @Test
  void twoFailuresInARowHandAPartitionToThePartnerAndOneDoesNot() {
    look(1, member(0), member(1));
    look(1, SILENT, member(1));
    look(1, member(0), member(1));
    look(1, SILENT, member(1));
    assertThat(servers()).containsExactly(0, 1);
    look(1, SILENT, member(1));
    assertThat(servers()).containsExactly(1, 1);
    assertThat(orders).containsExactly(new Order(0, 0, 1), new Order(1, 0, 1));
  }

  @Test
  void anSqlNodeIsToldAgainUntilItWasAndNoOther() {
    look(1, member(0), member(1));
    look(2, REFUSES, member(1));
    state = state.afterTelling(new Order(0, 0, 1));
    orders.clear();
    look(2, REFUSES, member(1));
    assertThat(orders).containsExactly(new Order(1, 0, 1), new Order(1, 0, 1));
    assertThat(state.isTold(0)).isFalse();
    tellAll();
    assertThat(state.isTold(0)).isTrue();
    look(2, REFUSES, member(1));
    assertThat(orders).isEmpty();
  }

  /** A slow machine, or a cut that healed: each was suspected, and both live. */
  @Test
  void wrongSuspicionsOneAfterTheOtherLoseNothingHoweverOften() {
    look(1, member(0), member(1));
    for (int round = 0; round < 5; round++) {
      look(3, SILENT, member(1));
      assertThat(servers()).containsExactly(1, 1);
      look(2, member(0), member(1));
      look(3, member(0), SILENT);
      assertThat(servers()).containsExactly(0, 0);
      tellAll();
      look(WatchedNode.ANSWERS_UNTIL_STEADY, member(0), member(1));
      assertThat(servers()).containsExactly(0, 1);
      tellAll();
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void theFirstThatAnswersServesBothPartitionsAfterNobodyDid() {
    look(1, member(0), member(1));
    look(30, SILENT, OUTSIDE);
    assertThat(servers()).containsExactly(0, 1);
    assertThat(findings).containsExactly(new Finding(Kind.NOBODY_SERVES, 0));
    look(2, SILENT, member(1));
    assertThat(servers()).containsExactly(1, 1);
    assertThat(findings).last().isEqualTo(new Finding(Kind.SERVES_AGAIN, 1));
  }

  @Test
  void onlyRefusalsOfBothForTenSecondsSayThatRowsMayBeGone() {
    look(1, member(0), member(1));
    look(19, REFUSES, REFUSES);
    look(1, SILENT, REFUSES);
    look(19, REFUSES, REFUSES);
    assertThat(findings).containsExactly(new Finding(Kind.NOBODY_SERVES, 0));
    look(40, REFUSES, REFUSES);
    assertThat(findings)
        .containsExactly(new Finding(Kind.NOBODY_SERVES, 0), new Finding(Kind.BOTH_HAVE_ENDED, 0));
  }

  /** The first node of a group makes a group of its own, of no rows, when it is started again. */
  @Test
  void aNodeThatIsStartedAnewIsNeverAskedThoughItSaysThatItHasTheMajority() {
    look(1, member(0), member(1));
    look(2, REFUSES, member(1));
    tellAll();
    Sight anew = new Sight.Member("another process", 3, true);
    look(30, anew, member(1));
    look(30, anew, SILENT);
    assertThat(servers()).containsExactly(1, 1);
    assertThat(findings)
        .containsExactly(new Finding(Kind.STARTED_ANEW, 0), new Finding(Kind.NOBODY_SERVES, 0));
  }

  @Test
  void aMemberThatHasNotCaughtUpIsGivenNothingAndKeepsWhatItServes() {
    Sight late = new Sight.Member("process of 1", 3, false);
    look(1, member(0), member(1));
    look(5, SILENT, late);
    assertThat(servers()).containsExactly(0, 1);
    look(5, member(0), late);
    assertThat(servers()).containsExactly(0, 1);
  }

  @Test
  void aNodeGetsItsPartitionBackOnceItHasAnsweredForLong() {
    look(1, member(0), member(1));
    look(2, SILENT, member(1));
    look(WatchedNode.ANSWERS_UNTIL_STEADY - 1, member(0), member(1));
    assertThat(servers()).containsExactly(1, 1);
    look(1, member(0), member(1));
    assertThat(servers()).containsExactly(0, 1);
  }

  /** It says for seconds that it is a member, and its group has written without it. */
  @Test
  void aNodeThatSleptAndDoesNotKnowThatItsGroupPutItOutIsGivenNothing() {
    look(1, member(0), member(1));
    Sight wentOn = new Sight.Member("process of 1", 4, true);
    look(2, SILENT, wentOn);
    look(30, member(0), wentOn);
    look(30, member(0), SILENT);
    assertThat(servers()).containsExactly(1, 1);
    look(1, new Sight.Member("process of 0", 5, true), SILENT);
    assertThat(servers()).containsExactly(0, 0);
  }
}
