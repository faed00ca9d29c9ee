package org.terrace.collections.replica;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.Scratch;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;

/**
 * The updates that one replica makes itself: numbers them, applies them here, has them sent and
 * waits for their acknowledgement. Confined to the holder of the replica's lock.
 */
public final class LocalWrites {
  /**
   * Largest update, key and value together: two of them, and what repair sends beside them, fit one
   * message of a group ({@code Group.MESSAGE_BYTES_MAX}).
   */
  public static final int UPDATE_BYTES_MAX = 2 << 20;

  private final long writer;
  private final TimeSource time;
  private final ReplicaState state;
  private final HybridClock clock;
  private final Acknowledgements acknowledgements;
  private final Outbox outbox;
  private final Scratch scratch = new Scratch();
  private final IntConsumer checkOpen;
  private long sequence;
  private Delta.Order order = Delta.Order.ANY;

  /**
   * The updates of one incarnation.
   *
   * @param checkOpen throws if no update may be made now that so many replicas are to hold
   */
  LocalWrites(
      long writer,
      TimeSource time,
      ReplicaState state,
      HybridClock clock,
      Acknowledgements acknowledgements,
      Outbox outbox,
      IntConsumer checkOpen) {
    this.writer = writer;
    this.time = time;
    this.state = state;
    this.clock = clock;
    this.acknowledgements = acknowledgements;
    this.outbox = outbox;
    this.checkOpen = checkOpen;
  }

  /** The identity of this incarnation, which its updates bear. */
  public long writer() {
    return writer;
  }

  /** Milliseconds since 1970 as the members of the group agree. By any thread. */
  public long nowMillis() {
    return clock.agreed().millisAt(time.elapsedNanos());
  }

  /** The clock that stamps the updates. */
  public HybridClock clock() {
    return clock;
  }

  /** The updates that this replica has applied; not to be changed. */
  public VersionVector applied() {
    return state.applied();
  }

  /** The collection of that number. */
  public Store<?, ?> store(long number) {
    return state.store(number);
  }

  /** The number that the next update will have. */
  public long nextSequence() {
    return sequence + 1;
  }

  /** The number of the last update made; 0 if there is none. */
  long lastSequence() {
    return sequence;
  }

  /** Whether the others count this incarnation among those that are over. */
  public boolean isRetired() {
    return state.applied().roster().isRetired(writer);
  }

  /** Fails if so many updates more cannot be made now, or the level is known to be out of reach. */
  public void checkRoom(int updates, WriteLevel level) {
    acknowledgements.checkRoom(updates);
    checkOpen.accept(level.holders());
    if (isRetired()) {
      throw new WriteRefusedException(
          "this replica was forgotten by the others while it was away, and they ignore what it"
              + " writes: close its group and open it anew");
    }
  }

  /**
   * Puts a value in place of the given entries.
   *
   * @return what tells when it is acknowledged at the level
   */
  public <K, V> PendingWrite put(
      Store<K, V> store,
      K key,
      V value,
      long expiresMillis,
      List<Dot> superseded,
      WriteLevel level) {
    return putAt(clock.next(), store, key, value, expiresMillis, superseded, level);
  }

  /** Puts a value as of the stamp, which is one of this replica's clock. */
  public <K, V> PendingWrite putAt(
      long stamp,
      Store<K, V> store,
      K key,
      V value,
      long expiresMillis,
      List<Dot> superseded,
      WriteLevel level) {
    store.checkExists();
    byte[] bytes = scratch.bytesOf(store.values, value);
    Object content = store.values.isImmutable() ? value : new Version.Raw(bytes, null);
    byte[] keyBytes = scratch.bytesOf(store.keys, key);
    int digest = Fingerprints.ofContent(store.number, keyBytes, stamp, expiresMillis, bytes);
    Version put = new Version(writer, sequence + 1, stamp, expiresMillis, content, digest, true);
    Delta delta = new Delta(store.number, keyBytes, superseded, stamp, expiresMillis, bytes, order);
    return update(store, key, superseded, put, delta, level, ChangeCause.LOCAL);
  }

  /** Puts a value that is at hand as bytes. */
  public <K, V> void putBytes(
      Store<K, V> store, byte[] key, byte[] value, long expiresMillis, List<Dot> superseded) {
    V realValue = store.values.decode(new Decoder(value));
    put(store, store.key(key), realValue, expiresMillis, superseded, WriteLevel.LOCAL);
  }

  /** Removes the given entries, however many members there are to confirm it. */
  public <K> PendingWrite remove(
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
    boolean isChecked = order == Delta.Order.ANY && put != null; // a removal stands unconfirmed too
    checkRoom(1, isChecked ? level : WriteLevel.LOCAL);
    byte[] bytes = delta.encode(scratch.empty());
    checkSize(store.name, bytes.length);
    outbox.makeRoomFor(bytes.length, order);
    order = order == Delta.Order.ANY ? order : Delta.Order.WITH_PREVIOUS;
    sequence++;
    state.applyOwn(store, key, new Dot(writer, sequence), superseded, put, bytes, cause);
    outbox.add(bytes);
    return order == Delta.Order.ANY && put == null ? pendingRemovals(level) : pending(level);
  }

  /** Fails if an update of so many bytes is too large. */
  public static void checkSize(String collection, int bytes) {
    if (bytes > UPDATE_BYTES_MAX) {
      throw new WriteRefusedException(
          "an update of '%s' takes %d bytes, and at most %d fit the messages between replicas: store"
                  .formatted(collection, bytes, UPDATE_BYTES_MAX)
              + " large content elsewhere, or in parts");
    }
  }

  /**
   * Makes updates that others apply all in one step or not at all: whether a level is out of reach
   * is to be checked before the first of them, as none is refused for it.
   */
  public <T> T asOne(Supplier<T> updates) {
    order = Delta.Order.AFTER_ALL;
    try {
      return updates.get();
    } finally {
      order = Delta.Order.ANY;
    }
  }

  /** The same of removals, for which nobody waits if the level is known to be out of reach. */
  public PendingWrite pendingRemovals(WriteLevel level) {
    try {
      checkOpen.accept(level.holders());
    } catch (WriteRefusedException e) {
      return new PendingWrite(sequence, level, time, Optional.of(String.valueOf(e.getMessage())));
    }
    return pending(level);
  }

  /**
   * The wait of a call that changes nothing for what was changed in the collection before; null if
   * that is held as the level asks. What an incarnation before did, as a checkpoint has it, counts
   * as held.
   */
  public @Nullable PendingWrite pendingIn(Store<?, ?> store, WriteLevel level) {
    if (acknowledgements.isReached(level, store.ownUpTo())) {
      return null;
    }
    acknowledgements.checkRoom(1);
    return pendingRemovals(level);
  }

  /** The wait until all updates made so far are acknowledged at the level. */
  public PendingWrite pending(WriteLevel level) {
    PendingWrite write = new PendingWrite(sequence, level, time);
    acknowledgements.register(write);
    return write;
  }
}
