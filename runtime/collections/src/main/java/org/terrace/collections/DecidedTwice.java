package org.terrace.collections;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.RequestRecord;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Encoder;

/**
 * Requests that two replicas have decided, because one died or hung before its record came to the
 * other: the record of the lowest writer stands, and the effects of the other are taken back by
 * whoever sees both, for their writer may be dead.
 *
 * <p>All that do it do the same, and doing it twice changes nothing: an entry that was put is
 * removed by its dot, and what was added to a counter is countered by an entry whose place follows
 * from the request and the writer. Nothing is taken back before all effects that stand are here, so
 * that a request never comes to nothing. Confined to the holder of the replica's lock.
 */
class DecidedTwice {
  private static final int WAITING_MAX = 16_384;

  private record Loser(RequestIdentity request, long writer) {}

  private record Pair(RequestRecord stands, RequestRecord yields) {}

  private final LocalWrites writes;
  private final LinkedHashMap<Loser, Pair> waiting = new LinkedHashMap<>();
  private long takenBack;

  DecidedTwice(LocalWrites writes) {
    this.writes = writes;
  }

  /** The number of requests whose second effects this replica has taken back. */
  long takenBack() {
    return takenBack;
  }

  /** Takes note of two records of one request. */
  void add(RequestIdentity request, RequestRecord stands, RequestRecord yields) {
    waiting.put(new Loser(request, yields.writer()), new Pair(stands, yields));
    if (waiting.size() > WAITING_MAX) {
      waiting.pollFirstEntry();
    }
  }

  /** Takes back what can be by now. To be called within a step, but not within an update. */
  void settle() {
    if (waiting.isEmpty()) {
      return;
    }
    VersionVector applied = writes.applied();
    Iterator<Map.Entry<Loser, Pair>> pairs = waiting.entrySet().iterator();
    while (pairs.hasNext()) {
      Map.Entry<Loser, Pair> next = pairs.next();
      Pair pair = next.getValue();
      if (pair.stands.isComplete(applied)) {
        takeBack(next.getKey().request, pair.yields);
        if (pair.yields.isComplete(applied)) {
          pairs.remove();
        }
      }
    }
  }

  void takeBack(RequestIdentity request, RequestRecord record) {
    boolean changed = false;
    for (RequestRecord.Trace trace : record.traces()) {
      if (!writes.applied().contains(record.writer(), trace.update())) {
        continue;
      }
      Store<?, ?> store = writes.store(trace.store());
      changed |=
          switch (trace.kind()) {
            case PUT -> remove(store, trace, record.writer(), false);
            case REPLACED -> remove(store, trace, record.writer(), true);
            case ADDED -> counter(store, trace, place(request, record.writer(), trace));
          };
    }
    takenBack += changed ? 1 : 0;
  }

  /** Removes what was put; of what came in place of another, only if there is yet another. */
  private <K> boolean remove(
      Store<K, ?> store, RequestRecord.Trace trace, long writer, boolean unlessLast) {
    K key = store.key(trace.key());
    Dot dot = new Dot(writer, trace.update());
    if (store.find(key, dot) == null || (unlessLast && isLast(store.get(key)))) {
      return false;
    }
    PendingWrite removed =
        writes.remove(store, key, List.of(dot), WriteLevel.LOCAL, ChangeCause.REPAIR);
    return removed.sequence > 0;
  }

  private static boolean isLast(@Nullable Version first) {
    return Updates.dotsOf(first).size() < 2;
  }

  private <K> boolean counter(Store<K, ?> store, RequestRecord.Trace trace, byte[] place) {
    Version present = store.get(store.key(place));
    if (store.isDestroyed() || !Updates.dotsOf(present).isEmpty()) {
      return false;
    }
    byte[] back = Codecs.longs().toBytes(-trace.amount());
    writes.putBytes(store, place, back, Version.NEVER, List.of());
    return true;
  }

  /** The place at which what that writer added for the request is countered, as bytes. */
  private static byte[] place(RequestIdentity request, long writer, RequestRecord.Trace trace) {
    long asked = Fingerprints.of(request.client(), request.sequence());
    Encoder out = new Encoder();
    out.putFixedLong(Fingerprints.of(Fingerprints.mix(asked ^ writer), trace.update()));
    out.putRaw(trace.key(), 0, trace.key().length);
    return out.toBytes();
  }
}
