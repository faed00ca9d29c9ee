package org.terrace.collections.histories;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.state.Deltas;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Codec;

/** A state that records whatever changes it from outside of its core, but does all the same. */
final class RecordedState extends WatchedState {
  final long logBytesMax;
  final Planted planted;
  final CoreRecording recording;

  RecordedState(long logBytesMax, Planted planted, CoreRecording recording) {
    super(logBytesMax);
    this.logBytesMax = logBytesMax;
    this.planted = planted;
    this.recording = recording;
  }

  @Override
  public boolean apply(
      long writer, long sequence, byte[] bytes, HybridClock clock, ChangeCause cause) {
    byte[] copy = bytes.clone();
    recording.change(
        "apply", (state, theirs) -> state.apply(writer, sequence, copy.clone(), theirs, cause));
    return super.apply(writer, sequence, bytes, clock, cause);
  }

  @Override
  public <K> void applyOwn(
      Store<K, ?> store,
      K key,
      Dot dot,
      List<Dot> superseded,
      @Nullable Version put,
      byte[] delta,
      ChangeCause cause) {
    byte[] copy = delta.clone();
    int digest = put == null ? 0 : put.digest;
    recording.change("own", (state, theirs) -> repeatOwn(state, dot, copy, digest, cause));
    super.applyOwn(store, key, dot, superseded, put, delta, cause);
  }

  /** Applies the same update of the replica itself, of which it has the bytes. */
  private static void repeatOwn(
      ReplicaState state, Dot dot, byte[] bytes, int digest, ChangeCause cause) {
    Delta delta = Deltas.decode(bytes);
    Version put = null;
    if (delta.value() != null) {
      put =
          new Version(
              dot.writer(),
              dot.sequence(),
              delta.stamp(),
              delta.expiresMillis(),
              new Version.Raw(Objects.requireNonNull(delta.value()), null),
              digest,
              true);
    }
    repeatIn(state.store(delta.store(), delta.key()), state, dot, delta, put, bytes, cause);
  }

  private static <K> void repeatIn(
      Store<K, ?> store,
      ReplicaState state,
      Dot dot,
      Delta delta,
      @Nullable Version put,
      byte[] bytes,
      ChangeCause cause) {
    state.applyOwn(store, store.key(delta.key()), dot, delta.superseded(), put, bytes, cause);
  }

  @Override
  public boolean addEntry(StateEntry entry, HybridClock clock) {
    recording.change("add", (state, theirs) -> state.addEntry(entry, theirs));
    return super.addEntry(entry, clock);
  }

  @Override
  public int join(VersionVector theirs, Collection<Dot> theirSupersededAhead, Set<Long> liveThere) {
    VersionVector vector = VersionVector.copyOf(theirs);
    List<Dot> ahead = List.copyOf(theirSupersededAhead);
    List<Long> live = List.copyOf(liveThere);
    recording.change("join", (state, clock) -> state.join(vector, ahead, Set.copyOf(live)));
    return super.join(theirs, theirSupersededAhead, liveThere);
  }

  @Override
  public void tick() {
    recording.change("tick", (state, theirs) -> state.tick());
    super.tick();
  }

  @Override
  public <K, V> Store<K, V> open(
      String name, Codec<K> keys, Codec<V> values, ConcurrentMap<K, Version> slots) {
    boolean isSorted = slots instanceof ConcurrentSkipListMap;
    recording.change(
        "open",
        (state, theirs) ->
            state.open(
                name,
                keys,
                values,
                isSorted ? new ConcurrentSkipListMap<>() : new ConcurrentHashMap<>()));
    return super.open(name, keys, values, slots);
  }

  @Override
  public List<LiveEntry<?>> liveEntries() {
    return planted.listed(super.liveEntries());
  }

  /** Loses one entry of three that it says it has. */
  void damage() {
    recording.change("damage", (state, theirs) -> lose(state));
    lose(this);
  }

  private static void lose(ReplicaState state) {
    int index = 0;
    for (LiveEntry<?> entry : List.copyOf(state.liveEntries())) {
      if (index++ % 3 == 0) {
        entry.remove(ChangeCause.REPAIR);
      }
    }
  }
}
