package org.terrace.collections;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Steps;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Provisional;
import org.terrace.collections.structures.causality.Version;
import org.terrace.core.codec.Decoder;

/**
 * Reading and changing one collection in this replica: what the collection types share.
 * Thread-safe.
 */
final class Updates<K, V> {
  private final Steps steps;
  private final LocalWrites writes;
  private final Store<K, V> store;
  private final MapOptions<K, V> options;

  /** Of maps; entries of other collections live for ever. */
  private final @Nullable Lifetimes<K, V> lifetimes;

  Updates(
      Steps steps,
      LocalWrites writes,
      Store<K, V> store,
      MapOptions<K, V> options,
      @Nullable Lifetimes<K, V> lifetimes) {
    this.steps = steps;
    this.writes = writes;
    this.store = store;
    this.options = options;
    this.lifetimes = lifetimes;
  }

  Updates<K, V> withLevel(WriteLevel level) {
    return new Updates<>(steps, writes, store, options.withLevel(level), lifetimes);
  }

  Updates<K, V> withExpiry(Expiry expiry) {
    return new Updates<>(steps, writes, store, options.withExpiry(expiry), lifetimes);
  }

  Store<K, V> store() {
    return store;
  }

  WriteLevel level() {
    return options.level();
  }

  /** The updates of this replica. To be used within a step. */
  LocalWrites writes() {
    return writes;
  }

  /** The entry at the key, whatever its type. */
  @Nullable Version entry(Object key) {
    store.checkExists();
    return store.slots.get(Objects.requireNonNull(key));
  }

  /** The key as one of this collection: a key of another type is in no map, and finds nothing. */
  @SuppressWarnings("unchecked")
  K key(Object key) {
    return (K) Objects.requireNonNull(key);
  }

  /** The same as {@link #visible} for a reader whose reading is a use of the entries. */
  @Nullable V use(K key, Version first) {
    V visible = visible(first);
    if (visible != null && lifetimes != null) {
      lifetimes.read(key, first);
    }
    return visible;
  }

  /** Lets what is there live for so long from now on, 0 for ever; says whether there is any. */
  boolean touch(K key, long lifeMillis) {
    Version first = entry(key);
    if (first == null || visible(first) == null) {
      return false;
    }
    Lifetimes<K, V> lives = lifetimes;
    if (lives == null || lives.livesSo(key, first, lifeMillis)) {
      return true;
    }
    return steps.within(() -> {
      lives.touch(key, lifeMillis);
      Version touched = store.get(key);
      return touched != null && isShown(touched);
    });
  }

  /** The value that a reader sees of entries, or null if all of them have expired. */
  @Nullable V visible(Version first) {
    if (first.next == null && first.deadlineMillis == Version.NEVER) {
      return first.value(store.values);
    }
    List<V> all = allVisible(first);
    return switch (all.size()) {
      case 0 -> null;
      case 1 -> all.getFirst();
      default -> options.policy().resolve(all);
    };
  }

  List<V> allVisible(Version first) {
    List<V> all = new ArrayList<>();
    for (Version entry = first; entry != null; entry = entry.next) {
      Version shown = shown(first, entry);
      if (shown != null) {
        all.add(shown.value(store.values));
      }
    }
    return all;
  }

  /**
   * Whether readers see anything of entries; reads no value, which may be one of a later version.
   */
  boolean isShown(Version first) {
    for (Version entry = first; entry != null; entry = entry.next) {
      if (shown(first, entry) != null) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Version shown(Version first, Version entry) {
    Version shown = entry.isProvisional() ? entry.provisional().put() : entry;
    return shown != null && isVisible(shown) && !Provisional.isHidden(first, entry) ? shown : null;
  }

  private boolean isVisible(Version entry) {
    long end = entry.deadlineMillis;
    return end == Version.NEVER || end > writes.nowMillis();
  }

  int size(Map<K, Version> slots) {
    store.checkExists();
    if (!store.mayExpire() && store.provisionals() == 0) {
      return slots.size();
    }
    int size = 0;
    for (Version first : slots.values()) {
      size += visible(first) == null ? 0 : 1;
    }
    return size;
  }

  /**
   * Changes the value at the key in one step on this replica, and waits as the level asks.
   *
   * @param change from the present value (null for none) to what is to become of it
   * @return the value before
   */
  @Nullable V change(K key, Function<@Nullable V, Decision<V>> change) {
    if (options.level().equals(WriteLevel.LOCAL)) {
      steps.awaitRoom(); // at other levels, the writers wait for the others anyway
    }
    PendingWrite write = null;
    V before;
    steps.enter();
    try {
      Version first = entry(key);
      before = first == null ? null : visible(first);
      write =
          switch (change.apply(before)) {
            case Decision.Keep<V>() -> pendingNow();
            case Decision.Remove<V>() -> removeNow(key, first);
            case Decision.Put<V>(V after) -> putNow(key, after, first, before != null);
          };
    } finally {
      steps.leave();
    }
    await(write);
    return before;
  }

  /** Makes an update in one step on this replica, when there is room for it, and waits for it. */
  void make(Supplier<@Nullable PendingWrite> update) {
    steps.awaitRoom();
    await(within(update));
  }

  /** Makes updates without waiting for the others; what is returned does. */
  <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call) {
    return steps.submit(call);
  }

  /** Does something in one step on this replica. */
  <T extends @Nullable Object> T within(Supplier<T> step) {
    return steps.within(step);
  }

  PendingWrite put(K key, V value) {
    Objects.requireNonNull(key);
    Objects.requireNonNull(value);
    steps.awaitRoom();
    steps.enter();
    try {
      store.checkExists();
      PendingWrite write = putNow(key, value, store.get(key), false);
      return write == null ? writes.pending(WriteLevel.LOCAL) : write;
    } finally {
      steps.leave();
    }
  }

  PendingWrite remove(K key) {
    steps.awaitRoom();
    return within(() -> {
      PendingWrite write = removeNow(key, entry(key));
      return write == null ? writes.pending(WriteLevel.LOCAL) : write;
    });
  }

  /**
   * Tells the listener of each change, through the executor; what that refuses is dropped.
   *
   * @return what ends it
   */
  Runnable listen(Executor executor, Consumer<Change<K, V>> listener) {
    store.checkExists();
    Store.Observer<K> observer =
        (key, before, after, cause) -> {
          try {
            executor.execute(() -> listener.accept(change(key, before, after, cause)));
          } catch (RejectedExecutionException e) {
            store.countDroppedChange();
          }
        };
    store.observe(observer);
    return () -> store.forget(observer);
  }

  /** Whether two values are the same content: values go by their bytes, not by identity. */
  boolean isSame(V one, Object other) {
    if (one.equals(other)) {
      return true;
    }
    try {
      @SuppressWarnings("unchecked")
      V typed = (V) other;
      return Arrays.equals(store.values.toBytes(one), store.values.toBytes(typed));
    } catch (ClassCastException e) {
      return false; // a value of another type is in no map
    }
  }

  private Change<K, V> change(
      K key, @Nullable Version before, @Nullable Version after, ChangeCause cause) {
    return new Change<>(
        key,
        Optional.ofNullable(
            before == null
                ? null
                : cause == ChangeCause.EXPIRED ? before.value(store.values) : visible(before)),
        Optional.ofNullable(after == null ? null : visible(after)),
        cause);
  }

  /** Adds to a number that this replica alone writes. To be called within a step. */
  static <K> PendingWrite addNow(Updates<K, Long> updates, K key, long amount) {
    Version first = updates.store.get(key);
    Long present = first == null ? null : updates.visible(first);
    return updates.writes.put(
        updates.store,
        key,
        (present == null ? 0 : present) + amount,
        Version.NEVER,
        dotsOf(first),
        updates.options.level());
  }

  /** Removes what is at the keys, and waits once for all of it, however much that is. */
  void removeAll(Collection<K> keys) {
    makeAll(each -> keys.forEach(each::remove));
  }

  /** Makes many updates, and waits once for all of them; those of a request wait for nobody. */
  void makeAll(Consumer<Updates<K, V>> all) {
    all.accept(RequestEffects.current(writes) != null ? this : withLevel(WriteLevel.LOCAL));
    await(within(this::pendingNow));
  }

  /**
   * The wait of a call that changes nothing, as it may repeat one that was not confirmed: for what
   * callers of this replica have changed in the collection. Within a step.
   */
  private @Nullable PendingWrite pendingNow() {
    boolean isOfRequest = RequestEffects.current(writes) != null;
    return isOfRequest ? null : writes.pendingIn(store, options.level());
  }

  /** Fails, but in a request, if the level is known to be out of reach. Within a step. */
  void checkReach() {
    if (RequestEffects.current(writes) == null) {
      writes.checkRoom(1, options.level());
    }
  }

  void await(@Nullable PendingWrite write) {
    if (write != null) {
      steps.await(write, store.name);
    }
  }

  /**
   * Puts; returns nothing to wait for if it is provisional.
   *
   * @param isUpdate whether what is there was shown when the step began: if it has ended since, the
   *     put is an update of it all the same, and does not let it live anew
   */
  private @Nullable PendingWrite putNow(
      K key, V value, @Nullable Version present, boolean isUpdate) {
    K kept = store.keys.isImmutable() ? key : copy(key);
    if (lifetimes != null) {
      return lifetimes.put(kept, value, options, shown(present, isUpdate), present);
    }
    RequestEffects undecided = RequestEffects.current(writes);
    if (undecided != null) {
      undecided.put(store, kept, value, Version.NEVER, present, options.level());
      return null;
    }
    return writes.put(store, kept, value, Version.NEVER, dotsOf(present), options.level());
  }

  private List<Version> shown(@Nullable Version first, boolean orOver) {
    List<Version> all = new ArrayList<>();
    List<Version> over = new ArrayList<>();
    for (Version entry = first; first != null && entry != null; entry = entry.next) {
      if (!entry.isProvisional()) {
        (shown(first, entry) == null ? over : all).add(entry);
      }
    }
    return orOver && all.isEmpty() ? over : all;
  }

  private @Nullable PendingWrite removeNow(K key, @Nullable Version present) {
    RequestEffects undecided = RequestEffects.current(writes);
    if (undecided != null) {
      if (present != null) {
        undecided.remove(store, key, present, options.level());
      }
      return null;
    }
    List<Dot> dots = dotsOf(present);
    if (dots.isEmpty()) {
      return pendingNow();
    }
    PendingWrite write = writes.remove(store, key, dots, options.level(), ChangeCause.LOCAL);
    if (lifetimes != null) {
      lifetimes.forgetUses(key);
    }
    return write;
  }

  private K copy(K key) {
    return store.keys.decode(new Decoder(store.keys.toBytes(key)));
  }

  /** The dots of the entries, without what is provisional. */
  static List<Dot> dotsOf(@Nullable Version first) {
    if (first == null) {
      return List.of();
    }
    if (first.next == null && !first.isProvisional()) {
      return List.of(new Dot(first.writer, first.sequence));
    }
    List<Dot> dots = new ArrayList<>();
    for (Version entry = first; entry != null; entry = entry.next) {
      if (!entry.isProvisional()) {
        dots.add(new Dot(entry.writer, entry.sequence));
      }
    }
    return dots;
  }
}
