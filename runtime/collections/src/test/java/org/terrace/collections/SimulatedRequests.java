package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Replicas that run the same requests on a counter, a map and a queue, what was answered, and what
 * must hold at the end.
 */
final class SimulatedRequests {
  static final long MILLI = 1_000_000;

  /** One request: adds one to its key's counter, puts its name at the key and offers it. */
  static final class Request {
    final RequestIdentity identity;
    final String key;
    final Set<String> ranAt = new HashSet<>();
    final Set<String> answeredAt = new HashSet<>();
    final Set<String> replies = new HashSet<>();
    boolean refused;

    Request(RequestIdentity identity, String key) {
      this.identity = identity;
      this.key = key;
    }
  }

  /** A running replica. */
  record Site(
      ReplicatedCollections collections,
      RequestDeduplication deduplication,
      ReplicatedCounters<String> counts,
      ReplicatedMap<String, String> last,
      ReplicatedQueue<String> done) {}

  final Simulation simulation;
  private final Function<LocalWrites, DecidedTwice> decidedTwice;
  final List<String> names;
  final Map<String, Site> sites = new TreeMap<>();
  final Map<RequestIdentity, Request> requests = new HashMap<>();
  int crashes;
  private long latestMillis = Long.MIN_VALUE;
  private long earliestMillis = Long.MAX_VALUE;

  SimulatedRequests(
      long seed,
      SimulationOptions network,
      int replicas,
      Function<LocalWrites, DecidedTwice> decidedTwice) {
    this.decidedTwice = decidedTwice;
    simulation = new Simulation(seed, network);
    names = List.of("a", "b", "c", "d").subList(0, replicas);
    for (String name : names) {
      simulation.addNode(name, this::start);
    }
  }

  private void start(SimulatedNode node) {
    crashes += sites.containsKey(node.name()) ? 1 : 0;
    SimulatedGroup group = new SimulatedGroup(node, MembershipOptions.defaults(), names);
    CollectionsOptions defaults = CollectionsOptions.defaults();
    ReplicatedCollections collections =
        ReplicatedCollections.open(
            group,
            new CollectionsOptions(
                Duration.ofMillis(100),
                defaults.writeTimeout(),
                Duration.ZERO,
                defaults.clockSkewMax(),
                simulation.random().nextBoolean() ? 1 << 20 : 1_000,
                16 << 10,
                simulation.random(),
                node.time()));
    sites.put(
        node.name(),
        new Site(
            collections,
            RequestDeduplication.open(
                collections,
                "test",
                WriteLevel.LOCAL,
                decidedTwice.apply(collections.replica().writes())),
            collections.counters("counts", new SetOptions<>(Codecs.string(), WriteLevel.LOCAL)),
            collections.map(
                "last",
                MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL)),
            collections.queue("done", new SetOptions<>(Codecs.string(), WriteLevel.LOCAL))));
  }

  /** Runs the request at a replica; says whether it replied. */
  boolean run(Request request, String name, boolean answers) {
    SimulatedNode node = simulation.node(name);
    if (!node.isRunning() || node.isPaused()) {
      return false;
    }
    requests.put(request.identity, request);
    Site site = sites.get(name);
    noteClock(site);
    try {
      Optional<byte[]> reply =
          site.deduplication.execute(
              request.identity,
              answers,
              () -> {
                request.ranAt.add(name);
                site.counts.add(request.key, 1);
                site.last.put(request.key, request.identity.toString());
                assertThat(site.done.offer(request.identity.toString())).isTrue();
                return new byte[] {(byte) (request.refused ? 0 : 1), (byte) name.charAt(0)};
              },
              bytes -> bytes[0] == 1);
      if (answers && reply.isPresent()) {
        request.answeredAt.add(name);
        request.replies.add(String.valueOf((char) reply.get()[1]));
      }
      return reply.isPresent();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  boolean hasConverged() {
    Site first = sites.get(names.getFirst());
    ReplicaState state = first.collections.state();
    for (Site site : sites.values()) {
      ReplicaState other = site.collections.state();
      if (site.deduplication.metrics().undecided() > 0
          || !other.applied().covers(state.applied())
          || !state.applied().covers(other.applied())
          || other.fingerprint() != state.fingerprint()) {
        return false;
      }
    }
    return true;
  }

  /** The sentences about what is wrong at the end; none if all is well. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    if (!hasConverged()) {
      violations.add("the replicas did not converge: " + undecided());
      return violations;
    }
    Site first = sites.get(names.getFirst());
    for (Site site : sites.values()) {
      if (!site.counts.toMap().equals(first.counts.toMap())) {
        violations.add("counts differ: " + site.counts + " and " + first.counts);
      }
      if (!site.last.equals(first.last)) {
        violations.add("maps differ: " + site.last + " and " + first.last);
      }
      if (site.collections.metrics().silentDivergences() > 0) {
        violations.add("replicas with the same updates differed");
      }
    }
    checkCounts(first, violations);
    return violations;
  }

  private String undecided() {
    StringBuilder text = new StringBuilder();
    sites.forEach((name, site) ->
        text.append(name).append(' ').append(site.deduplication.metrics()).append(' '));
    return text.toString();
  }

  /** Whether wall clocks were ever so far apart that records may be taken for expired. */
  private boolean forgetful() {
    sites.values().forEach(this::noteClock);
    return latestMillis - earliestMillis >= Duration.ofHours(3).toMillis();
  }

  private void noteClock(Site site) {
    long millis = site.collections.replica().writes().nowMillis();
    latestMillis = Math.max(latestMillis, millis);
    earliestMillis = Math.min(earliestMillis, millis);
  }

  /**
   * Checks that a request that ran counts once or not at all; without crashes, an answered one
   * counts.
   */
  private void checkCounts(Site site, List<String> violations) {
    Map<String, Integer> least = new TreeMap<>();
    Map<String, Integer> most = new TreeMap<>();
    for (Request request : requests.values()) {
      if (!request.refused && !request.ranAt.isEmpty()) {
        boolean lossless = crashes == 0 && !request.answeredAt.isEmpty();
        least.merge(request.key, lossless ? 1 : 0, Integer::sum);
        most.merge(request.key, forgetful() ? request.ranAt.size() : 1, Integer::sum);
      }
    }
    least.forEach((key, count) -> {
      long found = site.counts.get(key);
      if (found < count || found > most.get(key)) {
        violations.add(
            "%s is %d; expected %d to %d; crashes %d"
                .formatted(key, found, count, most.get(key), crashes));
      }
    });
    Set<String> offered = new HashSet<>();
    for (String element : site.done) {
      if (!offered.add(element) && !forgetful()) {
        violations.add(element + " was offered twice");
      }
    }
    for (Request request : requests.values()) {
      if (crashes == 0 && request.replies.size() > names.size()) {
        violations.add(request.identity + " was answered as " + request.replies);
      }
    }
  }
}
