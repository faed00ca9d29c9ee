package org.terrace.collections.gossip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.RatelessSketch;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;

/**
 * Pulling what another replica has from its state, where its log does not reach back far enough or
 * where two replicas differ though they should not: by coded symbols of both sets of entries when
 * the difference is small ({@link RatelessSketch}), else all entries in parts.
 *
 * <p>The puller does one transfer at a time; whatever gets lost ends it, and the next round of
 * gossip begins anew. Confined to the holder of the replica's lock.
 */
final class StateTransfer {
  private static final long IDLE_MAX_NANOS = 1_000_000_000L;
  private static final long RETRY_NANOS = 50_000_000L;

  /** The number of parts that are asked for before they come, once the first has come. */
  private static final int PARTS_AHEAD = 4;

  private static final int SYMBOLS_MIN = 32;
  private static final int ENTRIES_BYTES_MAX = 4 << 20;
  private static final int FETCHED_MAX = 1 << 20;
  private static final int SYMBOLS_GROWTH = 4;
  private static final int SKETCHES_MAX = 3;

  /** The answer of a message that has all entries that were asked for. */
  private static final int ALL_THERE = 1;

  private static final int TOO_MANY = 0;
  private static final int SOME_GONE = 2;

  /** A transfer to this replica. */
  private static final class Pull {
    final Member from;
    final boolean audit;
    long number;
    long activeNanos;
    boolean inParts;
    int nextPart;
    int nextPartToRequest;
    int added;
    int symbols;
    int sketches;

    /** Fingerprints of the dots of what is live there, by what has come. */
    final Set<Long> liveThere = new HashSet<>();

    /** The entries that have come; joined in one step at the end, as no part may stand alone. */
    final List<StateEntry> entries = new ArrayList<>();

    @Nullable VersionVector theirs;
    List<Dot> theirSupersededAhead = List.of();

    Pull(Member from, boolean audit, long nowNanos) {
      this.from = from;
      this.audit = audit;
      this.activeNanos = nowNanos;
    }

    /** Forgets what came: answers to what was asked for before do not fit those to come. */
    void startAnew(long newNumber) {
      number = newNumber;
      theirs = null;
      liveThere.clear();
      entries.clear();
    }
  }

  private final long writer;
  private final LongPredicate isMember;
  private final ReplicaState state;
  private final HybridClock clock;
  private final GossipBudget budget;
  private final Reassertion reassertion;
  private final List<GossipEffect> effects;
  private long nowNanos;
  private @Nullable Pull pull;
  private long pulls;

  StateTransfer(
      long writer,
      LongPredicate isMember,
      ReplicaState state,
      HybridClock clock,
      long firstNumber,
      GossipBudget budget,
      List<GossipEffect> effects) {
    this.writer = writer;
    this.isMember = isMember;
    this.state = state;
    this.clock = clock;
    this.pulls = firstNumber;
    this.budget = budget;
    this.reassertion = new Reassertion(writer, state, effects);
    this.effects = effects;
  }

  /** Says what time it is for the step that begins. */
  void setTime(long newNowNanos) {
    nowNanos = newNowNanos;
  }

  /** Begins to pull what the other has, given how many updates the two do not share. */
  void pull(Member from, Digest theirs, long updatesApart) {
    Pull begun = begin(from, false);
    if (begun == null) {
      return;
    }
    long symbols = SYMBOLS_MIN + 3 * updatesApart;
    if (symbols > Math.min(RatelessSketch.SYMBOLS_MAX, theirs.entries() / 2)) {
      pullAll(begun);
    } else {
      requestSketch(begun, (int) symbols);
    }
  }

  /** Begins to find out in which entries two replicas differ that have applied the same updates. */
  void audit(Member from, Digest theirs) {
    Pull begun = begin(from, true);
    if (begun != null) {
      state.watchSuperseded(writer, isMember);
      long symbols = SYMBOLS_MIN + Math.max(theirs.entries(), state.entries()) / 8;
      requestSketch(begun, (int) Math.min(RatelessSketch.SYMBOLS_MAX, symbols));
    }
  }

  private @Nullable Pull begin(Member from, boolean audit) {
    if (pull != null && nowNanos - pull.activeNanos < IDLE_MAX_NANOS) {
      return null;
    }
    end();
    pull = new Pull(from, audit, nowNanos);
    return pull;
  }

  private void end() {
    pull = null;
    state.endWatch();
  }

  private void requestSketch(Pull begun, int symbols) {
    begun.symbols = symbols;
    begun.sketches++;
    begun.startAnew(++pulls);
    Encoder out = message(Message.SKETCH_REQUEST, begun.number);
    out.putUnsigned(symbols);
    budget.send(GossipBudget.Use.SKETCH_REQUEST, begun.from, out);
  }

  void receiveSketchRequest(Member from, Decoder in) {
    long number = in.getUnsigned();
    int symbols = in.getCount(RatelessSketch.SYMBOLS_MAX);
    Encoder out = message(Message.SKETCH, number);
    state.applied().encode(out);
    Delta.putDots(out, state.supersededAhead());
    RatelessSketch.of(byFingerprint().keySet(), symbols).encode(out);
    budget.send(GossipBudget.Use.SKETCH, from, out);
  }

  void receiveSketch(Member from, Decoder in) {
    Pull current = current(from, in.getUnsigned());
    if (current == null || current.theirs != null) {
      return;
    }
    current.theirs = VersionVector.decode(in);
    current.theirSupersededAhead = Delta.getDots(in);
    RatelessSketch sketch = RatelessSketch.decode(in);
    Map<Long, LiveEntry<?>> here = byFingerprint();
    RatelessSketch.Difference difference =
        RatelessSketch.of(here.keySet(), sketch.symbols()).minus(sketch);
    if (difference == null) {
      if (current.audit && current.symbols < RatelessSketch.SYMBOLS_MAX) {
        requestSketch(
            current, Math.min(SYMBOLS_GROWTH * current.symbols, RatelessSketch.SYMBOLS_MAX));
      } else {
        pullAll(current);
      }
      return;
    }
    difference.onlyHere().forEach(here::remove);
    here.values().forEach(both -> current.liveThere.add(both.version().dotFingerprint()));
    if (difference.onlyThere().isEmpty()) {
      finish(current);
      return;
    }
    Encoder out = message(Message.FETCH, current.number);
    out.putUnsigned(difference.onlyThere().size());
    difference.onlyThere().forEach(out::putFixedLong);
    budget.send(GossipBudget.Use.FETCH, from, out);
  }

  void receiveFetch(Member from, Decoder in) {
    long number = in.getUnsigned();
    int count = in.getCount(FETCHED_MAX);
    Map<Long, LiveEntry<?>> here = byFingerprint();
    List<StateEntry> found = new ArrayList<>();
    long bytes = 0;
    int answer = ALL_THERE;
    for (int i = 0; i < count; i++) {
      LiveEntry<?> live = here.get(in.getFixedLong());
      if (live == null) {
        answer = SOME_GONE; // since the sketch was made, with whose vector the others would not fit
      } else if (bytes >= ENTRIES_BYTES_MAX) {
        answer = TOO_MANY;
        break;
      } else {
        StateEntry entry = live.toStateEntry();
        bytes += entry.key().length + entry.value().length;
        found.add(entry);
      }
    }
    Encoder out = message(Message.ENTRIES, number);
    out.putByte(answer);
    out.putUnsigned(found.size());
    found.forEach(entry -> entry.encode(out));
    budget.send(GossipBudget.Use.ENTRIES, from, out);
  }

  void receiveEntries(Member from, Decoder in) {
    Pull current = current(from, in.getUnsigned());
    if (current == null || current.theirs == null) {
      return;
    }
    int answer = in.getByte();
    addEntries(current, in);
    if (answer == ALL_THERE || current.audit) {
      finish(current);
    } else if (answer == SOME_GONE && current.sketches < SKETCHES_MAX) {
      requestSketch(current, current.symbols);
    } else {
      pullAll(current);
    }
  }

  private void addEntries(Pull current, Decoder in) {
    int count = in.getCount(FETCHED_MAX);
    for (int i = 0; i < count; i++) {
      StateEntry entry = StateEntry.decode(in);
      current.liveThere.add(Fingerprints.of(entry.dot().writer(), entry.dot().sequence()));
      if (current.audit) {
        current.added += state.restore(entry) ? 1 : 0;
      } else {
        current.entries.add(entry);
      }
    }
  }

  private void pullAll(Pull current) {
    current.startAnew(++pulls);
    current.inParts = true;
    requestParts(current, 1);
  }

  /**
   * Asks again for the parts that did not come, and gives up what is idle; to be called once a
   * round of gossip.
   */
  void retry() {
    Pull current = pull;
    if (current != null && !current.inParts && nowNanos - current.activeNanos >= IDLE_MAX_NANOS) {
      end();
    } else if (current != null
        && current.inParts
        && nowNanos - current.activeNanos >= RETRY_NANOS) {
      current.nextPartToRequest = current.nextPart;
      requestParts(current, current.nextPart == 0 ? 1 : PARTS_AHEAD);
    }
  }

  /** Asks for parts until that many are on the way. */
  private void requestParts(Pull current, int ahead) {
    while (current.nextPartToRequest < current.nextPart + ahead) {
      Encoder out = message(Message.BULK_REQUEST, current.number);
      out.putUnsigned(current.nextPartToRequest++);
      effects.add(new GossipEffect.Send(current.from, out));
    }
  }

  void receivePart(Member from, Decoder in) {
    Pull current = current(from, in.getUnsigned());
    if (current == null || in.getCount(Integer.MAX_VALUE) != current.nextPart) {
      return;
    }
    boolean last = in.getByte() != 0;
    current.nextPart++;
    if (!last) {
      requestParts(current, PARTS_AHEAD);
    }
    addEntries(current, in);
    if (last) {
      current.theirs = VersionVector.decode(in);
      current.theirSupersededAhead = Delta.getDots(in);
      finish(current);
    }
  }

  private void finish(Pull current) {
    VersionVector theirs = Objects.requireNonNull(current.theirs);
    end();
    String peer = current.from.name();
    if (current.audit) {
      effects.add(
          new GossipEffect.Reconciled(
              new Reconciliation(peer, Reconciliation.Kind.AUDIT, current.added, 0)));
    } else {
      current.added += addEntries(current.entries, theirs);
      effects.add(
          new GossipEffect.Join(
              peer, current.added, theirs, current.theirSupersededAhead, current.liveThere));
    }
  }

  /** Adds what came; gives how many entries were new. */
  private int addEntries(List<StateEntry> entries, VersionVector theirs) {
    int added = 0;
    Set<Long> liveHere = state.dotFingerprints();
    List<StateEntry> superseded = new ArrayList<>();
    for (StateEntry entry : entries) {
      Dot dot = entry.dot();
      if (state.addEntry(entry, clock)) {
        added++;
      } else if (state.applied().contains(dot.writer(), dot.sequence())
          && !liveHere.contains(Fingerprints.of(dot.writer(), dot.sequence()))) {
        superseded.add(entry);
      }
    }
    if (theirs.roster().retiresBeyond(state.applied().roster())) {
      superseded.forEach(entry -> reassertion.supersedeAgain(entry, theirs));
    }
    return added;
  }

  private @Nullable Pull current(Member from, long number) {
    if (pull == null || pull.number != number || pull.from.id() != from.id()) {
      return null;
    }
    pull.activeNanos = nowNanos;
    return pull;
  }

  private Map<Long, LiveEntry<?>> byFingerprint() {
    Map<Long, LiveEntry<?>> all = new HashMap<>();
    for (LiveEntry<?> live : state.liveEntries()) {
      all.put(live.version().fingerprint(), live);
    }
    return all;
  }

  static Encoder message(int kind, long number) {
    Encoder out = new Encoder();
    out.putByte(kind);
    out.putUnsigned(number);
    return out;
  }
}
