package org.terrace.collections.replica;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.CoreMaker;
import org.terrace.collections.gossip.GossipEffect;
import org.terrace.collections.gossip.GossipEvent;
import org.terrace.collections.gossip.Message;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.DeltaSections;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.VersionedKind;
import org.terrace.groups.View;

/**
 * One process's replica of all collections: the threads, the lock and the messages around {@link
 * LocalWrites}, {@link ReplicaState} and {@link AntiEntropy}.
 *
 * <p>The state machine is guarded by one lock; each call or message is one step under it, run by
 * the thread that brings it. Updates made while others wait for it leave together. Thread-safe.
 */
public final class Replica implements Steps, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Replica.class.getName());
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
  private final Outbox outbox;
  private final LocalWrites writes;
  private final Hooks hooks = new Hooks();
  private final WriteWaits waits;
  private volatile View view;
  private List<Member> counted = List.of();
  private boolean closed;
  private Consumer<Reconciliation> onReconciliation = reconciliation -> {};

  /** A replica of this member of the group that has that state; {@link #start} has it join in. */
  public Replica(Group group, CollectionsOptions options, ReplicaState state, CoreMaker cores) {
    this.group = group;
    this.options = options;
    this.time = options.time();
    this.state = state;
    long writer = group.self().id();
    this.view = group.view();
    this.waits = new WriteWaits(this, options, acknowledgements, this::view);
    this.clock = new HybridClock(StepTime.of(time), options.clockSkewMax().toMillis());
    this.outbox = new Outbox(group, time, acknowledgements);
    this.retransmission = new Retransmission(writer, state, acknowledgements, this::send, counters);
    this.antiEntropy = cores.make(view, state, clock, options.messageBytesMax(), options.random());
    this.writes =
        new LocalWrites(writer, time, state, clock, acknowledgements, outbox, this::checkOpen);
  }

  /** Joins in: from now on messages are handled and the timers run. */
  public void start() {
    group.subscribe(Group.COLLECTIONS_CHANNEL, this::receive);
    group.watch(this::viewChanged);
    group.every(RESEND_PERIOD, this::resend);
    group.every(options.gossipPeriod(), this::gossip);
  }

  /** The updates that this replica makes. To be used within a step. */
  public LocalWrites writes() {
    return writes;
  }

  /** The actions after each message and in each round of gossip. To be used within a step. */
  public Hooks hooks() {
    return hooks;
  }

  /** The settings of this replica. */
  public CollectionsOptions options() {
    return options;
  }

  /** The group as this replica sees it now. */
  public View view() {
    return view;
  }

  @Override
  public void enter() {
    lock.lock();
    if (lock.getHoldCount() == 1) {
      clock.stepAt(StepTime.of(time));
    }
  }

  @Override
  public void leave() {
    try {
      if (lock.getHoldCount() == 1 && !lock.hasQueuedThreads()) {
        outbox.flushIfDue();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void awaitRoom() {
    if (!lock.isHeldByCurrentThread()) {
      outbox.awaitRoom();
    }
  }

  @Override
  public void await(PendingWrite write, String collection) {
    waits.await(write, collection);
  }

  @Override
  public <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call) {
    return waits.submit(call);
  }

  /** Makes the group forget the replica of that name. */
  public void forget(String name) {
    gossip(new GossipEvent.Forget(name));
  }

  /** Whether the replica of that name is forgotten. To be called within a step. */
  public boolean hasForgotten(String name) {
    return antiEntropy.hasForgotten(name);
  }

  /** Begins to leave the group for good; with a checkpoint of it on a disk, or without. */
  public void leaveForGood(boolean hasCheckpoint) {
    gossip(new GossipEvent.Leave(hasCheckpoint));
  }

  /** Takes note that no checkpoint of this replica is left. */
  public void checkpointDiscarded() {
    gossip(new GossipEvent.CheckpointDiscarded());
  }

  /** The anti-entropy, which also tells how far the leaving has come. */
  public AntiEntropy antiEntropy() {
    return antiEntropy;
  }

  /**
   * The members that levels of every member ask for now, by identity, each with this replica's last
   * update before it came. To be called within a step.
   */
  public Map<Long, Long> askedMembers() {
    return acknowledgements.asked();
  }

  /** The measures of what this replica holds and has done. */
  public CollectionsMetrics metrics() {
    return within(() -> Metrics.of(state, antiEntropy, counters, acknowledgements, clock, group));
  }

  /** Sets what is told of repairs. */
  public void onReconciliation(Consumer<Reconciliation> upcall) {
    onReconciliation = upcall;
  }

  private void checkOpen(int holders) {
    if (closed) {
      throw new IllegalStateException("the collections are closed");
    }
    if (antiEntropy.isFrozen()) {
      throw new IllegalStateException("the collections are leaving the group, or have left it");
    }
    Optional<String> refusal = group.exclusion().or(() -> view.shortfall(holders, this::isLeaving));
    if (refusal.isPresent()) {
      throw new WriteRefusedException(refusal.get());
    }
  }

  private void send(Member to, Encoder message) {
    if (Message.isGossip(message.array())) {
      counters.gossipMessageSent();
    }
    VersionedKind.setVersion(message.array(), group.protocol().with(to));
    group.send(to, Group.COLLECTIONS_CHANNEL, message.asBuffer());
  }

  private void receive(Member from, ByteBuffer message) {
    Decoder in = Decoder.copyOf(message);
    enter();
    try {
      if (!closed) {
        handle(from, in);
        if (!antiEntropy.isFrozen()) {
          hooks.messageEnded();
        }
      }
    } catch (MalformedDataException e) {
      counters.malformedMessages++;
    } finally {
      leave();
    }
  }

  private void handle(Member from, Decoder in) {
    int first = in.getByte();
    int kind = VersionedKind.kindOf(first);
    if (counters.isIncompatible(from, VersionedKind.versionOf(first), group.protocol().own())
        || (antiEntropy.isFrozen() && Message.bringsState(kind))) {
      return;
    }
    switch (kind) {
      case Message.DELTAS -> receiveDeltas(from, in);
      case Message.ACK -> acknowledged(from, in.getUnsigned());
      case Message.REQUEST -> retransmission.sendAgain(from, VersionVector.decode(in));
      default -> gossip(new GossipEvent.Received(from, kind, in));
    }
  }

  private void receiveDeltas(Member from, Decoder in) {
    int flags = in.getByte();
    ChangeCause cause = Message.causeOf(flags);
    int applied =
        DeltaSections.forEach(
            in,
            (deltaWriter, number, delta) -> state.apply(deltaWriter, number, delta, clock, cause));
    counters.deltasApplied += applied;
    if ((flags & Message.FLAG_ACKNOWLEDGE) != 0) {
      acknowledge(from);
      SequenceSet sent = state.applied().known(from.id());
      if (sent.hasGaps()) {
        retransmission.request(time.elapsedNanos(), from, sent, view);
      }
    } else {
      counters.deltasRepaired += applied;
      if (applied > 0) {
        acknowledgeAll();
        reconciled(new Reconciliation(from.name(), Reconciliation.Kind.UPDATES, applied, 0));
      }
    }
  }

  private void acknowledge(Member to) {
    Encoder out = outbox.emptyMessage();
    out.putByte(Message.ACK);
    out.putUnsigned(state.applied().floor(to.id()));
    send(to, out);
  }

  /** Tells every member how far its updates have been applied, after a repair. */
  private void acknowledgeAll() {
    view.others().forEach(this::acknowledge);
  }

  private void acknowledged(Member from, long floor) {
    if (acknowledgements.acknowledged(from.id(), floor)) {
      outbox.answered();
    }
  }

  private void reconciled(Reconciliation reconciliation) {
    counters.reconciliations++;
    try {
      onReconciliation.accept(reconciliation);
    } catch (Throwable e) { // the repair is made, and what follows it must be done
      LOG.log(Level.ERROR, "The listener of repairs failed", e);
    }
  }

  /** Gives anti-entropy an event, and does what it asks for, in one step. */
  private void gossip(GossipEvent event) {
    enter();
    try {
      antiEntropy.step(clock.now(), event).forEach(this::perform);
      countOthers();
    } finally {
      leave();
    }
  }

  private void perform(GossipEffect effect) {
    switch (effect) {
      case GossipEffect.Send(Member to, Encoder message) -> send(to, message);
      case GossipEffect.Acknowledged(Member from, long floor) -> acknowledged(from, floor);
      case GossipEffect.AcknowledgeAll() -> acknowledgeAll();
      case GossipEffect.Put put ->
          writes.putBytes(
              state.store(put.store(), put.key()),
              put.key(),
              put.value(),
              put.expiresMillis(),
              put.superseded());
      case GossipEffect.Remove remove -> remove(state.store(remove.store(), remove.key()), remove);
      case GossipEffect.Join join -> {
        int removed = state.join(join.theirs(), join.supersededAhead(), join.liveThere());
        acknowledgeAll();
        reconciled(
            new Reconciliation(join.peer(), Reconciliation.Kind.STATE, join.added(), removed));
      }
      case GossipEffect.Reconciled(Reconciliation reconciliation) -> reconciled(reconciliation);
    }
  }

  private <K> void remove(Store<K, ?> store, GossipEffect.Remove remove) {
    K key = store.key(remove.key());
    writes.remove(store, key, remove.superseded(), WriteLevel.LOCAL, ChangeCause.REPAIR);
  }

  private void viewChanged(View changed) {
    enter();
    try {
      outbox.flush();
      view = changed;
      boolean isFirst = state.entries() == 0 && writes.lastSequence() == 0;
      gossip(new GossipEvent.ViewChanged(changed));
      if (isFirst && !changed.others().isEmpty()) {
        gossip(new GossipEvent.Compare());
      }
    } finally {
      leave();
    }
  }

  /** Counts as holders of updates the others in the view that are not leaving. */
  private void countOthers() {
    List<Member> staying = view.others().stream().filter(other -> !isLeaving(other)).toList();
    if (!staying.equals(counted)) {
      counted = staying;
      acknowledgements.othersChanged(staying, writes.lastSequence());
    }
  }

  private boolean isLeaving(Member other) {
    return state.applied().roster().isLeaving(other.id());
  }

  private void resend() {
    within(() -> {
      if (!closed) {
        state.tick();
        waits.tick(time.elapsedNanos());
        retransmission.tick(outbox.sentSequence());
      }
      return closed;
    });
  }

  private void gossip() {
    enter();
    try {
      if (!closed) {
        counters.gossipMessagesInRound = 0;
        gossip(new GossipEvent.Round());
        if (!antiEntropy.isFrozen()) {
          hooks.roundEnded();
        }
      }
    } finally {
      leave();
    }
  }

  @Override
  public void close() {
    within(() -> {
      outbox.flush();
      waits.close();
      closed = true;
      return closed;
    });
  }
}
