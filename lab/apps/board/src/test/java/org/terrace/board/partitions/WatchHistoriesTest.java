package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.terrace.board.partitions.WatchState.Finding;
import org.terrace.board.partitions.WatchState.Finding.Kind;
import org.terrace.board.partitions.WatchState.Order;
import org.terrace.testing.Seeds;

/** Random histories of data nodes, SQL nodes and watches. */
class WatchHistoriesTest {
  private static final Sight OUTSIDE = Sight.Away.OUTSIDE;
  private static final Sight REFUSES = Sight.Away.REFUSES;
  private static final Sight SILENT = Sight.Away.SILENT;

  /**
   * Two groups whose nodes come and go, SQL nodes that are away or cannot close their tables, a
   * watch that is started again, and what it makes of all that.
   */
  private static final class History {
    static final int SQL_NODES = 2;
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

    /** The places that the SQL nodes were told, and those that their open tables ask. */
    final int[][] asks = {{0, 1, 2, 3}, {0, 1, 2, 3}};

    final int[][] open = {{0, 1, 2, 3}, {0, 1, 2, 3}};

    /** The nodes that this watch saw to be able to serve. */
    final boolean[] wasGood = new boolean[NODES];

    int flushesOf20 = 15;
    WatchState state = WatchState.ofNodes(NODES, SQL_NODES);

    History(RandomGenerator random) {
      this.random = random;
    }

    void happens(boolean kills) {
      int node = random.nextInt(NODES);
      switch (random.nextInt(9)) {
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
        case 7 -> {
          // One that begins cannot know what was started anew before.
          if (!kills) {
            watchStartsAgain();
          }
        }
        default -> {}
      }
    }

    private void watchStartsAgain() {
      state = WatchState.ofNodes(NODES, SQL_NODES);
      Arrays.fill(wasGood, false);
      Arrays.fill(viewSeen, 0);
      Arrays.fill(refusals, 0);
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
      for (int sqlNode : state.unheard()) {
        if (!sqlNodeAway[sqlNode]) {
          state = state.afterHearing(sqlNode, Arrays.stream(asks[sqlNode]).boxed().toList());
        }
      }
      List<Sight> sights = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        sights.add(sight(node));
        if (hasRows(node) && reachable[node] && member[node]) {
          viewSeen[node] = view[node];
        }
        refusals[node] = lives[node] ? 0 : refusals[node] + 1;
      }
      for (int node = 0; node < NODES; node++) {
        wasGood[node] |=
            hasRows(node)
                && sights.get(node) instanceof Sight.Member seen
                && seen.synced()
                && view[node] >= viewSeen[WatchState.partner(node)];
      }
      WatchState before = state;
      WatchState.Step step = state.after(sights);
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
      for (Order order : step.orders()) {
        assertThat(wasGood[order.node()]).as("%s was seen to serve", order).isTrue();
      }
      step.orders().stream().collect(Collectors.groupingBy(Order::sqlNode)).forEach(this::deliver);
    }

    /**
     * An SQL node may be told, and not close its tables in time, or the watch not learn that it
     * did.
     */
    private void deliver(int sqlNode, List<Order> orders) {
      if (sqlNodeAway[sqlNode]) {
        return;
      }
      orders.forEach(order -> asks[sqlNode][order.partition()] = order.node());
      if (random.nextInt(20) < flushesOf20) {
        open[sqlNode] = asks[sqlNode].clone();
        if (random.nextInt(20) < flushesOf20) {
          orders.forEach(order -> state = state.afterTelling(order));
        }
      }
    }

    /** Of each group one node is lost for long: what the SQL nodes have open asks the other. */
    void losesOneOfEach(boolean kills) {
      allIsWell();
      for (int node = 0; node < NODES; node += 2) {
        int kept = node + random.nextInt(2);
        if (hasRows(kept) && hasRows(WatchState.partner(kept))) {
          reachable[WatchState.partner(kept)] = false;
        }
      }
      if (!kills && random.nextBoolean()) {
        // The watch ends when the SQL nodes know the new places, and have closed no table.
        flushesOf20 = 0;
        look();
        look();
        look();
        watchStartsAgain();
      }
      lookForLong(40);
      for (int partition = 0; partition < NODES; partition++) {
        int partner = WatchState.partner(partition);
        if (hasRows(partition) && hasRows(partner)) {
          int kept = reachable[partition] ? partition : partner;
          for (int[] openAtOne : open) {
            assertThat(openAtOne[partition]).as("partition %d", partition).isEqualTo(kept);
          }
        }
      }
    }

    private void lookForLong(int looks) {
      flushesOf20 = 20;
      for (int each = 0; each < looks; each++) {
        look();
      }
      flushesOf20 = 15;
    }

    void settles() {
      allIsWell();
      lookForLong(400);
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
    for (long seed : Seeds.histories("WatchHistoriesTest", 300)) {
      History history = new History(Seeds.generator(seed));
      history.look();
      boolean kills = history.random.nextBoolean();
      for (int each = 0; each < 300; each++) {
        if (history.random.nextInt(4) == 0) {
          history.happens(kills);
        }
        history.look();
      }
      history.losesOneOfEach(kills);
      history.settles();
      history.losesOneOfEach(kills);
    }
  }
}
