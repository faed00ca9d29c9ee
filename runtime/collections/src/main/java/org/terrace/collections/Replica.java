package org.terrace.collections;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * One process's replica of all collections: makes updates and sends them; {@link Reception} has
 * what it does with those of others.
 *
 * <p>The state machine is guarded by one lock, and each call or message is one step under it, run
 * by the thread that brings it: handing it to an owner thread would cost more than the step itself.
 * Updates made while other threads wait for the lock leave together in one message, with the last
 * of them. Thread-safe.
 */
final class Replica implements AutoCloseable {
  private static final Duration RESEND_PERIOD = Duration.ofMillis(20);

  private final Group group;
  private final CollectionsOptions options;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplicaState state;
  private final HybridClock clock;
  private final Acknowledgements acknowledgements = new Acknowledgements();
  private final AntiEntropy antiEntropy;
  private final Retransmission retransmission;
  private final Counters counters = new Counters();
  private final long writer;
  private final Scratch scratch = new Scratch();
  private final Outbox outbox;
  private final Reception reception;
  private final Reassertion reassertion;
  final Hooks hooks = new Hooks();
  private volatile View view;
  private List<Member> counted = List.of();
  private long sequence;
  private Delta.Order order = Delta.Order.ANY;
  private boolean closed;
  private Consumer<Reconciliation> onReconciliation = reconciliation -> {};

  Replica(Group group, CollectionsOptions options, ReplicaState state) {
    this.group = group;
    this.options = options;
    this.time = options.time();
    this.state = state;
    this.writer = group.self().id();
    this.view = group.view();
    this.clock = new HybridClock(time, options.clockSkewMax().toMillis());
    this.outbox = new Outbox(group, time, acknowledgements, scratch);
    this.retransmission = new Retransmission(this, state, acknowledgements);
    this.antiEntropy = new AntiEntropy(this, state, options);
    this.reception = new Reception(this, state, scratch);
    this.reassertion = new Reassertion(this, state);
  }

  /** Joins in: from now on messages are handled and the timers run. */
  void start() {
    group.subscribe(Group.COLLECTIONS_CHANNEL, this::receive);
    group.watch(this::viewChanged);
    group.every(RESEND_PERIOD, this::resend);
    group.every(options.gossipPeriod(), this::gossip);
  }

  Group group() {
    return group;
  }

  ReplicaState state() {
    return state;
  }

  HybridClock clock() {
    return clock;
  }

  Counters counters() {
    return counters;
  }

  CollectionsOptions options() {
    return options;
  }

  View view() {
    return view;
  }

  long writer() {
    return writer;
  }

  Retransmission retransmission() {
    return retransmission;
  }

  AntiEntropy antiEntropy() {
    return antiEntropy;
  }

  Acknowledgements acknowledgements() {
    return acknowledgements;
  }

  Reception reception() {
    return reception;
  }

  Reassertion reassertion() {
    return reassertion;
  }

  /** Begins a step. */
  void enter() {
    lock.lock();
  }

  /** Ends a step: the last of the waiting threads sends what all of them have made. */
  void leave() {
    try {
      if (lock.getHoldCount() == 1 && !lock.hasQueuedThreads()) {
        outbox.flushIfDue();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts a value in place of the given entries. To be called within a step.
   *
   * @return what tells when it is acknowledged at the level
   */
  <K, V> PendingWrite put(
      Store<K, V> store,
      K key,
      V value,
      long expiresMillis,
      List<Dot> superseded,
      WriteLevel level) {
    return putAt(clock.next(), store, key, value, expiresMillis, superseded, level);
  }

  /** Puts a value as of the stamp, which is one of this replica's clock. */
  <K, V> PendingWrite putAt(
      long stamp,
      Store<K, V> store,
      K key,
      V value,
      long expiresMillis,
      List<Dot> superseded,
      WriteLevel level) {
    byte[] bytes = scratch.bytesOf(store.values, value);
    Object content = store.values.isImmutable() ? value : new Version.Raw(bytes, null);
    Version put = new Version(writer, sequence + 1, stamp, expiresMillis, content, null);
    Delta delta =
        new Delta(
            store.number,
            scratch.bytesOf(store.keys, key),
            superseded,
            stamp,
            expiresMillis,
            bytes,
            order);
    return update(store, key, superseded, put, delta, level, ChangeCause.LOCAL);
  }

  /** Removes the given entries. To be called within a step. */
  <K> PendingWrite remove(
      Store<K, ?> store, K key, List<Dot> superseded, WriteLevel level, ChangeCause cause) {
    Delta delta = Delta.removal(store.number, store.keys.toBytes(key), superseded, order);
    return update(store, key, superseded, null, delta, level, cause);
  }

  private <K> PendingWrite update(
      Store<K, ?> store,
      K key,
      List<Dot> superseded,
      @Nullable Version put,
      Delta delta,
      WriteLevel level,
      ChangeCause cause) {
    checkRoom(1);
    byte[] bytes = delta.encode(scratch.empty());
    outbox.makeRoomFor(bytes.length, order);
    order = order == Delta.Order.ANY ? order : Delta.Order.WITH_PREVIOUS;
    sequence++;
    state.applyOwn(store, key, new Dot(writer, sequence), superseded, put, bytes, cause);
    outbox.add(bytes);
    PendingWrite write = new PendingWrite(sequence, level, time);
    acknowledgements.register(write);
    return write;
  }

  /** Whether the others count this incarnation among those that are over. */
  boolean isRetired() {
    return state.applied().roster().isRetired(writer);
  }

  /** Fails if so many updates more cannot be made now. To be called within a step. */
  void checkRoom(int updates) {
    acknowledgements.checkRoom(updates);
    if (closed) {
      throw new IllegalStateException("the collections are closed");
    }
    if (antiEntropy.departure().isFrozen()) {
      throw new IllegalStateException("the collections are leaving the group, or have left it");
    }
    if (isRetired()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          group.self()
              + " was forgotten by the other replicas while it was away, and they ignore what it"
              + " writes: close its group and open it anew");
    }
  }

  /** Makes updates that others apply all in one step or not at all. */
  <T> T asOne(Supplier<T> updates) {
    order = Delta.Order.AFTER_ALL;
    try {
      return updates.get();
    } finally {
      order = Delta.Order.ANY;
    }
  }

  /** The number that the next update of this replica will have. */
  long nextSequence() {
    return sequence + 1;
  }

  /** What tells when all updates made so far are acknowledged at the level. */
  PendingWrite lastWrite(WriteLevel level) {
    PendingWrite write = new PendingWrite(sequence, level, time);
    acknowledgements.register(write);
    return write;
  }

  /** Gives up waiting for an update. */
  void abandon(PendingWrite write) {
    enter();
    try {
      acknowledgements.abandon(write);
    } finally {
      leave();
    }
  }

  /** Sends a message to one replica. To be called within a step. */
  void send(Member to, Encoder message) {
    if (Message.isGossip(message.array())) {
      counters.gossipMessages++;
      counters.gossipMessagesInRound++;
      counters.gossipMessagesARoundMax =
          Math.max(counters.gossipMessagesARoundMax, counters.gossipMessagesInRound);
    }
    group.send(to, Group.COLLECTIONS_CHANNEL, message.asBuffer());
  }

  private void receive(Member from, ByteBuffer message) {
    Decoder in = Decoder.copyOf(message);
    enter();
    try {
      if (!closed) {
        reception.handle(from, in);
        if (!antiEntropy.departure().isFrozen()) {
          hooks.messageEnded();
        }
      }
    } catch (MalformedDataException e) {
      counters.malformedMessages++;
    } finally {
      leave();
    }
  }

  /** Takes note of how far the other has applied this replica's updates. */
  void acknowledged(Member from, long floor) {
    if (acknowledgements.acknowledged(from.id(), floor)) {
      outbox.answered();
    }
  }

  /** Waits until an update more may be on the way, but never within a step. */
  void awaitRoom() {
    if (!lock.isHeldByCurrentThread()) {
      outbox.awaitRoom();
    }
  }

  /** Puts a value that is at hand as bytes. To be called within a step. */
  <K, V> void putBytes(
      Store<K, V> store, byte[] key, byte[] value, long expiresMillis, List<Dot> superseded) {
    V realValue = store.values.decode(new Decoder(value));
    put(store, store.key(key), realValue, expiresMillis, superseded, WriteLevel.LOCAL);
  }

  /** Tells of a repair. */
  void reconciled(Reconciliation reconciliation) {
    counters.reconciliations++;
    onReconciliation.accept(reconciliation);
  }

  void onReconciliation(Consumer<Reconciliation> upcall) {
    onReconciliation = upcall;
  }

  private void viewChanged(View changed) {
    enter();
    try {
      outbox.flush();
      view = changed;
      changed.others().forEach(other -> state.applied().roster().enrol(other.id()));
      boolean isFirst = state.entries() == 0 && sequence == 0;
      countOthers();
      if (isFirst && !changed.others().isEmpty()) {
        antiEntropy.compareWithAny();
      }
    } finally {
      leave();
    }
  }

  /** Counts as holders of updates the others in the view that are not leaving. */
  void countOthers() {
    ReplicaRoster roster = state.applied().roster();
    List<Member> staying = new ArrayList<>();
    for (Member other : view.others()) {
      if (!roster.isLeaving(other.id())) {
        staying.add(other);
      }
    }
    if (!staying.equals(counted)) {
      counted = staying;
      acknowledgements.othersChanged(staying, sequence);
    }
  }

  private void resend() {
    enter();
    try {
      if (!closed) {
        state.log().tick();
        retransmission.tick(outbox.sentSequence());
      }
    } finally {
      leave();
    }
  }

  private void gossip() {
    enter();
    try {
      if (!closed) {
        antiEntropy.round();
        if (!antiEntropy.departure().isFrozen()) {
          hooks.roundEnded();
        }
      }
    } finally {
      leave();
    }
  }

  /** From now on messages count for the next round. */
  void beginGossipRound() {
    counters.gossipMessagesInRound = 0;
  }

  @Override
  public void close() {
    enter();
    try {
      outbox.flush();
      closed = true;
    } finally {
      leave();
    }
  }
}
