package org.terrace.collections;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replica.Steps;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.messages.RequestRecord;
import org.terrace.core.RequestIdentity;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * Lets every replica run the same requests on the collections while each takes effect once: the
 * replica that answers a request is its authority, and what the others computed gives way to it.
 *
 * <p>What a request changes is provisional at first: readers of this replica see it, others are not
 * told. The authority makes it real in one step together with a record of the request (its
 * identity, which updates it caused, its reply), which travels like any entry of a map, in one
 * message with the effects. When the record and the effects have come to a replica that has run the
 * request too, that one drops its own effects. A request that is sent again gets the recorded
 * reply, from any replica. If no record comes for {@value #ROUNDS_UNDECIDED} rounds of gossip,
 * because the authority died before it told anybody, one of those that have run it makes its own
 * effects real: so what was answered is lost only with all replicas that ran it. A replica that
 * sees less than half of those it saw when it ran the request is probably cut off, and waits for
 * {@value #ROUNDS_CUT_OFF} rounds.
 *
 * <p>Two replicas may decide one request: one that hung or died, and the one that was asked
 * instead. The record of the lowest writer stands, and every replica that sees both takes back what
 * the other's request put and added, whether its writer is alive or not: at any write level, a
 * request counts once where all updates have come. Two things are not taken back: what one of them
 * put in place of a value that the other left alone, and what it removed. And a record is
 * remembered until its client has begun {@value RequestIdentity#PLACES} more requests: what was
 * decided by a replica that was cut off for longer than that and is decided by others too counts
 * twice.
 *
 * <p>Bounded: {@link RequestIdentity#PLACES} records for each client, each for three hours at most,
 * and {@value #UNDECIDED_MAX} undecided requests. Thread-safe.
 */
public final class RequestDeduplication {
  /** Largest reply, which is kept with the record of its request. */
  static final int REPLY_BYTES_MAX = 1 << 20;

  private static final int UNDECIDED_MAX = 16_384;
  private static final int JUST_RECORDED_MAX = 1_024;
  private static final int ROUNDS_UNDECIDED = 20;
  private static final int ROUNDS_CUT_OFF = 600;
  private static final Duration RECORD_LIFE = Duration.ofHours(3);

  /** A request that has been run here, or is being run. */
  private static final class Undecided {
    final ReentrantLock running = new ReentrantLock();
    final RequestEffects effects;
    final int members;
    byte @Nullable [] reply;
    boolean failed;
    int rounds;

    Undecided(RequestEffects effects, int members) {
      this.effects = effects;
      this.members = members;
    }
  }

  private final Steps steps;
  private final LocalWrites writes;
  private final Supplier<View> view;
  private final Updates<RequestRecord.Place, RequestRecord> records;
  private final Map<RequestIdentity, Undecided> undecided = new ConcurrentHashMap<>();
  private final List<RequestIdentity> justRecorded = new ArrayList<>();
  private final DecidedTwice decidedTwice;
  private int membersBefore;
  private long tickets;
  private long decidedHere;
  private long decidedElsewhere;
  private long decidedByAge;
  private long repeated;
  private long tooOld;
  private long notRun;

  private RequestDeduplication(
      Replica replica,
      Updates<RequestRecord.Place, RequestRecord> records,
      DecidedTwice decidedTwice) {
    this.steps = replica;
    this.writes = replica.writes();
    this.view = replica::view;
    this.records = records;
    this.decidedTwice = decidedTwice;
  }

  /**
   * Opens the deduplication of requests of that name, for example the name of a service.
   *
   * @param level how many replicas hold a request's effects before it is answered
   */
  public static RequestDeduplication open(
      ReplicatedCollections collections, String name, WriteLevel level) {
    return open(collections, name, level, new DecidedTwice(collections.replica().writes()));
  }

  static RequestDeduplication open(
      ReplicatedCollections collections, String name, WriteLevel level, DecidedTwice decidedTwice) {
    MapOptions<RequestRecord.Place, RequestRecord> options =
        new MapOptions<>(
            RequestRecord.Place.CODEC,
            RequestRecord.CODEC,
            RequestRecord::resolve,
            level,
            Expiry.sinceUpdate(RECORD_LIFE),
            0);
    Updates<RequestRecord.Place, RequestRecord> records =
        collections.map("terrace.requests." + name, options).updates();
    Replica replica = collections.replica();
    RequestDeduplication deduplication = new RequestDeduplication(replica, records, decidedTwice);
    records.within(() -> {
      records.store().slots.forEach(deduplication::recorded);
      records
          .store()
          .observe((place, before, after, cause) -> deduplication.recorded(place, after));
      replica.hooks().afterMessage(records.store(), deduplication::messageEnded);
      replica.hooks().everyRound(records.store(), deduplication::round);
      return null;
    });
    return deduplication;
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
              request,
              absent ->
                  new Undecided(new RequestEffects(writes, this), view.get().members().size()));
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
      checkSize(reply);
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

  private static void checkSize(byte[] reply) {
    if (reply.length > REPLY_BYTES_MAX) {
      throw new WriteRefusedException(
          "a reply has %d bytes, and at most %d are retained"
              .formatted(reply.length, REPLY_BYTES_MAX));
    }
  }

  private Optional<byte[]> decide(RequestIdentity request, Undecided mine) {
    List<PendingWrite> pending = new ArrayList<>();
    steps.awaitRoom();
    RequestRecord record =
        records.within(() -> {
          RequestRecord known = known(request);
          return known == null ? decideNow(request, mine, pending) : known;
        });
    pending.forEach(records::await);
    return replyOf(record, request);
  }

  /** Makes the effects real, after their record. To be called within a step. */
  private RequestRecord decideNow(
      RequestIdentity request, Undecided mine, List<PendingWrite> pending) {
    // At whatever level: others that have run the request may decide it, and a refusal would lie.
    writes.checkRoom(1 + mine.effects.count(), WriteLevel.LOCAL);
    undecided.remove(request, mine);
    decidedHere++;
    long firstUpdate = writes.nextSequence() + 1;
    List<RequestRecord.Trace> traces = mine.effects.number(firstUpdate);
    byte[] reply = mine.reply == null ? new byte[0] : mine.reply;
    RequestRecord record =
        new RequestRecord(
            request.sequence(), writes.writer(), firstUpdate, mine.effects.count(), traces, reply);
    return writes.asOne(() -> {
      pending.add(records.put(RequestRecord.Place.of(request), record));
      List<PendingWrite> effects = mine.effects.promote();
      if (!effects.isEmpty()) {
        pending.add(effects.getLast());
      }
      return record;
    });
  }

  private @Nullable RequestRecord known(RequestIdentity request) {
    Version first = records.entry(RequestRecord.Place.of(request));
    RequestRecord record = first == null ? null : records.visible(first);
    return record == null || record.sequence() < request.sequence() ? null : record;
  }

  private Optional<byte[]> replyOf(RequestRecord record, RequestIdentity request) {
    boolean same = record.sequence() == request.sequence();
    boolean own = same && record.writer() == writes.writer();
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
      settle(request);
      return null;
    });
  }

  /**
   * Drops what was computed here for a request that is decided, once the effects that count are
   * here. To be called within a step.
   */
  private void settle(RequestIdentity request) {
    Undecided here = undecided.get(request);
    RequestRecord known = here == null || here.reply == null ? null : known(request);
    if (here != null
        && known != null
        && (known.sequence() > request.sequence()
            || here.rounds > ROUNDS_UNDECIDED
            || known.isComplete(writes.applied()))) {
      undecided.remove(request);
      here.effects.drop();
      decidedElsewhere++;
    }
  }

  /** Records have come or gone. Called within an update, which must be over before others begin. */
  private void recorded(RequestRecord.Place place, @Nullable Version after) {
    for (Version version = after; version != null; version = version.next) {
      RequestRecord record = version.value(records.store().values);
      RequestIdentity request = new RequestIdentity(place.client(), record.sequence());
      if (undecided.containsKey(request) && justRecorded.size() < JUST_RECORDED_MAX) {
        justRecorded.add(request);
      }
      for (Version next = version.next; next != null; next = next.next) {
        RequestRecord other = next.value(records.store().values);
        if (other.sequence() == record.sequence()) {
          boolean stands = record.writer() < other.writer();
          decidedTwice.add(request, stands ? record : other, stands ? other : record);
        }
      }
    }
  }

  /** Settles requests that a message brought records of. Called within its step. */
  private void messageEnded() {
    if (!justRecorded.isEmpty()) {
      justRecorded.forEach(this::settle);
      justRecorded.removeIf(request -> !undecided.containsKey(request));
    }
    decidedTwice.settle();
  }

  /** Looks after what is undecided for long. Called within a step, once a round of gossip. */
  private void round() {
    messageEnded();
    int members = view.get().members().size();
    boolean more = members > membersBefore;
    membersBefore = members;
    for (Map.Entry<RequestIdentity, Undecided> entry : undecided.entrySet()) {
      Undecided waiting = entry.getValue();
      if (waiting.reply == null) {
        continue;
      }
      waiting.rounds = more ? 0 : waiting.rounds + 1;
      int patience = 2 * members < waiting.members ? ROUNDS_CUT_OFF : ROUNDS_UNDECIDED;
      if (known(entry.getKey()) != null) {
        settle(entry.getKey());
      } else if (waiting.rounds > patience * (1 + rank(entry.getKey()))) {
        decidedByAge++;
        decideNow(entry.getKey(), waiting, new ArrayList<>());
      }
    }
  }

  /** The number of members of the view that are to decide the request before this one. */
  private int rank(RequestIdentity request) {
    long hash = Fingerprints.of(request.client(), request.sequence());
    long own = Fingerprints.mix(hash ^ writes.writer());
    int rank = 0;
    for (Member other : view.get().others()) {
      rank += Fingerprints.mix(hash ^ other.id()) > own ? 1 : 0;
    }
    return rank;
  }

  /** A dot for something provisional, which no other replica ever sees. */
  Dot nextTicket() {
    return new Dot(Version.NO_WRITER, ++tickets);
  }

  /** The figures of all that this holds and has done. */
  public RequestDeduplicationMetrics metrics() {
    return records.within(() ->
        new RequestDeduplicationMetrics(
            undecided.size(),
            decidedHere,
            decidedElsewhere,
            decidedByAge,
            repeated,
            tooOld,
            notRun,
            decidedTwice.takenBack()));
  }
}
