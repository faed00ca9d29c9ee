package org.terrace.cluster.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The locks that put conflicting writes in one order, the same at every replica.
 *
 * <p>Locks are held to the end of a transaction and waited for in the order of arrival. A circle of
 * waits is found when it closes, and whoever closed it is refused. A transaction that has been
 * answered while some replicas still work on it gives its locks on at once and stays behind as a
 * predecessor: whoever gets a conflicting lock starts at a replica only when the predecessor is
 * done there. Confined to one thread; a request costs the number of its locks, and one that waits
 * the number of all that wait.
 */
final class LockTable {

  /** The outcome of a request for locks. */
  enum Grant {
    GRANTED,
    WAITING,
    /** It closed a circle of waits: it waits no longer, and keeps what it held before. */
    DEADLOCK
  }

  /** The lock that a transaction waits for, and who is before it, the oldest first. */
  record LockWait(Lockable what, List<Long> holders) {}

  /** The transactions whose requests came to an end when others let go. */
  record Changes(List<Long> granted, List<Long> deadlocked) {}

  private static final class Entry {
    private final Map<Long, LockMode> holders = new LinkedHashMap<>();
    private final Map<Long, LockMode> unfinished = new LinkedHashMap<>();
    private final Deque<Long> queue = new ArrayDeque<>();

    boolean isFree() {
      return holders.isEmpty() && unfinished.isEmpty() && queue.isEmpty();
    }
  }

  private static final class Claim {
    private final Set<Lockable> held = new HashSet<>();
    private final Set<Long> predecessors = new HashSet<>();
    private List<LockDemand> demands = List.of();
    private int next;
    private boolean hasLetGo;

    boolean isWaiting() {
      return next < demands.size();
    }

    LockDemand current() {
      return demands.get(next);
    }
  }

  private final Map<Lockable, Entry> entries = new HashMap<>();
  private final Map<Long, Claim> claims = new HashMap<>();

  /** Asks for locks in addition to those held. A transaction asks again only when it has them. */
  Grant request(long transaction, Collection<LockDemand> demands) {
    Claim claim = claims.computeIfAbsent(transaction, id -> new Claim());
    claim.demands = LockDemand.withIntentions(demands);
    claim.hasLetGo = false;
    claim.next = 0;
    if (advance(transaction, claim)) {
      return Grant.GRANTED;
    }
    if (waitsForItself(transaction)) {
      stopWaiting(transaction, claim);
      return Grant.DEADLOCK;
    }
    return Grant.WAITING;
  }

  /** The wait of a transaction; it must wait. */
  LockWait waitOf(long transaction) {
    Lockable what = waiting(transaction).current().what();
    return new LockWait(what, blockers(transaction).stream().sorted().toList());
  }

  /** The transactions that must be done at a replica before this one may begin there. */
  Set<Long> predecessors(long transaction) {
    Claim claim = claims.get(transaction);
    return claim == null ? Set.of() : claim.predecessors;
  }

  /** Ends the wait of a transaction, which keeps what it holds. */
  Changes abandon(long transaction) {
    List<Long> granted = new ArrayList<>();
    List<Long> deadlocked = new ArrayList<>();
    Claim claim = claims.get(transaction);
    if (claim != null && claim.isWaiting()) {
      Lockable what = claim.current().what();
      stopWaiting(transaction, claim);
      pump(entry(what), granted, deadlocked);
    }
    return new Changes(granted, deadlocked);
  }

  /** Lets go of all locks. Until {@link #finish} it stays a predecessor of who comes after it. */
  Changes release(long transaction) {
    Claim claim = claims.get(transaction);
    List<Long> granted = new ArrayList<>();
    List<Long> deadlocked = new ArrayList<>();
    if (claim == null) {
      return new Changes(granted, deadlocked);
    }
    claim.hasLetGo = true;
    Set<Lockable> touched = new HashSet<>(claim.held);
    if (claim.isWaiting()) {
      touched.add(claim.current().what());
      stopWaiting(transaction, claim);
    }
    for (Lockable what : claim.held) {
      Entry entry = entry(what);
      LockMode mode = entry.holders.remove(transaction);
      if (mode != null) {
        entry.unfinished.put(transaction, mode);
      }
    }
    touched.forEach(what -> pump(entry(what), granted, deadlocked));
    return new Changes(granted, deadlocked);
  }

  /** Forgets a transaction that has let go and is done at every replica. */
  void finish(long transaction) {
    Claim claim = claims.remove(transaction);
    if (claim == null) {
      return;
    }
    for (Lockable what : claim.held) {
      Entry entry = entry(what);
      entry.unfinished.remove(transaction);
      if (entry.isFree()) {
        entries.remove(what);
      }
    }
    claims.values().forEach(other -> other.predecessors.remove(transaction));
  }

  /** The number of things that are locked, waited for or still being worked on. */
  int size() {
    return entries.size();
  }

  /** The number of transactions that wait. */
  int waiters() {
    return (int) claims.values().stream().filter(Claim::isWaiting).count();
  }

  /** The number of transactions that hold locks or wait for one. */
  int users() {
    return (int) claims.values().stream().filter(claim -> !claim.hasLetGo).count();
  }

  private Entry entry(Lockable what) {
    return entries.computeIfAbsent(what, key -> new Entry());
  }

  private boolean advance(long transaction, Claim claim) {
    while (claim.isWaiting()) {
      LockDemand demand = claim.current();
      Entry entry = entry(demand.what());
      LockMode held = entry.holders.get(transaction);
      LockMode wanted = held == null ? demand.mode() : held.join(demand.mode());
      if (wanted != held) {
        boolean mayPass = held != null || entry.queue.isEmpty();
        if (!mayPass || !isCompatible(entry, transaction, wanted)) {
          enqueue(entry, transaction, held != null);
          return false;
        }
        hold(entry, demand.what(), transaction, claim, wanted);
      }
      claim.next++;
    }
    return true;
  }

  private static void enqueue(Entry entry, long transaction, boolean stronger) {
    if (stronger) {
      entry.queue.addFirst(transaction);
    } else {
      entry.queue.addLast(transaction);
    }
  }

  private static void hold(
      Entry entry, Lockable what, long transaction, Claim claim, LockMode mode) {
    entry.holders.put(transaction, mode);
    claim.held.add(what);
    entry.unfinished.forEach((other, theirs) -> {
      if (other != transaction && !mode.isCompatibleWith(theirs)) {
        claim.predecessors.add(other);
      }
    });
  }

  private static boolean isCompatible(Entry entry, long transaction, LockMode mode) {
    return entry.holders.entrySet().stream()
        .allMatch(
            holder -> holder.getKey() == transaction || mode.isCompatibleWith(holder.getValue()));
  }

  private void pump(Entry entry, List<Long> granted, List<Long> deadlocked) {
    for (Long head = entry.queue.peek(); head != null; head = entry.queue.peek()) {
      Claim claim = waiting(head);
      LockMode held = entry.holders.get(head);
      LockDemand demand = claim.current();
      LockMode wanted = held == null ? demand.mode() : held.join(demand.mode());
      if (!isCompatible(entry, head, wanted)) {
        return;
      }
      entry.queue.poll();
      hold(entry, demand.what(), head, claim, wanted);
      claim.next++;
      if (advance(head, claim)) {
        granted.add(head);
      } else if (waitsForItself(head)) {
        stopWaiting(head, claim);
        deadlocked.add(head);
      }
    }
  }

  private Claim waiting(long transaction) {
    Claim claim = claims.get(transaction);
    if (claim == null || !claim.isWaiting()) {
      throw new IllegalStateException("transaction " + transaction + " is queued and waits not");
    }
    return claim;
  }

  private void stopWaiting(long transaction, Claim claim) {
    entry(claim.current().what()).queue.remove(transaction);
    claim.demands = List.of();
    claim.next = 0;
  }

  private boolean waitsForItself(long transaction) {
    Set<Long> seen = new HashSet<>();
    Deque<Long> open = new ArrayDeque<>(blockers(transaction));
    for (Long one = open.poll(); one != null; one = open.poll()) {
      if (one == transaction) {
        return true;
      }
      if (seen.add(one)) {
        open.addAll(blockers(one));
      }
    }
    return false;
  }

  private Set<Long> blockers(long transaction) {
    @Nullable Claim claim = claims.get(transaction);
    Set<Long> blockers = new HashSet<>();
    if (claim == null || !claim.isWaiting()) {
      return blockers;
    }
    LockDemand demand = claim.current();
    Entry entry = entry(demand.what());
    LockMode held = entry.holders.get(transaction);
    LockMode wanted = held == null ? demand.mode() : held.join(demand.mode());
    entry.holders.forEach((other, mode) -> {
      if (other != transaction && !wanted.isCompatibleWith(mode)) {
        blockers.add(other);
      }
    });
    for (long earlier : entry.queue) {
      if (earlier == transaction) {
        break;
      }
      blockers.add(earlier);
    }
    return blockers;
  }
}
