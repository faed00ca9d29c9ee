package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedCounters.Place;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Provisional;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.messages.RequestRecord.Trace;

/**
 * The effects of one request here before its authority is decided: seen by readers of this replica,
 * sent to nobody, and then either dropped or made real as one step.
 *
 * <p>Bound to the thread that runs the request. Changed by the holder of the replica's lock alone.
 */
final class RequestEffects {
  /** Largest sum of what one request changes; its record goes beside it. */
  private static final int EFFECTS_BYTES_MAX = 4 << 20;

  /** Largest sum of what its record says of that; the reply goes beside it. */
  private static final int TRACES_BYTES_MAX = LocalWrites.UPDATE_BYTES_MAX - (1 << 20) - 1_024;

  /** The bytes of a change beside keys and values, and of its record beside the key. */
  private static final int OVERHEAD_BYTES = 48;

  private static final ScopedValue<RequestEffects> CURRENT = ScopedValue.newInstance();

  /** One change. */
  private abstract static class Effect {
    /** Takes the number as its update's, unless there is nothing to do any more. */
    abstract boolean take(long number);

    /** The trace by which it can be taken back, if it can. */
    abstract @Nullable Trace trace(long number);

    /** Makes it real; says what tells when others have it. */
    abstract PendingWrite promote();

    /** Shows it no more. */
    abstract void drop();
  }

  private final LocalWrites writes;
  private final RequestDeduplication deduplication;
  private final List<Effect> effects = new ArrayList<>();
  private final Map<Dot, Dot> promoted = new HashMap<>();
  private long bytes;
  private long tracesBytes;

  RequestEffects(LocalWrites writes, RequestDeduplication deduplication) {
    this.writes = writes;
    this.deduplication = deduplication;
  }

  /** The effects of the request that this thread runs on that replica, if it runs one. */
  static @Nullable RequestEffects current(LocalWrites writes) {
    if (!CURRENT.isBound()) {
      return null;
    }
    RequestEffects current = CURRENT.get();
    return current.writes == writes ? current : null;
  }

  /** Runs the work so that its changes become these effects. */
  <T> T collect(Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, this).call(work::call);
  }

  <K, V> void put(
      Store<K, V> store,
      K key,
      V value,
      long expiresMillis,
      @Nullable Version present,
      WriteLevel level) {
    byte[] valueBytes = store.values.toBytes(value);
    checkSize(store, key, valueBytes.length, present);
    long stamp = writes.clock().next();
    Dot ticket = deduplication.nextTicket();
    List<Dot> hides = allDotsOf(present);
    Object content = store.values.isImmutable() ? value : new Version.Raw(valueBytes, null);
    Version put = new Version(ticket.writer(), ticket.sequence(), stamp, expiresMillis, content);
    show(store, key, ticket, stamp, new Provisional(put, hides));
    effects.add(
        new Effect() {
          @Override
          boolean take(long number) {
            if (store.isDestroyed()) {
              return false;
            }
            promoted.put(ticket, new Dot(writes.writer(), number));
            return true;
          }

          @Override
          Trace trace(long number) {
            Trace.Kind kind = real(hides).isEmpty() ? Trace.Kind.PUT : Trace.Kind.REPLACED;
            return new Trace(kind, number, store.number, store.keys.toBytes(key), 0);
          }

          @Override
          PendingWrite promote() {
            V again = put.value(store.values);
            return writes.putAt(stamp, store, key, again, expiresMillis, real(hides), level);
          }

          @Override
          void drop() {
            store.removeProvisional(key, ticket);
          }
        });
  }

  /** All effects of a request travel in one message. */
  private <K> void checkSize(Store<K, ?> store, K key, int valueBytes, @Nullable Version present) {
    int traceBytes = store.keys.toBytes(key).length + OVERHEAD_BYTES;
    long newBytes = valueBytes + traceBytes + (long) OVERHEAD_BYTES * allDotsOf(present).size();
    if (newBytes > LocalWrites.UPDATE_BYTES_MAX
        || bytes + newBytes > EFFECTS_BYTES_MAX
        || tracesBytes + traceBytes > TRACES_BYTES_MAX) {
      throw new WriteRefusedException(
          "a request changes too much, lastly in '%s': its %d changes take %d bytes, and the next one would not fit into one message"
              .formatted(store.name, effects.size(), bytes));
    }
    bytes += newBytes;
    tracesBytes += traceBytes;
  }

  <K> void remove(Store<K, ?> store, K key, Version present, WriteLevel level) {
    checkSize(store, key, 0, present);
    Dot ticket = deduplication.nextTicket();
    List<Dot> hides = allDotsOf(present);
    show(store, key, ticket, writes.clock().next(), new Provisional(null, hides));
    effects.add(
        new Effect() {
          @Override
          boolean take(long number) {
            return !store.isDestroyed() && !real(hides).isEmpty();
          }

          @Override
          @Nullable Trace trace(long number) {
            return null;
          }

          @Override
          PendingWrite promote() {
            return writes.remove(store, key, real(hides), level, ChangeCause.LOCAL);
          }

          @Override
          void drop() {
            store.removeProvisional(key, ticket);
          }
        });
  }

  /** Adds to a counter, in a place of its own as long as it is undecided. */
  <K> void add(Updates<Place<K>, Long> updates, K key, long amount) {
    Store<Place<K>, Long> store = updates.store();
    Dot ticket = deduplication.nextTicket();
    Place<K> place = new Place<>(key, ~ticket.sequence());
    checkSize(store, place, Long.BYTES, null);
    long stamp = writes.clock().next();
    Version put = new Version(ticket.writer(), ticket.sequence(), stamp, Version.NEVER, amount);
    show(store, place, ticket, stamp, new Provisional(put, List.of()));
    effects.add(
        new Effect() {
          private final Place<K> own = new Place<>(key, writes.writer());

          @Override
          boolean take(long number) {
            return !store.isDestroyed();
          }

          @Override
          Trace trace(long number) {
            byte[] bytes = ReplicatedCounters.keyOf(store.keys.toBytes(own));
            return new Trace(Trace.Kind.ADDED, number, store.number, bytes, amount);
          }

          @Override
          PendingWrite promote() {
            return Updates.addNow(updates, own, amount);
          }

          @Override
          void drop() {
            store.removeProvisional(place, ticket);
          }
        });
  }

  private static <K> void show(
      Store<K, ?> store, K key, Dot ticket, long stamp, Provisional provisional) {
    store.addProvisional(
        key,
        new Version(ticket.writer(), ticket.sequence(), stamp, Version.PROVISIONAL, provisional));
  }

  private static List<Dot> allDotsOf(@Nullable Version first) {
    List<Dot> dots = new ArrayList<>();
    for (Version entry = first; entry != null; entry = entry.next) {
      dots.add(new Dot(entry.writer, entry.sequence));
    }
    return dots;
  }

  /** The dots that others know: of what this request itself had put before, those it has now. */
  private List<Dot> real(List<Dot> hides) {
    List<Dot> real = new ArrayList<>();
    for (Dot dot : hides) {
      Dot known = dot.writer() == Version.NO_WRITER ? promoted.get(dot) : dot;
      if (known != null) {
        real.add(known);
      }
    }
    return real;
  }

  /**
   * Gives its updates their numbers, from that one on, and drops what has nothing to do any more;
   * says how the others can be taken back. {@link #count} tells how many updates they are. To be
   * called within a step.
   */
  List<Trace> number(long firstUpdate) {
    List<Trace> traces = new ArrayList<>();
    List<Effect> real = new ArrayList<>();
    for (Effect effect : effects) {
      long number = firstUpdate + real.size();
      if (effect.take(number)) {
        real.add(effect);
        Trace trace = effect.trace(number);
        if (trace != null) {
          traces.add(trace);
        }
      } else {
        effect.drop();
      }
    }
    effects.retainAll(real);
    return traces;
  }

  int count() {
    return effects.size();
  }

  /** Makes all of it real, in the order in which it was done. To be called within a step. */
  List<PendingWrite> promote() {
    List<PendingWrite> writes = new ArrayList<>();
    for (Effect effect : effects) {
      writes.add(effect.promote());
    }
    drop();
    return writes;
  }

  /** Shows none of it any more. To be called within a step. */
  void drop() {
    effects.forEach(Effect::drop);
    effects.clear();
  }
}
