package org.terrace.collections;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.Departure;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.EntryUse;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.Ticket;
import org.terrace.collections.structures.Turn;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Group;

/**
 * This process's replica of the group's collections.
 *
 * <p>Collections are known by name across the group; a process that has not opened one keeps its
 * copy all the same, so that what others put there survives. Thread-safe.
 */
public final class ReplicatedCollections implements AutoCloseable {
  private static final long POLL_NANOS = 200_000;

  private final Replica replica;
  private final Destruction destruction;
  private final ReplicaState state;
  private final TimeSource time;
  private final Object checkpointing = new Object();
  private volatile Runnable endMetrics = () -> {};
  private volatile @Nullable Checkpointer checkpointer;

  private ReplicatedCollections(
      Replica replica, Destruction destruction, ReplicaState state, TimeSource time) {
    this.replica = replica;
    this.destruction = destruction;
    this.state = state;
    this.time = time;
  }

  /** Opens the replica of this member; one a group. The group stays the caller's to close. */
  public static ReplicatedCollections open(Group group, CollectionsOptions options) {
    ReplicatedCollections opened = open(group, options, new ReplicaState(options.logBytesMax()));
    opened.endMetrics = MetricsEvent.begin(opened.replica, group.self().name());
    return opened;
  }

  /**
   * Opens the replica of this member with what its checkpoint holds, and writes a new one now and
   * again and at the end.
   *
   * @throws TerraceException if the checkpoint is damaged, or is of this very incarnation
   */
  public static ReplicatedCollections open(
      Group group, CollectionsOptions options, CheckpointFile checkpoint) {
    ReplicaState state = new ReplicaState(options.logBytesMax());
    HybridClock clock =
        new HybridClock(StepTime.of(options.time()), options.clockSkewMax().toMillis());
    Checkpoint.read(checkpoint.path(), state, clock);
    ReplicatedCollections opened = open(group, options, state);
    Checkpointer checkpointer = new Checkpointer(opened, checkpoint, group.self().name());
    opened.checkpointer = checkpointer;
    opened.endMetrics = MetricsEvent.begin(opened.replica, group.self().name());
    checkpointer.start();
    return opened;
  }

  static ReplicatedCollections open(Group group, CollectionsOptions options, ReplicaState state) {
    return open(new Replica(group, options, state, AntiEntropy::new), state, Destruction::new);
  }

  static ReplicatedCollections open(
      Replica replica, ReplicaState state, BiFunction<Replica, ReplicaState, Destruction> making) {
    long incarnation = replica.writes().writer();
    if (state.applied().last(incarnation) > 0 || state.applied().roster().isRetired(incarnation)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "the checkpoint holds updates of "
              + replica.view().self()
              + ", whose identity must not be used again: close the group and open it anew");
    }
    state.liveEntries().forEach(live -> replica.writes().clock().observe(live.stamp()));
    Destruction destruction = replica.within(() -> making.apply(replica, state));
    replica.start();
    return new ReplicatedCollections(replica, destruction, state, replica.options().time());
  }

  /**
   * Opens the map of that name.
   *
   * @throws IllegalArgumentException if a collection of that name is open here already, or the name
   *     has the character U+0000
   * @throws org.terrace.collections.replication.CollectionDestroyedException if it is being
   *     destroyed
   */
  public <K, V> ReplicatedMap<K, V> map(String name, MapOptions<K, V> options) {
    return openMap(
        name, options, new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), ReplicatedMap::new);
  }

  /** Opens the sorted map of that name, in the given order of keys. */
  public <K, V> ReplicatedSortedMap<K, V> sortedMap(
      String name, MapOptions<K, V> options, Comparator<? super K> order) {
    ConcurrentSkipListMap<K, Version> slots = new ConcurrentSkipListMap<>(order);
    return openMap(
        name,
        options,
        slots,
        new ConcurrentSkipListMap<>(order),
        updates -> new ReplicatedSortedMap<>(updates, slots, order, null, null));
  }

  /** Opens the set of that name. */
  public <E> ReplicatedSet<E> set(String name, SetOptions<E> options) {
    return open(
        name,
        options.toMapOptions(Codecs.present()),
        new ConcurrentHashMap<>(),
        updates -> new ReplicatedSet<>(new ReplicatedMap<>(updates)));
  }

  /** Opens the counters of that name. */
  public <K> ReplicatedCounters<K> counters(String name, SetOptions<K> options) {
    MapOptions<ReplicatedCounters.Place<K>, Long> places =
        new SetOptions<>(ReplicatedCounters.codec(options.elements()), options.level())
            .toMapOptions(Codecs.longs());
    return open(name, places, new ConcurrentHashMap<>(), ReplicatedCounters::new);
  }

  /** Opens the single counter of that name. */
  public ReplicatedCounter counter(String name, WriteLevel level) {
    return new ReplicatedCounter(counters(name, new SetOptions<>(Codecs.string(), level)));
  }

  /** Opens the list of that name. */
  public <E> ReplicatedList<E> list(String name, SetOptions<E> options) {
    ConcurrentSkipListMap<Position, Version> slots = new ConcurrentSkipListMap<>();
    return open(
        name,
        MapOptions.of(Position.CODEC, options.elements()).withLevel(options.level()),
        slots,
        updates -> {
          Store<Position, ListPlace> places =
              state.open(
                  name + ListPlace.STORE_SUFFIX,
                  Position.CODEC,
                  ListPlace.CODEC,
                  new ConcurrentHashMap<>());
          ListOrder order = new ListOrder(updates.store(), slots, places);
          Renumbering.employ(replica, order, updates.store(), places);
          return new ReplicatedList<>(updates, order, places);
        });
  }

  /** Opens the queue of that name. */
  public <E> ReplicatedQueue<E> queue(String name, SetOptions<E> options) {
    return open(
        name,
        MapOptions.of(Ticket.CODEC, options.elements()).withLevel(options.level()),
        new ConcurrentSkipListMap<>(),
        updates -> {
          Store<Ticket, Turn> turns =
              state.open(
                  name + QueueTurns.STORE_SUFFIX,
                  Ticket.CODEC,
                  Turn.CODEC,
                  new ConcurrentSkipListMap<>());
          return new ReplicatedQueue<>(updates, new QueueTurns<>(replica, updates, turns));
        });
  }

  private <K, V, C> C open(
      String name,
      MapOptions<K, V> options,
      ConcurrentMap<K, Version> slots,
      Function<Updates<K, V>, C> collection) {
    return replica.within(() -> {
      destruction.checkMayOpen(name);
      Store<K, V> store = state.open(name, options.keys(), options.values(), slots);
      return collection.apply(new Updates<>(replica, replica.writes(), store, options, null));
    });
  }

  private <K, V, C> C openMap(
      String name,
      MapOptions<K, V> options,
      ConcurrentMap<K, Version> slots,
      ConcurrentMap<K, Version> useSlots,
      Function<Updates<K, V>, C> collection) {
    return replica.within(() -> {
      destruction.checkMayOpen(name);
      Store<K, V> store = state.open(name, options.keys(), options.values(), slots);
      Store<K, EntryUse> uses =
          state.open(name + EntryUse.STORE_SUFFIX, options.keys(), EntryUse.CODEC, useSlots);
      Lifetimes<K, V> lifetimes = new Lifetimes<>(replica, store, uses, options);
      return collection.apply(new Updates<>(replica, replica.writes(), store, options, lifetimes));
    });
  }

  /**
   * Destroys the collection of that name, of whatever type, on all replicas; says whether that was
   * done in time. At once on this replica, and wherever it gets to know on others, calls on the
   * collection fail, and none of the name can be opened. It is done when all known replicas have
   * been members at one time and agreed, usually within a second; then a collection of the name can
   * be opened anew, is empty, and nothing is kept of the old one. What was put into it by a replica
   * that had not heard of it yet is gone, too, whatever level confirmed it. While a known replica
   * is away it is not done: it goes on when that returns or is forgotten ({@link #forget}). Nor is
   * it, and it does not go on, if this replica is forgotten itself meanwhile.
   *
   * @throws IllegalArgumentException if the name has the character U+0000
   * @throws org.terrace.collections.replication.WriteRefusedException if this member is shut out
   */
  public boolean destroy(String name, Duration timeout) {
    replica.within(() -> {
      destruction.begin(name);
      return null;
    });
    return await(() -> destruction.isDone(name), timeout);
  }

  /** Sets what hears of each repair that changed something; it must not block, and may throw. */
  public void onReconciliation(Consumer<Reconciliation> upcall) {
    replica.onReconciliation(upcall);
  }

  /** Writes a checkpoint now; not to be restored once this replica has left. */
  public void writeCheckpoint(Path file) {
    synchronized (checkpointing) {
      checkpoint().write(file);
    }
  }

  Checkpoint checkpoint() {
    return replica.within(() -> new Checkpoint(state));
  }

  /**
   * The time of day that the replicas agree about, in milliseconds since 1970: entries expire by
   * it, and code that keeps times in a collection uses it. One wild clock of three moves nobody's.
   */
  public long agreedEpochMillis() {
    return replica.within(() -> replica.writes().nowMillis());
  }

  /**
   * Makes updates of these collections, of whatever type, without waiting for the other replicas,
   * as {@link AsyncMap} does for maps: they are made here, in the caller's thread, before this
   * returns.
   *
   * @param call for example an addition to a counter
   * @return what completes with the call's result once its updates are acknowledged
   */
  public <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call) {
    return replica.submit(call);
  }

  /** The token of all that this replica has applied by now. */
  public SessionToken token() {
    Encoder out = new Encoder();
    replica.within(() -> {
      state.applied().encode(out);
      return null;
    });
    return new SessionToken(out.toBytes());
  }

  /** Waits until this replica has applied all that the token names; says whether it has. */
  public boolean await(SessionToken token, Duration timeout) {
    VersionVector wanted = token.toVector();
    return await(() -> state.applied().covers(wanted), timeout);
  }

  /**
   * Waits until this replica has applied all that the other members of its view were last heard to
   * have; says whether it has. A server that has just joined calls it before it answers requests.
   * True at once for a replica that sees itself alone.
   */
  public boolean awaitCaughtUp(Duration timeout) {
    return await(() -> replica.antiEntropy().isCaughtUpSince(-1), timeout);
  }

  /**
   * A look at whether what there was up to now is all here: true once nobody is missing ({@link
   * org.terrace.groups.View#isComplete}; those neither, without an expected size, whom the
   * checkpoint knows and nobody has met since), and every other member was heard, a second after
   * this call or later, to have nothing that is not applied here. So whoever removes for good what
   * only looks unused, as a session, is not one that is cut off, has just joined or stood still.
   */
  public BooleanSupplier completeUpToNow() {
    long round = replica.within(() -> replica.antiEntropy().rounds());
    return () -> replica.within(() -> replica.antiEntropy().isCompleteSince(round));
  }

  private boolean await(BooleanSupplier condition, Duration timeout) {
    long startNanos = time.elapsedNanos();
    while (!replica.within(condition::getAsBoolean)) {
      if (time.elapsedNanos() - startNanos >= timeout.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /**
   * Forgets a replica that will not come back, so that nobody waits for it before incarnations of
   * replicas are retired; says whether that was done in time. It takes about ten seconds ({@code
   * gossipPeriod} times 100) in which all other known replicas are there. What the forgotten one
   * alone held is lost; should it come back all the same, it must be opened anew.
   *
   * @param name the name of its member
   * @throws IllegalArgumentException if it is a live member
   */
  public boolean forget(String name, Duration timeout) {
    replica.forget(name);
    return await(() -> replica.hasForgotten(name), timeout);
  }

  /**
   * Leaves for good: hands over all that this replica has to all others of its view, after which
   * they forget it by themselves, in about ten seconds and without its being there. Says whether
   * that was done in time. If not, the others remember this replica like one that was killed; it
   * may be alone, or some other may be out of reach.
   *
   * <p>To be called before {@link #close} when nobody needs this replica any more; updates fail
   * from then on. It takes a few rounds of gossip with each of the others, and all replicas that
   * are known and have not left themselves: one that was killed holds it up until it is back or
   * forgotten. After it, each member of this replica's view holds what this one ever acknowledged:
   * there is one copy less, but no other than this one's. Its checkpoint is deleted on the way: a
   * process that starts under the name later is a new replica, and must not be given another copy
   * of it.
   */
  public boolean leave(Duration timeout) {
    Checkpointer writing = checkpointer;
    replica.leaveForGood(writing != null);
    if (writing != null) {
      writing.discardOnceHandedOver();
    }
    return await(() -> replica.antiEntropy().departure() == Departure.Phase.DONE, timeout);
  }

  /** Whether this replica is leaving, and its heirs have all that it has. */
  boolean isHandedOver() {
    return replica.within(() -> replica.antiEntropy().isHandedOver());
  }

  /** The figures of all that this replica holds and has done. */
  public CollectionsMetrics metrics() {
    return replica.metrics();
  }

  /** The state of this replica; to be used within a step. */
  ReplicaState state() {
    return state;
  }

  Replica replica() {
    return replica;
  }

  @Override
  public void close() {
    Checkpointer writing = checkpointer;
    if (writing != null) {
      writing.close();
    }
    endMetrics.run();
    replica.close();
  }
}
