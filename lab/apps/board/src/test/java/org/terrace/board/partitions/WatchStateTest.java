package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.board.partitions.WatchState.Finding;
import org.terrace.board.partitions.WatchState.Finding.Kind;
import org.terrace.board.partitions.WatchState.Order;
import org.terrace.testing.Seeds;

class WatchStateTest {
  private static final int SQL_NODES = 2;
  private static final Sight OUTSIDE = Sight.Away.OUTSIDE;
  private static final Sight REFUSES = Sight.Away.REFUSES;
  private static final Sight SILENT = Sight.Away.SILENT;

  private WatchState state = WatchState.ofNodes(2);
  private final List<Order> orders = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  private static Sight member(int node) {
    return new Sight.Member("process of " + node, 3, true);
  }

  private void look(int times, Sight first, Sight second) {
    for (int each = 0; each < times; each++) {
      WatchState.Step step = state.after(List.of(first, second), SQL_NODES);
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

  /** One SQL node was told of a hand-over, another one was not, the third is away. */
  @Test
  void aWatchThatIsStartedAgainGoesOnWhereTheSqlNodesAskAndTellsThoseThatAskElsewhere() {
    state = WatchState.ofPlaces(2, List.of(List.of(1, 1), List.of(0, 1), List.of()));
    look(1, SILENT, member(1));
    assertThat(servers()).containsExactly(1, 1);
    assertThat(orders).containsExactly(new Order(1, 0, 1), new Order(2, 0, 1), new Order(2, 1, 1));
    tellAll();
    look(1, SILENT, member(1));
    assertThat(orders).isEmpty();

    look(WatchedNode.ANSWERS_UNTIL_STEADY, member(0), member(1));
    assertThat(servers()).containsExactly(0, 1);
  }

  @Test
  void aPartitionThatIsAskedForOutsideOfItsGroupIsTakenHome() {
    state = WatchState.ofPlaces(4, List.of(List.of(0, 2, -1, 3)));

    assertThat(servers()).containsExactly(0, 1, 2, 3);
    assertThat(state.isTold(1)).isFalse();
    assertThat(state.isTold(2)).isFalse();
    assertThat(state.isTold(3)).isTrue();
  }

  /**
   * Two groups whose nodes come and go, SQL nodes that are away, and what the watch makes of it.
   */
  private static final class History {
    static final int NODES = 4;

    final RandomGenerator random;
    final String[] process = {"0", "1", "2", "3"};
    final boolean[] lives = {true, true, true, true};
    final boolean[] reachable = {true, true, true, true};
    final boolean[] member = {true, true, true, true};
    final long[] view = {3, 3, 3, 3};
    final long[] viewSeen = {3, 3, 3, 3};
    final boolean[] sqlNodeAway = new boolean[SQL_NODES];
    final int[] refusals = new int[NODES];
    final int[][] asks = {{0, 1, 2, 3}, {0, 1, 2, 3}};
    WatchState state = WatchState.ofNodes(NODES);

    History(RandomGenerator random) {
      this.random = random;
    }

    void happens(boolean kills) {
      int node = random.nextInt(NODES);
      switch (random.nextInt(8)) {
        case 0, 1 -> reachable[node] = !reachable[node];
        case 2 -> leaves(node);
        case 3 -> comesBack(node);
        case 4 -> lives[node] = lives[node] && !kills;
        case 5 -> {
          if (!lives[node]) {
            lives[node] = true;
            process[node] += "'";
          }
        }
        case 6 -> sqlNodeAway[random.nextInt(SQL_NODES)] ^= true;
        default -> {}
      }
    }

    /** Its group goes on without it, and it may or may not know. */
    private void leaves(int node) {
      member[node] = random.nextBoolean();
      view[WatchState.partner(node)] = changes(node);
    }

    private void comesBack(int node) {
      long changed = changes(node);
      member[node] = true;
      view[node] = changed;
      view[WatchState.partner(node)] = changed;
    }

    private long changes(int node) {
      return Math.max(view[node], view[WatchState.partner(node)]) + 1;
    }

    void allIsWell() {
      Arrays.fill(reachable, true);
      for (int node = 0; node < NODES; node++) {
        comesBack(node);
      }
      Arrays.fill(sqlNodeAway, false);
    }

    Sight sight(int node) {
      if (!lives[node]) {
        return REFUSES;
      } else if (!reachable[node]) {
        return SILENT;
      }
      return member[node]
          ? new Sight.Member(process[node], view[node], random.nextInt(20) > 0)
          : OUTSIDE;
    }

    boolean hasRows(int node) {
      return lives[node] && process[node].length() == 1;
    }

    void look() {
      List<Sight> sights = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        sights.add(sight(node));
        if (hasRows(node) && reachable[node] && member[node]) {
          viewSeen[node] = view[node];
        }
        refusals[node] = lives[node] ? 0 : refusals[node] + 1;
      }
      WatchState before = state;
      WatchState.Step step = state.after(sights, SQL_NODES);
      state = step.state();
      for (int partition = 0; partition < NODES; partition++) {
        int server = state.places().get(partition).node();
        assertThat(server / 2).as("a node of the group").isEqualTo(partition / 2);
        if (server != before.places().get(partition).node()) {
          assertThat(hasRows(server) && reachable[server] && member[server])
              .as("partition %d goes to a member that has its rows", partition)
              .isTrue();
          assertThat(view[server])
              .as("the view of node %d", server)
              .isGreaterThanOrEqualTo(viewSeen[WatchState.partner(server)]);
        }
      }
      Set<Finding> ended = new HashSet<>();
      for (int node = 0; node < NODES; node += 2) {
        if (Math.min(refusals[node], refusals[node + 1]) == WatchState.REFUSALS_UNTIL_ENDED) {
          ended.add(new Finding(Kind.BOTH_HAVE_ENDED, node));
        }
      }
      assertThat(step.findings())
          .filteredOn(finding -> finding.kind() == Kind.BOTH_HAVE_ENDED)
          .containsExactlyInAnyOrderElementsOf(ended);
      step.orders().forEach(this::deliver);
    }

    /** An SQL node may be told, and the watch not learn of it. */
    private void deliver(Order order) {
      if (!sqlNodeAway[order.sqlNode()]) {
        asks[order.sqlNode()][order.partition()] = order.node();
        if (random.nextInt(5) > 0) {
          state = state.afterTelling(order);
        }
      }
    }

    void settles() {
      allIsWell();
      for (int each = 0; each < 400; each++) {
        look();
      }
      for (int partition = 0; partition < NODES; partition++) {
        int partner = WatchState.partner(partition);
        if (!hasRows(partition) && !hasRows(partner)) {
          continue;
        }
        int expected = hasRows(partition) ? partition : partner;
        for (int[] asksOfOne : asks) {
          assertThat(asksOfOne[partition]).as("partition %d", partition).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void whateverHappensPartitionsEndWhereTheirRowsAre() {
    for (long seed : Seeds.histories("WatchStateTest", 300)) {
      History history = new History(Seeds.generator(seed));
      history.look();
      boolean kills = history.random.nextBoolean();
      for (int each = 0; each < 300; each++) {
        if (history.random.nextInt(4) == 0) {
          history.happens(kills);
        }
        history.look();
      }
      history.settles();
    }
  }
}
