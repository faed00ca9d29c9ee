package org.terrace.collections.histories;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.replication.CollectionDestroyedException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codecs;

/**
 * Collections that are destroyed and made again while all write: what was put before is gone
 * everywhere, and what was put into a new one is there.
 */
public final class DestroyScenario extends Scenario {
  private static final List<String> NAMES = List.of("x", "y");
  private static final int PEACE_ROUNDS_MAX = 300;

  /** A put into one of the collections, and the destructions that its replica knew of. */
  private record Put(String name, String key, Dot dot, Set<Dot> known) {}

  /** A destruction that began, and the puts that had been made before, anywhere. */
  private record Destroyed(String name, Dot dot, Set<Dot> before) {}

  private final List<Put> puts = new ArrayList<>();
  private final List<Destroyed> destroyed = new ArrayList<>();
  private final Map<ReplicatedCollections, Map<String, ReplicatedMap<String, String>>> handles =
      new HashMap<>();

  DestroyScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  @Override
  public boolean destroysHastily() {
    return planted;
  }

  @Override
  void begin() {
    cluster.losesDisks = false;
    cluster.settle();
    cluster.simulation.runFor(300 * MILLI);
    cluster.forgetOldCheckpoints(); // which may be of before the members had met
    cluster.simulation.runFor(300 * MILLI);
  }

  @Override
  void call(Site site, String name, int number) {
    String collection = NAMES.get(random.nextInt(NAMES.size()));
    if (random.nextInt(6) == 0) {
      destroy(site, collection);
    } else {
      put(site, collection, "k" + number);
    }
  }

  private void destroy(Site site, String collection) {
    Dot last = lastDot(site);
    site.collections().destroy(collection, Duration.ZERO);
    if (!lastDot(site).equals(last)) {
      Set<Dot> before = new HashSet<>();
      puts.stream().filter(put -> put.name.equals(collection)).forEach(put -> before.add(put.dot));
      destroyed.add(new Destroyed(collection, lastDot(site), before));
    }
  }

  private void put(Site site, String collection, String key) {
    try {
      ReplicatedMap<String, String> map = handle(site, collection);
      map.withLevel(WriteLevel.LOCAL).putAsync(key, "v");
      Set<Dot> known = new HashSet<>();
      for (Destroyed one : destroyed) {
        if (site.state().applied().contains(one.dot.writer(), one.dot.sequence())) {
          known.add(one.dot);
        }
      }
      puts.add(new Put(collection, key, lastDot(site), known));
    } catch (CollectionDestroyedException e) {
      handles.computeIfAbsent(site.collections(), absent -> new HashMap<>()).remove(collection);
    }
  }

  private ReplicatedMap<String, String> handle(Site site, String collection) {
    return handles
        .computeIfAbsent(site.collections(), absent -> new HashMap<>())
        .computeIfAbsent(
            collection,
            absent ->
                site.collections()
                    .map(collection, MapOptions.of(Codecs.string(), Codecs.string())));
  }

  @Override
  void end() {
    for (int i = 0; i < PEACE_ROUNDS_MAX && !isOver(); i++) {
      cluster.simulation.runFor(100 * MILLI);
    }
  }

  /** Whether no destruction is under way anywhere: then every collection can be opened. */
  private boolean isOver() {
    for (Site site : cluster.running()) {
      for (String name : NAMES) {
        try {
          handle(site, name).forEach((key, value) -> {}); // fails if it was destroyed
        } catch (CollectionDestroyedException e) {
          handles.get(site.collections()).remove(name);
          return false;
        }
      }
    }
    return true;
  }

  @Override
  void judge() {
    check(isOver(), "a collection is still being destroyed");
    List<Dot> dots = new ArrayList<>();
    puts.forEach(put -> dots.add(put.dot));
    destroyed.forEach(one -> dots.add(one.dot));
    if (!violations.isEmpty() || !isExact(dots)) {
      return;
    }
    for (Site site : cluster.running()) {
      for (Put put : puts) {
        boolean isThere = handle(site, put.name).containsKey(put.key);
        check(!isThere || !isGone(put), "{} came back at {}", put, site.group().self());
        check(isThere || !isToBeThere(put), "{} is lost at {}", put, site.group().self());
      }
      check(
          site.state().collections() <= 3 + 2 * NAMES.size(), // maps go with their uses
          "something is left of destroyed collections at {}",
          site.group().self());
    }
  }

  /** Whether a destruction began after the put was made. */
  private boolean isGone(Put put) {
    return destroyed.stream()
        .anyMatch(one -> cluster.isApplied(one.dot) && one.before.contains(put.dot));
  }

  /** Whether each destruction that counts was over where the put was made. */
  private boolean isToBeThere(Put put) {
    return cluster.isApplied(put.dot)
        && destroyed.stream()
            .filter(one -> one.name.equals(put.name) && cluster.isApplied(one.dot))
            .allMatch(one -> put.known.contains(one.dot));
  }
}
