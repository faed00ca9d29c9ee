package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.board.partitions.WatchState.Order;

/** The first looks of a watch that is started where another one was, with two SQL nodes. */
class WatchBeginningTest {
  private static final Sight SILENT = Sight.Away.SILENT;
  private static final List<Integer> AT_HOME = List.of(0, 1);
  private static final List<Integer> HANDED_OVER = List.of(1, 1);

  private final List<Order> orders = new ArrayList<>();
  private WatchState state = WatchState.ofNodes(2, 2);

  private static Sight member(int node) {
    return member(node, 3);
  }

  private static Sight member(int node, long view) {
    return new Sight.Member("process of " + node, view, true);
  }

  private void hear(int sqlNode, List<Integer> asked) {
    state = state.afterHearing(sqlNode, asked);
  }

  /** The orders of the last of so many looks. */
  private void look(int times, Sight first, Sight second) {
    for (int each = 0; each < times; each++) {
      orders.clear();
      WatchState.Step step = state.after(List.of(first, second));
      state = step.state();
      orders.addAll(step.orders());
    }
  }

  private void tellAll() {
    orders.forEach(order -> state = state.afterTelling(order));
  }

  private List<Integer> servers() {
    return state.places().stream().map(WatchState.Place::node).toList();
  }

  @Test
  void nobodyIsToldAnythingWhereAllAskAtHome() {
    hear(0, AT_HOME);
    hear(1, AT_HOME);
    look(20, member(0), member(1));
    assertThat(orders).isEmpty();
    assertThat(state.isTold(0)).isTrue();
    assertThat(state.unheard()).isEmpty();
  }

  @Test
  void nobodyIsSentToANodeThatWasNotSeenToServe() {
    hear(0, HANDED_OVER);
    hear(1, AT_HOME);
    look(1, member(0), SILENT);
    assertThat(orders).isEmpty();
    assertThat(servers()).containsExactly(1, 1);
    look(1, member(0), SILENT);
    assertThat(servers()).containsExactly(0, 0);
    assertThat(orders)
        .containsExactlyInAnyOrder(
            new Order(0, 0, 0), new Order(1, 0, 0), new Order(0, 1, 0), new Order(1, 1, 0));
  }

  /** It says for seconds that it is a member: only its partner's view tells that it slept. */
  @Test
  void nobodyIsSentToANodeWhosePartnerIsNotKnown() {
    hear(0, HANDED_OVER);
    hear(1, AT_HOME);
    look(1, SILENT, member(1));
    assertThat(orders).isEmpty();
    look(3, member(0, 4), member(1));
    assertThat(orders).isEmpty();
    look(1, member(0, 4), member(1, 4));
    assertThat(orders).containsExactly(new Order(0, 0, 1), new Order(1, 0, 1));
  }

  /** The first was not told of the hand-over, whichever of the two is the first. */
  @Test
  void noSqlNodeIsBelievedAgainstAnother() {
    for (int first = 0; first < 2; first++) {
      state = WatchState.ofNodes(2, 2);
      hear(first, AT_HOME);
      hear(1 - first, HANDED_OVER);
      assertThat(servers()).containsExactly(1, 1);
      look(1, SILENT, member(1));
      assertThat(orders).isEmpty();
      look(1, SILENT, member(1));
      assertThat(servers()).containsExactly(1, 1);
      assertThat(orders).containsExactly(new Order(0, 0, 1), new Order(1, 0, 1));
    }
  }

  @Test
  void theFirstSqlNodeThatIsHeardLaterIsBelievedAndTheSecondIsTold() {
    look(3, member(0), member(1));
    hear(1, HANDED_OVER);
    assertThat(servers()).containsExactly(1, 1);
    look(1, member(0), member(1));
    assertThat(orders).as("the other was not heard").containsExactly(new Order(1, 0, 1));
    tellAll();
    hear(0, AT_HOME);
    look(1, member(0), member(1));
    assertThat(orders).containsExactly(new Order(0, 0, 1));
    tellAll();
    look(WatchedNode.ANSWERS_UNTIL_STEADY, member(0), member(1));
    assertThat(servers()).containsExactly(0, 1);
  }

  @Test
  void nobodyIsSentHomeBeforeAnySqlNodeWasHeard() {
    look(30, member(0), member(1));
    assertThat(orders).isEmpty();
    hear(1, HANDED_OVER);
    look(1, member(0), member(1));
    assertThat(servers()).as("ten looks are over").containsExactly(0, 1);
    assertThat(orders).containsExactly(new Order(1, 0, 0));
    tellAll();
    hear(0, AT_HOME);
    look(1, member(0), member(1));
    assertThat(orders).isEmpty();
    assertThat(state.isTold(0)).isTrue();
  }

  /** A loss moves a partition, and so does a node that has been a member for long. */
  @Test
  void noPlaceIsConfirmedBeforeAnSqlNodeWasHeardThoughItsNodeIsLost() {
    look(1, member(0), member(1));
    look(3, SILENT, member(1));
    assertThat(state.places()).noneMatch(WatchState.Place::isConfirmed);
    assertThat(servers()).containsExactly(0, 1);
    hear(0, AT_HOME);
    look(1, SILENT, member(1));
    assertThat(servers()).containsExactly(1, 1);
    assertThat(orders).containsExactly(new Order(0, 0, 1));
  }

  /** It cannot be told, and may be away for good; whoever reads along is told once. */
  @Test
  void aHandOverIsSaidOnceThoughAnSqlNodeWasNeverHeard() {
    hear(0, AT_HOME);
    look(1, member(0), member(1));
    look(2, SILENT, member(1));
    assertThat(orders).containsExactly(new Order(0, 0, 1));
    assertThat(state.isToBeSaid(0)).isFalse();
    tellAll();
    assertThat(state.isToBeSaid(0)).isTrue();
    state = state.afterSaying(0);
    assertThat(state.isToBeSaid(0)).isFalse();

    hear(1, AT_HOME);
    look(1, SILENT, member(1));
    assertThat(orders).containsExactly(new Order(1, 0, 1));
    assertThat(state.isTold(0)).as("it was heard, and is not told yet").isFalse();
    tellAll();
    assertThat(state.isTold(0)).isTrue();
    assertThat(state.isToBeSaid(0)).as("it was said").isFalse();

    look(WatchedNode.ANSWERS_UNTIL_STEADY, member(0), member(1));
    assertThat(servers()).containsExactly(0, 1);
    tellAll();
    assertThat(state.isToBeSaid(0)).as("the partition is at home again").isTrue();
  }

  /** The watch before may have been killed between the new place and the tables' closing. */
  @Test
  void whoAsksWhereItWasToldIsToldOnceMoreSinceItMayNotHaveBeenFlushed() {
    hear(0, HANDED_OVER);
    hear(1, HANDED_OVER);
    look(2, SILENT, member(1));
    assertThat(orders).containsExactly(new Order(0, 0, 1), new Order(1, 0, 1));
    tellAll();
    look(1, SILENT, member(1));
    assertThat(orders).isEmpty();
  }

  @Test
  void nobodyIsToldToAskANodeThatIsSuspectedMeanwhile() {
    hear(0, HANDED_OVER);
    hear(1, HANDED_OVER);
    look(2, SILENT, member(1));
    look(2, SILENT, SILENT);
    assertThat(orders).isEmpty();
    look(2, SILENT, member(1));
    assertThat(orders).containsExactly(new Order(0, 0, 1), new Order(1, 0, 1));
  }

  @Test
  void aPartitionThatIsAskedForOutsideOfItsGroupIsTakenHome() {
    state = WatchState.ofNodes(4, 1).afterHearing(0, List.of(0, 2, -1, 3));

    assertThat(servers()).containsExactly(0, 1, 2, 3);
    assertThat(state.isTold(1)).isFalse();
    assertThat(state.isTold(2)).isFalse();
    assertThat(state.isTold(3)).isTrue();
  }
}
