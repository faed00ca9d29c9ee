package org.terrace.collections.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.DeltaLog;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;

/**
 * All that one replica knows: the live entries of its collections and which updates it has applied.
 *
 * <p>Every update has a dot of its own, {@code (writer, sequence)}, and names the dots of the puts
 * it supersedes. An entry is live exactly if its put has been applied and nothing applied
 * supersedes it. That depends on the set of applied updates alone, so replicas that have applied
 * the same updates are equal, whatever the order, the losses and the repetitions on the way. A
 * removal leaves nothing behind: a dot that is covered by the version vector and is not live was
 * superseded. A put that is superseded by an update that came first is remembered until it comes
 * itself ({@code supersededAhead}), which is bounded by what is on the way.
 *
 * <p>Sources: Almeida, Shoker, Baquero, "Delta State Replicated Data Types", 2018; Bieniusa and
 * others, "An Optimized Conflict-free Replicated Set", 2012.
 *
 * <p>Changed by the holder of the replica's lock alone.
 */
public class ReplicaState {
  /** Ten seconds by default. */
  private static final int ROUNDS_OVER = 100;

  private final VersionVector applied = new VersionVector();
  private final Set<Dot> supersededAhead = new HashSet<>();
  private final DeltaLog log;
  private final Stores stores = new Stores();

  /** The comparison with another replica that is under way, if there is one. */
  private @Nullable Audit audit;

  /** A state without entries, which keeps that many bytes of updates. */
  public ReplicaState(long logBytesMax) {
    this.log = new DeltaLog(logBytesMax);
  }

  /** The updates that have been applied. */
  public VersionVector applied() {
    return applied;
  }

  /** The rounds of gossip for which an incarnation must have been over before it is retired. */
  public int roundsOver() {
    return ROUNDS_OVER;
  }

  /**
   * Whether another replica knows of the same updates of the incarnations of a replica before that.
   */
  public boolean agreesBefore(long incarnation, VersionVector theirs) {
    return applied.agreesBefore(incarnation, theirs);
  }

  /** Whether another replica has all that this one has, and remembers all that it remembers. */
  public boolean isHandedOver(VersionVector theirs) {
    return theirs.covers(applied) && theirs.roster().remembersAllOf(applied.roster());
  }

  /** Retires all incarnations of its replica before that one, which all agree about. */
  public void retireBefore(long incarnation) {
    applied.retireBefore(incarnation);
    forgetWhatCame();
  }

  /** Retires what another replica has retired, where the same is known here. */
  public void retireAsAgreed(VersionVector theirs) {
    applied.retireAsAgreed(theirs);
    forgetWhatCame();
  }

  private void forgetWhatCame() {
    supersededAhead.removeIf(dot -> applied.contains(dot.writer(), dot.sequence()));
  }

  /** The puts known to be superseded that have not come. */
  public Set<Dot> supersededAhead() {
    return supersededAhead;
  }

  /** The updates kept for sending again. */
  public DeltaLog log() {
    return log;
  }

  /** Time has passed, for the updates that are kept ({@link DeltaLog#tick}). */
  public void tick() {
    log.tick();
  }

  /** The store of that key, among the entries of the collection of that number. */
  public Store<?, ?> store(long number, byte[] key) {
    return stores.at(number, key);
  }

  /** The sum of the fingerprints of all live entries. */
  public long fingerprint() {
    long sum = 0;
    for (Store<?, ?> store : stores.all()) {
      sum += store.fingerprint();
    }
    return sum;
  }

  /** Changes that listeners could not be told of. */
  public long changesDropped() {
    long sum = 0;
    for (Store<?, ?> store : stores.all()) {
      sum += store.changesDropped();
    }
    return sum;
  }

  /** Number of live entries of all collections. */
  public long entries() {
    long sum = 0;
    for (Store<?, ?> store : stores.all()) {
      sum += store.entries();
    }
    return sum;
  }

  /**
   * Opens a collection; what had arrived for it before is in it.
   *
   * @throws IllegalArgumentException if one is open under this or a colliding name
   */
  public <K, V> Store<K, V> open(
      String name, Codec<K> keys, Codec<V> values, ConcurrentMap<K, Version> slots) {
    return stores.open(name, keys, values, slots);
  }

  /** The collection of that number; what arrives before it is opened is kept as bytes. */
  public Store<?, ?> store(long number) {
    return stores.at(number);
  }

  /** Lets whoever has the collection of that name open here know that it is destroyed. */
  public void destroy(String name) {
    stores.destroy(Store.numberOf(name));
  }

  /** Forgets the collection of that name, if nobody has it open here and nothing is in it. */
  public void forgetIfEmpty(String name) {
    stores.forgetIfEmpty(Store.numberOf(name));
  }

  /** Number of collections that are open here or have entries. */
  public int collections() {
    return stores.size();
  }

  /** Applies an update of this replica itself. */
  public <K> void applyOwn(
      Store<K, ?> store,
      K key,
      Dot dot,
      List<Dot> superseded,
      @Nullable Version put,
      byte[] delta,
      ChangeCause cause) {
    noteSuperseded(superseded);
    store.update(key, superseded, put, cause);
    applied.add(dot.writer(), dot.sequence());
    log.add(dot.writer(), dot.sequence(), delta);
    if (cause == ChangeCause.LOCAL) {
      store.ownUpTo(dot.sequence());
    }
  }

  /**
   * Applies an update of another replica; says whether it was new. One that others of its writer
   * must come before is passed over as if it had not come, and will come again.
   */
  public boolean apply(
      long writer, long sequence, byte[] bytes, HybridClock clock, ChangeCause cause) {
    if (applied.contains(writer, sequence)) {
      return false;
    }
    Delta delta = Delta.decode(new Decoder(bytes));
    if (delta.order() != Delta.Order.ANY && applied.floor(writer) < sequence - 1) {
      return false;
    }
    applyTo(store(delta.store()), new Dot(writer, sequence), delta, clock, cause);
    applied.add(writer, sequence);
    log.add(writer, sequence, bytes);
    return true;
  }

  private <K> void applyTo(
      Store<K, ?> store, Dot dot, Delta delta, HybridClock clock, ChangeCause cause) {
    K key = store.keyIfReadable(delta.key());
    if (key == null) {
      applyTo(stores.unreadable(store), dot, delta, clock, cause);
      return;
    }
    noteSuperseded(delta.superseded());
    for (Dot gone : delta.superseded()) {
      if (!applied.contains(gone.writer(), gone.sequence())) {
        supersededAhead.add(gone);
      }
    }
    byte[] value = delta.value();
    Version put = null;
    if (value != null) {
      clock.observe(delta.stamp());
      if (!supersededAhead.contains(dot)) {
        put = put(delta, dot, value);
      }
    }
    supersededAhead.remove(dot);
    store.update(key, delta.superseded(), put, cause);
  }

  private static Version put(Delta delta, Dot dot, byte[] value) {
    long stamp = delta.stamp();
    long expiresMillis = delta.expiresMillis();
    int digest = Fingerprints.ofContent(delta.store(), delta.key(), stamp, expiresMillis, value);
    Version.Raw raw = new Version.Raw(value, null);
    return new Version(dot.writer(), dot.sequence(), stamp, expiresMillis, raw, digest, false);
  }

  /**
   * Adds a live entry of another replica's state, unless it is known here to be superseded. Its
   * update counts as applied only once {@link #join} or the update itself says so.
   */
  public boolean addEntry(StateEntry entry, HybridClock clock) {
    Dot dot = entry.dot();
    if (applied.contains(dot.writer(), dot.sequence()) || supersededAhead.contains(dot)) {
      return false;
    }
    clock.observe(entry.stamp());
    return addTo(store(entry.store()), entry, List.of());
  }

  /**
   * Notes every put from now on that is superseded, until {@link #endWatch}.
   *
   * @param self the incarnation whose state this is
   * @param isMember whether an incarnation is a member
   */
  public void watchSuperseded(long self, LongPredicate isMember) {
    audit = new Audit(this, self, isMember);
  }

  /** Ends the noting of what is superseded. */
  public void endWatch() {
    audit = null;
  }

  private void noteSuperseded(Collection<Dot> superseded) {
    if (audit != null) {
      audit.superseded(superseded);
    }
  }

  /** Adds or takes over what another replica has ({@link Audit}); says whether that was done. */
  public boolean restore(StateEntry entry) {
    return audit != null && audit.restore(entry);
  }

  /** Adds an entry, in place of what has its dot at its key; says whether anything changed. */
  boolean replace(StateEntry entry) {
    return addTo(store(entry.store()), entry, List.of(entry.dot()));
  }

  private <K> boolean addTo(Store<K, ?> store, StateEntry entry, List<Dot> replaced) {
    K key = store.keyIfReadable(entry.key());
    if (key == null) {
      return addTo(stores.unreadable(store), entry, replaced);
    }
    Version put =
        new Version(
            entry.dot().writer(),
            entry.dot().sequence(),
            entry.stamp(),
            entry.expiresMillis(),
            new Version.Raw(entry.value(), null),
            entry.digest(),
            entry.isWriters());
    return store.update(key, replaced, put, ChangeCause.REPAIR);
  }

  /**
   * Takes over what another replica had applied when its entries were listed: those entries are
   * here by now, unless they are known here to be superseded. Whatever is live here, was applied
   * there and was not live there has been superseded there; that includes what came here since the
   * list was made.
   *
   * @param theirs what it had applied
   * @param theirSupersededAhead what it knew to be superseded without having it
   * @param liveThere fingerprints of the dots of the entries that were live there
   * @return how many entries this took away
   */
  public int join(VersionVector theirs, Collection<Dot> theirSupersededAhead, Set<Long> liveThere) {
    Set<Dot> ahead = new HashSet<>(theirSupersededAhead);
    int removed = 0;
    for (LiveEntry<?> live : liveEntries()) {
      Dot dot = live.dot();
      boolean superseded =
          theirs.contains(dot.writer(), dot.sequence())
              ? !liveThere.contains(live.version().dotFingerprint())
              : ahead.contains(dot);
      if (superseded) {
        noteSuperseded(List.of(dot));
        removed += live.remove(ChangeCause.REPAIR) ? 1 : 0;
      }
    }
    applied.addAll(theirs);
    supersededAhead.addAll(ahead);
    forgetWhatCame();
    return removed;
  }

  /** The entry of that dot at that place, if it is live there. */
  @Nullable LiveEntry<?> live(long store, byte[] key, Dot dot) {
    return LiveEntry.find(store(store, key), key, dot);
  }

  /** The fingerprints of the dots of all live entries. */
  public Set<Long> dotFingerprints() {
    Set<Long> all = new HashSet<>();
    liveEntries().forEach(live -> all.add(live.version().dotFingerprint()));
    return all;
  }

  /** The live entries of the collection of that name. */
  public List<LiveEntry<?>> liveEntries(String name) {
    List<LiveEntry<?>> all = new ArrayList<>();
    stores.all(Store.numberOf(name)).forEach(store -> addLiveEntries(store, all));
    return all;
  }

  /** All live entries. */
  public List<LiveEntry<?>> liveEntries() {
    List<LiveEntry<?>> all = new ArrayList<>();
    for (Store<?, ?> store : stores.all()) {
      addLiveEntries(store, all);
    }
    return all;
  }

  private static <K> void addLiveEntries(Store<K, ?> store, List<LiveEntry<?>> all) {
    store.slots.forEach((key, first) -> {
      for (Version entry = first; entry != null; entry = entry.next) {
        if (!entry.isProvisional()) {
          all.add(new LiveEntry<>(store, key, entry));
        }
      }
    });
  }
}
