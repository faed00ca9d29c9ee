package org.terrace.collections;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.CoreMaker;
import org.terrace.collections.gossip.GossipBudget;
import org.terrace.collections.gossip.Message;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.VersionedKind;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Replicas of one map on simulated nodes, a record of all that was done to it, and what must hold
 * at the end.
 *
 * <p>The oracles know only what callers know (which values each call saw and put) and which updates
 * the replicas say they have applied.
 */
public final class SimulatedCluster {
  public static final long MILLI = 1_000_000;
  public static final long SECOND = 1_000 * MILLI;
  private static final long CHECKPOINT_NANOS = 150 * MILLI;

  /** Longer than the members need to find each other after all faults are undone. */
  public static final int ROUNDS_OVER = 30;

  private static final String CHECKPOINT = "checkpoint";
  private static final String OLD_CHECKPOINT = "old checkpoint";

  /** An addition that a kind of history makes to each replica. */
  public interface Addition {
    /** Opens the group of a node that starts. */
    default SimulatedGroup group(SimulatedNode node, List<String> names) {
      return new SimulatedGroup(node, MembershipOptions.defaults(), names);
    }

    /** The making of the core of a replica that has that state. */
    default CoreMaker cores(ReplicaState state, CollectionsOptions options) {
      return AntiEntropy::new;
    }

    /** Whether a replica that destroys a collection takes its own knowledge for everybody's. */
    default boolean destroysHastily() {
      return false;
    }

    /** The means by which a replica destroys collections. */
    default Destruction destruction(Replica replica, ReplicaState state) {
      return destroysHastily()
          ? new PlantedFaults.Hasty(replica, state)
          : new Destruction(replica, state);
    }

    /** Opens collections beside the map, at a replica that has just started. */
    default void started(SimulatedNode node, Site site) {}
  }

  /** A running replica. */
  public record Site(
      SimulatedGroup group, ReplicatedCollections collections, ReplicatedMap<String, String> map) {
    public ReplicaState state() {
      return collections.state();
    }

    public Replica replica() {
      return collections.replica();
    }
  }

  public final Simulation simulation;
  public final List<String> names;
  public final Map<String, Site> sites = new TreeMap<>();
  public final List<Call> calls = new ArrayList<>();
  public final List<Reconciliation> reconciliations = new ArrayList<>();
  private final List<String> premature = new ArrayList<>();
  private final LongFunction<ReplicaState> newState;
  private final long logBytesMax;
  private final Duration gossipPeriod;
  public final RetiredIncarnations retired = new RetiredIncarnations();
  private long crashes;
  private final int roundsOver;
  private final Addition addition;
  public long restored;
  public boolean restoresCheckpoints = true;

  /** Whether a node that may start from an old checkpoint may start with nothing, too. */
  public boolean losesDisks = true;

  /** Whether replicas are damaged on purpose, so that an audit has to find it. */
  public boolean isDamaged;

  /** The node of that name has a slow disk: it does not come to discard its checkpoint. */
  public String holdsCheckpointOf = "";

  /** Plants a fault: the checkpoint of the node of that name outlives its departure. */
  public String keepsCheckpointOf = "";

  /** Calls that were refused, where a history lets that happen. */
  long refused;

  public boolean mayRefuse;

  /** Nodes that now and then start with nothing, or from an old checkpoint. */
  public Set<String> losesCheckpoints;

  public SimulatedCluster(
      long seed,
      SimulationOptions network,
      int nodes,
      long logBytesMax,
      LongFunction<ReplicaState> newState) {
    this(seed, network, nodes, logBytesMax, newState, ROUNDS_OVER);
  }

  public SimulatedCluster(
      long seed,
      SimulationOptions network,
      int nodes,
      long logBytesMax,
      LongFunction<ReplicaState> newState,
      int roundsOver) {
    this(seed, network, nodes, 0, logBytesMax, newState, roundsOver, new Addition() {});
  }

  /** With so many nodes more that {@link #join} later. */
  public SimulatedCluster(
      long seed,
      SimulationOptions network,
      int nodes,
      int late,
      long logBytesMax,
      LongFunction<ReplicaState> newState,
      int roundsOver,
      Addition addition) {
    this.roundsOver = roundsOver;
    this.addition = addition;
    this.simulation = new Simulation(seed, network);
    this.names = List.of("a", "b", "c", "d", "e", "f").subList(0, nodes + late);
    this.losesCheckpoints = Set.copyOf(names);
    this.logBytesMax = logBytesMax;
    this.newState = newState;
    this.gossipPeriod = Duration.ofMillis(100);
    names.subList(0, nodes).forEach(this::join);
  }

  /** Starts a node of that name for the first time. */
  public void join(String name) {
    simulation.addNode(name, this::start);
  }

  /**
   * Plants a fault: now and then a member says that it has more of another's updates than it has.
   */
  public void forgeAcknowledgements() {
    for (SimulatedNode node : simulation.nodes()) {
      node.every(
          20 * MILLI,
          () -> {
            Site site = sites.get(node.name());
            for (Member other : site.group.view().others()) {
              long floor = site.state().applied().floor(other.id());
              Encoder out = new Encoder();
              out.putByte(Message.ACK);
              out.putUnsigned(floor + 1);
              VersionedKind.setVersion(out.array(), site.group.protocol().with(other));
              site.group.send(other, Group.COLLECTIONS_CHANNEL, out.asBuffer());
            }
          });
    }
  }

  public static SimulatedCluster calm(int nodes) {
    return new SimulatedCluster(1, SimulationOptions.calm(), nodes, 64 << 20, WatchedState::new);
  }

  private void start(SimulatedNode node) {
    if (sites.containsKey(node.name())) {
      crashes++;
    }
    SimulatedGroup group = addition.group(node, names);
    CollectionsOptions defaults = CollectionsOptions.defaults();
    CollectionsOptions options =
        new CollectionsOptions(
            gossipPeriod,
            defaults.writeTimeout(),
            Duration.ZERO,
            defaults.clockSkewMax(),
            logBytesMax,
            16 << 10,
            simulation.random(),
            node.time());
    ReplicaState state = newState.apply(logBytesMax);
    if (state instanceof WatchedState watched) {
      watched.watch(retired, roundsOver);
    }
    restore(node, state, options);
    ReplicatedCollections collections =
        ReplicatedCollections.open(
            new Replica(group, options, state, addition.cores(state, options)),
            state,
            addition::destruction);
    node.every(CHECKPOINT_NANOS, () -> checkpoint(node, collections));
    collections.onReconciliation(reconciliations::add);
    ReplicatedMap<String, String> map =
        collections.map("test", MapOptions.of(Codecs.string(), Codecs.string()));
    Site site = new Site(group, collections, map);
    sites.put(node.name(), site);
    addition.started(node, site);
  }

  /**
   * Keeps the first checkpoint of each incarnation beside the latest, so that old ones are restored
   * too; none of one that has handed over.
   */
  private void checkpoint(SimulatedNode node, ReplicatedCollections collections) {
    if (collections.isHandedOver() && !node.name().equals(holdsCheckpointOf)) {
      if (!node.name().equals(keepsCheckpointOf)) {
        node.disk().clear();
      }
      collections.replica().checkpointDiscarded();
      return;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      collections.checkpoint().write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    node.disk().putIfAbsent(OLD_CHECKPOINT, out.toByteArray());
    node.disk().put(CHECKPOINT, out.toByteArray());
  }

  /** The updates that a node had applied when it last wrote a checkpoint. */
  public VersionVector checkpointOf(String name) {
    ReplicaState state = new ReplicaState(0);
    SimulatedNode node = simulation.node(name);
    byte[] bytes = node.disk().get(CHECKPOINT);
    if (bytes != null) {
      read(bytes, state, new HybridClock(StepTime.of(node.time()), Duration.ofHours(1).toMillis()));
    }
    return state.applied();
  }

  private static void read(byte[] checkpoint, ReplicaState state, HybridClock clock) {
    try {
      Checkpoint.read(new ByteArrayInputStream(checkpoint), state, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void restore(SimulatedNode node, ReplicaState state, CollectionsOptions options) {
    boolean mayLose = losesCheckpoints.contains(node.name());
    boolean old = mayLose && simulation.random().nextBoolean();
    boolean loses = mayLose && losesDisks && simulation.random().nextInt(3) == 0;
    byte[] checkpoint = node.disk().get(old ? OLD_CHECKPOINT : CHECKPOINT);
    if (checkpoint != null && restoresCheckpoints && !loses) {
      read(
          checkpoint,
          state,
          new HybridClock(StepTime.of(node.time()), options.clockSkewMax().toMillis()));
      restored++;
    }
  }

  public Site site(String name) {
    return sites.get(name);
  }

  private Site first() {
    return sites.values().iterator().next();
  }

  /** The process of that name has ended for good. */
  public void gone(String name) {
    simulation.node(name).crash();
    sites.remove(name);
    crashes++;
  }

  public List<Site> running() {
    return sites.entrySet().stream()
        .filter(site -> simulation.node(site.getKey()).isRunning())
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Lets the members find each other. */
  public void settle() {
    if (!simulation.runUntil(
        () ->
            sites.values().stream().allMatch(s -> s.group.view().members().size() == names.size()),
        10 * SECOND)) {
      throw new AssertionError("the members did not find each other");
    }
  }

  /**
   * Puts (or removes, for a null value) and remembers it, unless the node is down or stands still.
   */
  public void call(String name, String key, String value, WriteLevel level) {
    if (!isAtWork(name)) {
      return;
    }
    Site site = sites.get(name);
    if (mayRefuse && site.group.exclusion().isPresent()) {
      refused++;
      return;
    }
    ReplicatedMap<String, String> map = site.map.withLevel(level);
    Set<String> seen = new TreeSet<>(map.values(key));
    if (value == null && seen.isEmpty()) {
      return;
    }
    Acknowledgement acknowledgement =
        value == null ? map.removeAsync(key) : map.putAsync(key, value);
    long writer = site.collections.replica().writes().writer();
    Dot dot = new Dot(writer, site.state().applied().last(writer));
    Call call = new Call(key, seen, value, dot, acknowledgement, level.holders(), crashes);
    if (level.everyMember()) {
      call.asked = site.collections.replica().askedMembers();
    }
    calls.add(call);
  }

  /** Whether the node has started, has not crashed, and does not stand still. */
  public boolean isAtWork(String name) {
    return sites.containsKey(name)
        && simulation.node(name).isRunning()
        && !simulation.node(name).isPaused();
  }

  /** Those of the members that are asked for since the call was made that lack the update. */
  private Set<Long> lacking(Call call) {
    Set<Long> lacking = new TreeSet<>();
    Site writer = siteOf(call.dot.writer());
    if (writer == null) {
      return lacking;
    }
    Map<Long, Long> asked = writer.collections.replica().askedMembers();
    for (Site other : sites.values()) {
      long id = other.group.self().id();
      Long since = call.asked.get(id);
      if (since != null
          && since.equals(asked.get(id))
          && simulation.node(other.group.self().name()).isRunning()
          && !other.state().applied().contains(call.dot.writer(), call.dot.sequence())) {
        lacking.add(id);
      }
    }
    return lacking;
  }

  private @Nullable Site siteOf(long writer) {
    return sites.values().stream()
        .filter(site -> site.group.self().id() == writer)
        .findFirst()
        .orElse(null);
  }

  /** Notes who holds what has been acknowledged since the last time. */
  public void noteAcknowledgements() {
    for (Call call : calls) {
      if (!call.acknowledged && call.acknowledgement.isAcknowledged()) {
        call.acknowledged = true;
        for (Map.Entry<String, Site> site : sites.entrySet()) {
          if (simulation.node(site.getKey()).isRunning() && holds(site.getValue(), call.dot)) {
            call.holders.put(site.getKey(), site.getValue().group.self().id());
          }
        }
        if (!lacking(call).isEmpty()) {
          premature.add(call.dot + " is acknowledged at ALL and lacks at " + lacking(call));
        }
        if (call.holders.size() + (crashes - call.crashesBefore) + downNow() < call.level) {
          premature.add(
              "%s was acknowledged at level %d and is held by %s"
                  .formatted(call.dot, call.level, call.holders));
        }
      }
    }
  }

  /**
   * Whether the replica has the update. That all of a retired writer's count as applied says
   * nothing: it has those that were known when the writer was retired.
   */
  private boolean holds(Site site, Dot dot) {
    VersionVector applied = site.state().applied();
    return applied.roster().isRetired(dot.writer())
        ? retired.contains(dot)
        : applied.contains(dot.writer(), dot.sequence());
  }

  /** Whether any replica has ended, with what only it may have had. */
  public boolean hasCrashed() {
    return crashes > 0;
  }

  private long downNow() {
    return simulation.nodes().stream().filter(node -> !node.isRunning()).count();
  }

  public boolean hasConverged() {
    Site first = first();
    for (Site site : sites.values()) {
      if (!site.state().applied().covers(first.state().applied())
          || !first.state().applied().covers(site.state().applied())
          || site.state().fingerprint() != first.state().fingerprint()) {
        return false;
      }
    }
    return true;
  }

  /** The sentences about what is wrong at the end; none if all is well. */
  public List<String> violations() {
    List<String> violations = new ArrayList<>(premature);
    if (!hasConverged()) {
      violations.add("the replicas did not converge");
      return violations;
    }
    for (Site site : sites.values()) {
      if (!isDamaged && site.collections.metrics().silentDivergences() > 0) {
        violations.add("replicas with the same updates differed at " + site.group.self());
      }
      CollectionsMetrics counters = site.collections.metrics();
      if (counters.gossipMessagesARoundMax() > GossipBudget.MESSAGES_A_ROUND_MAX) {
        violations.add(
            counters.gossipMessagesARoundMax() + " messages in one round at " + site.group.self());
      }
      if (counters.malformedMessages() > 0) {
        violations.add("malformed messages at " + site.group.self());
      }
    }
    checkAcknowledged(violations);
    checkContents(violations);
    return violations;
  }

  private void checkAcknowledged(List<String> violations) {
    for (Call call : calls) {
      boolean holderSurvived =
          call.holders.entrySet().stream()
              .anyMatch(holder ->
                  sites.containsKey(holder.getKey())
                      && sites.get(holder.getKey()).group.self().id() == holder.getValue());
      if (call.acknowledged && holderSurvived && !isApplied(call.dot)) {
        violations.add("lost: " + call.key + "=" + call.value + " " + call.dot);
      }
    }
  }

  private void checkContents(List<String> violations) {
    Map<String, Map<String, Set<String>>> contents = new TreeMap<>();
    for (Site site : sites.values()) {
      Map<String, Set<String>> actual = new TreeMap<>();
      for (String key : site.map.keySet()) {
        actual.put(key, new TreeSet<>(site.map.values(key)));
      }
      contents.put(site.group.self().toString(), actual);
    }
    violations.addAll(Call.contentViolations(calls, this::isApplied, contents, lostKeys()));
  }

  /** Whether the replicas have applied the update, or had when its writer was retired. */
  public boolean isApplied(Dot dot) {
    return holds(first(), dot);
  }

  /**
   * Keys of updates that were lost with a crash before their writer was retired: an old checkpoint
   * may have brought them back since, and then only what they superseded stays superseded. Also
   * those of the updates by which replicas do so.
   */
  private Set<String> lostKeys() {
    VersionVector applied = first().state().applied();
    Set<Dot> called = new HashSet<>();
    calls.forEach(call -> called.add(call.dot));
    Set<String> keys = retired.repairedKeys(called);
    for (Call call : calls) {
      if (applied.roster().isRetired(call.dot.writer()) && !isApplied(call.dot)) {
        keys.add(call.key);
      }
    }
    return keys;
  }

  /** Lets the next checkpoint of each node be the old one that it may start from. */
  public void forgetOldCheckpoints() {
    simulation.nodes().forEach(node -> node.disk().remove(OLD_CHECKPOINT));
  }

  /** The largest number of writers in any replica's version vector. */
  public long writersMax() {
    return sites.values().stream()
        .mapToLong(site -> site.state().applied().writers().size())
        .max()
        .orElseThrow();
  }

  /** Lets so much time pass without any call that all incarnations that are over can be retired. */
  public void quiesce() {
    int rounds = 2 * roundsOver + 50;
    for (int i = 0; i < rounds && (writersMax() > names.size() || !hasConverged()); i++) {
      simulation.runFor(gossipPeriod.toNanos());
    }
  }
}
