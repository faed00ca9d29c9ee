package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedList;
import org.terrace.collections.SetOptions;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Deltas;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * A list that is edited everywhere: in the end it holds what was inserted and not removed, in one
 * order in which each element still stands between those that it was inserted between.
 */
public final class ListScenario extends Scenario {
  private static final String NAME = "list";
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);

  private record Insertion(Dot dot, @Nullable String left, @Nullable String right) {}

  private final Map<String, ReplicatedList<String>> lists = new HashMap<>();
  private final Map<String, Insertion> insertions = new LinkedHashMap<>();
  private final Map<Dot, String> removals = new LinkedHashMap<>();

  ListScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** Lets an element that comes from elsewhere stand at the front now and then. */
  private static final class Misplaced extends WatchedState {
    private int puts;

    Misplaced(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean apply(
        long writer, long sequence, byte[] bytes, HybridClock clock, ChangeCause cause) {
      Delta delta = Deltas.decode(bytes);
      if (Deltas.isPutInto(delta, NAME) && ++puts % 5 == 0) {
        Position there = Position.CODEC.decode(new Decoder(delta.key()));
        Position front = Position.between(null, there, writer, sequence);
        byte[] key = Position.CODEC.toBytes(front);
        return super.apply(writer, sequence, Deltas.withKey(delta, key), clock, cause);
      }
      return super.apply(writer, sequence, bytes, clock, cause);
    }
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return Misplaced::new;
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    lists.put(node.name(), site.collections().list(NAME, LOCAL));
  }

  @Override
  void call(Site site, String name, int number) {
    ReplicatedList<String> list = lists.get(name);
    int size = list.size();
    if (size > 0 && random.nextInt(4) == 0) {
      String removed = list.remove(random.nextInt(size));
      removals.put(lastDot(site), removed);
      return;
    }
    int index = random.nextInt(3) == 0 ? size : random.nextInt(size + 1);
    String left = index == 0 ? null : list.get(index - 1);
    String right = index == size ? null : list.get(index);
    String element = "e" + number;
    if (index == size) {
      list.add(element);
    } else {
      list.add(index, element);
    }
    insertions.put(element, new Insertion(lastDot(site), left, right));
  }

  @Override
  void judge() {
    List<String> order = new ArrayList<>(lists.get("a"));
    cluster.names.forEach(name ->
        check(
            order.equals(lists.get(name)),
            "{} has the list {}, a {}",
            name,
            lists.get(name),
            order));
    List<Dot> dots = new ArrayList<>(removals.keySet());
    insertions.values().forEach(insertion -> dots.add(insertion.dot));
    if (isExact(dots)) {
      Set<String> expected = new TreeSet<>();
      insertions.forEach((element, insertion) -> {
        if (cluster.isApplied(insertion.dot)) {
          expected.add(element);
        }
      });
      removals.forEach((dot, element) -> {
        if (cluster.isApplied(dot)) {
          expected.remove(element);
        }
      });
      check(
          expected.equals(new TreeSet<>(order)) && expected.size() == order.size(),
          "the list is {}, expected in some order {}",
          order,
          expected);
    }
    insertions.forEach((element, insertion) -> {
      int at = order.indexOf(element);
      int left = order.indexOf(insertion.left);
      int right = order.indexOf(insertion.right);
      check(
          at < 0 || ((left < 0 || left < at) && (right < 0 || at < right)),
          "{} was inserted between {} and {}, which it does not stand between in {}",
          element,
          insertion.left,
          insertion.right,
          order);
    });
  }
}
