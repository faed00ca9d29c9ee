package org.terrace.collections;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.groups.Member;

/**
 * Lets every replica run the same requests on the collections while each takes effect once: the
 * replica that answers a request is its authority, and what the others computed gives way to it.
 *
 * <p>What a request changes is provisional at first: readers of this replica see it, others are not
 * told. The authority makes it real in one step together with a record of the request (its
 * identity, which updates it caused, its reply), which travels like any entry of a map. When the
 * record comes to a replica that has run the request too, that one drops its own effects. A request
 * that is sent again gets the recorded reply, from any replica. If no record comes for {@value
 * #ROUNDS_UNDECIDED} rounds of gossip, because the authority died before it told anybody, one of
 * those that have run it makes its own effects real: so what was answered is lost only with all
 * replicas that ran it.
 *
 * <p>Two replicas may decide one request: one that hung, and the one that was asked instead. Both
 * then see both records; the one of the lowest writer stands, and the other replica takes back what
 * it added to counters. Both replicas' puts stay, as concurrent ones that the map's policy
 * resolves.
 *
 * <p>Bounded: {@link RequestRecord.Place#COUNT} records for each client, each for three hours at
 * most, and {@value #UNDECIDED_MAX} undecided requests. Thread-safe.
 */
public final class RequestLedger {
  private static final int UNDECIDED_MAX = 16_384;
  private static final int ROUNDS_UNDECIDED = 20;
  private static final int COMPENSATIONS_KEPT_MAX = 16_384;
  private static final Duration RECORD_LIFE = Duration.ofHours(3);

  /** A request that has been run here, or is being run. */
  private static final class Undecided {
    final ReentrantLock running = new ReentrantLock();
    final RequestEffects effects;
    byte @Nullable [] reply;
    boolean failed;
    int rounds;

    Undecided(RequestEffects effects) {
      this.effects = effects;
    }
  }

  private final Replica replica;
  private final Updates<RequestRecord.Place, RequestRecord> records;
  private final Map<RequestIdentity, Undecided> undecided = new ConcurrentHashMap<>();
  private final Map<RequestIdentity, List<Runnable>> compensations = new LinkedHashMap<>();
  private final Deque<RequestIdentity> decidedTwice = new ArrayDeque<>();
  private long tickets;
  private long decidedHere;
  private long decidedElsewhere;
  private long decidedByAge;
  private long repeated;
  private long tooOld;
  private long notRun;
  private long takenBack;

  private RequestLedger(Replica replica, Updates<RequestRecord.Place, RequestRecord> records) {
    this.replica = replica;
    this.records = records;
  }

  /**
   * Opens the ledger of that name, for example the name of a service.
   *
   * @param level how many replicas hold a request's effects before it is answered
   */
  public static RequestLedger open(
      ReplicatedCollections collections, String name, WriteLevel level) {
    MapOptions<RequestRecord.Place, RequestRecord> options =
        new MapOptions<>(
            RequestRecord.Place.CODEC,
            RequestRecord.CODEC,
            RequestRecord::resolve,
            level,
            RECORD_LIFE,
            0);
    Updates<RequestRecord.Place, RequestRecord> records =
        collections.map("terrace.requests." + name, options).updates();
    RequestLedger ledger = new RequestLedger(collections.replica(), records);
    records.within(() -> {
      records.store().observe((place, before, after, cause) -> ledger.recorded(place, after));
      ledger.replica.everyRound(ledger::round);
      return null;
    });
    return ledger;
  }

  /**
   * Runs an update, unless it is decided already.
   *
   * @param answers whether this replica is the one that answers, and so the authority
   * @param work the update; what it changes in the collections of this replica on the calling
   *     thread becomes the request's effects
   * @param effective from the reply, whether the effects stand; they are undone if not
   * @return the reply: the recorded one if the request was decided before; empty if it is so old
   *     that nothing is known of it, and then it was not run
   * @throws Exception what the work threw; it then had no effect
   */
  public Optional<byte[]> execute(
      RequestIdentity request, boolean answers, Callable<byte[]> work, Predicate<byte[]> effective)
      throws Exception {
    RequestRecord known = known(request);
    if (known != null) {
      return replyOf(known, request);
    }
    if (!answers && undecided.size() >= UNDECIDED_MAX) {
      records.within(() -> notRun++);
      return Optional.empty();
    }
    while (true) {
      Undecided mine =
          undecided.computeIfAbsent(
              request, absent -> new Undecided(new RequestEffects(replica, this)));
      mine.running.lock();
      try {
        if (mine.reply == null && mine.failed) {
          continue;
        }
        if (mine.reply == null) {
          run(request, mine, work, effective);
        }
        if (answers) {
          return decide(request, mine);
        }
        settleIfDecided(request);
        return Optional.ofNullable(mine.reply);
      } finally {
        mine.running.unlock();
      }
    }
  }

  private void run(
      RequestIdentity request, Undecided mine, Callable<byte[]> work, Predicate<byte[]> effective)
      throws Exception {
    byte[] reply;
    boolean stands = false;
    try {
      reply = mine.effects.collect(work);
      stands = effective.test(reply);
    } catch (Exception e) {
      mine.failed = true;
      undecided.remove(request, mine);
      throw e;
    } finally {
      if (!stands) {
        records.within(() -> {
          mine.effects.drop();
          return null;
        });
      }
    }
    records.within(() -> mine.reply = reply);
  }

  private Optional<byte[]> decide(RequestIdentity request, Undecided mine) {
    List<PendingWrite> writes = new ArrayList<>();
    RequestRecord record =
        records.within(() -> {
          RequestRecord known = known(request);
          return known == null ? decideNow(request, mine, writes) : known;
        });
    writes.forEach(records::await);
    return replyOf(record, request);
  }

  /** Makes the effects real. To be called within a step. */
  private RequestRecord decideNow(
      RequestIdentity request, Undecided mine, List<PendingWrite> writes) {
    undecided.remove(request, mine);
    decidedHere++;
    long first = replica.nextSequence();
    List<PendingWrite> effects = mine.effects.promote();
    byte[] reply = mine.reply == null ? new byte[0] : mine.reply;
    RequestRecord record =
        new RequestRecord(
            request.sequence(), replica.writer(), first, replica.nextSequence() - first, reply);
    PendingWrite recorded = records.put(RequestRecord.Place.of(request), record);
    if (!effects.isEmpty()) {
      writes.add(effects.getLast());
    }
    writes.add(recorded);
    if (!mine.effects.compensations().isEmpty()) {
      compensations.put(request, mine.effects.compensations());
      if (compensations.size() > COMPENSATIONS_KEPT_MAX) {
        compensations.remove(compensations.keySet().iterator().next());
      }
    }
    return record;
  }

  private @Nullable RequestRecord known(RequestIdentity request) {
    Version first = records.entry(RequestRecord.Place.of(request));
    RequestRecord record = first == null ? null : records.visible(first);
    return record == null || record.sequence() < request.sequence() ? null : record;
  }

  private Optional<byte[]> replyOf(RequestRecord record, RequestIdentity request) {
    boolean same = record.sequence() == request.sequence();
    boolean own = same && record.writer() == replica.writer();
    records.within(() -> {
      settle(request);
      repeated += same && !own ? 1 : 0;
      tooOld += same ? 0 : 1;
      return null;
    });
    return same ? Optional.of(record.reply()) : Optional.empty();
  }

  private void settleIfDecided(RequestIdentity request) {
    records.within(() -> {
      if (known(request) != null) {
        settle(request);
      }
      return null;
    });
  }

  /** Drops what was computed here for a request that is decided. To be called within a step. */
  private void settle(RequestIdentity request) {
    Undecided here = undecided.get(request);
    if (here != null && here.reply != null) {
      undecided.remove(request);
      here.effects.drop();
      decidedElsewhere++;
    }
  }

  /** A record has come or gone. Called within a step. */
  private void recorded(RequestRecord.Place place, @Nullable Version after) {
    for (Version version = after; version != null; version = version.next) {
      RequestRecord record = version.value(records.store().values);
      RequestIdentity request = new RequestIdentity(place.client(), record.sequence());
      settle(request);
      if (record.writer() < replica.writer() && compensations.containsKey(request)) {
        decidedTwice.add(request);
      }
    }
  }

  /** Looks after what is undecided for long. Called within a step, once a round of gossip. */
  private void round() {
    for (RequestIdentity request = decidedTwice.poll();
        request != null;
        request = decidedTwice.poll()) {
      List<Runnable> back = compensations.remove(request);
      if (back != null) {
        takenBack++;
        back.forEach(Runnable::run);
      }
    }
    for (Map.Entry<RequestIdentity, Undecided> entry : undecided.entrySet()) {
      Undecided waiting = entry.getValue();
      if (waiting.reply == null) {
        continue;
      }
      if (known(entry.getKey()) != null) {
        settle(entry.getKey());
      } else if (++waiting.rounds > ROUNDS_UNDECIDED * (1 + rank(entry.getKey()))) {
        decidedByAge++;
        decideNow(entry.getKey(), waiting, new ArrayList<>());
      }
    }
  }

  /** How many members of the view are to decide the request before this one. */
  private int rank(RequestIdentity request) {
    long hash = Version.fingerprint(request.client(), request.sequence());
    long own = Version.mix(hash ^ replica.writer());
    int rank = 0;
    for (Member other : replica.view().others()) {
      rank += Version.mix(hash ^ other.id()) > own ? 1 : 0;
    }
    return rank;
  }

  /** A dot for something provisional, which no other replica ever sees. */
  Dot nextTicket() {
    return new Dot(Version.NO_WRITER, ++tickets);
  }

  /** What this ledger holds and has done. */
  public RequestLedgerMetrics metrics() {
    return records.within(() ->
        new RequestLedgerMetrics(
            undecided.size() + decidedTwice.size(),
            decidedHere,
            decidedElsewhere,
            decidedByAge,
            repeated,
            tooOld,
            notRun,
            takenBack));
  }
}
