package org.terrace.collections.structures.causality;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The set of updates that a replica has applied: for each writer, a {@link SequenceSet}.
 *
 * <p>A writer is one incarnation of a replica, so a replica that restarts becomes another writer.
 * Once it is agreed that an earlier incarnation has no updates that are not known everywhere
 * ({@code Retirement}), that incarnation is <em>retired</em>: it gives up its place, and every
 * update that it ever made, or did not make, counts as applied. A range for each replica says which
 * of its incarnations are retired. So the size grows with the number of replicas, of incarnations
 * not yet retired and of gaps, never with the number of updates or restarts.
 *
 * <p>A range begins with the first incarnation that was known when it was agreed on: those who have
 * never heard of an earlier one cannot tell what it did (decision 273, {@code
 * docs/decisions/0273-only-known-incarnations-are-retired.md}). So two that had forgotten each
 * other can bring two ranges, which become one when a later incarnation is retired.
 *
 * <p>To retire an incarnation is to add updates to a set, as applying one is. So vectors with
 * different ranges can be joined in any order, like any others. Confined.
 */
public final class VersionVector {
  private static final int WRITER_BYTES_MIN = Long.BYTES + 1;

  /** Updates of one writer. */
  public record Span(long writer, SequenceSet.Range range) {}

  private final TreeMap<Long, SequenceSet> writers = new TreeMap<>();
  private final ReplicaRoster roster = new ReplicaRoster();

  /** The same updates, to be changed on their own. */
  public static VersionVector copyOf(VersionVector other) {
    VersionVector copy = new VersionVector();
    other.writers.forEach((writer, set) -> copy.writers.put(writer, SequenceSet.copyOf(set)));
    copy.roster.addAll(other.roster);
    return copy;
  }

  /** The replicas that are known, and which of their incarnations are retired. */
  public ReplicaRoster roster() {
    return roster;
  }

  /** The writers that have a place. */
  public Collection<Long> writers() {
    return writers.keySet();
  }

  /** Whether that update has been applied, or its writer is retired. */
  public boolean contains(long writer, long sequence) {
    SequenceSet set = writers.get(writer);
    return set != null ? set.contains(sequence) : roster.isRetired(writer);
  }

  /** All updates of the writer of 1 to this have been applied; 0 for a retired one. */
  public long floor(long writer) {
    SequenceSet set = writers.get(writer);
    return set == null ? 0 : set.floor();
  }

  /** The last update of the writer that has been applied; 0 if there is none or it is retired. */
  public long last(long writer) {
    SequenceSet set = writers.get(writer);
    return set == null ? 0 : set.last();
  }

  /** The updates of the writer, which has a place or gets one; a change of these changes this. */
  public SequenceSet of(long writer) {
    return writers.computeIfAbsent(writer, absent -> new SequenceSet());
  }

  /** The updates of the writer; not to be changed. */
  public SequenceSet known(long writer) {
    SequenceSet set = writers.get(writer);
    return set == null ? new SequenceSet() : set;
  }

  /** Takes note of an update that has been applied. */
  public void add(long writer, long sequence) {
    SequenceSet set = writers.get(writer);
    if (set != null) {
      set.add(sequence);
    } else if (!roster.isRetired(writer)) {
      of(writer).add(sequence);
    }
  }

  /** Takes note of all that the other has applied and retired. */
  public void addAll(VersionVector other) {
    roster.addAll(other.roster);
    other.writers.forEach((writer, set) -> of(writer).addAll(set));
    writers.keySet().removeIf(roster::isRetired);
  }

  /**
   * Retires the incarnations of its replica before that one: the one just before it, and all from
   * the first that has a place or is retired.
   */
  public void retireBefore(long incarnation) {
    SortedMap<Long, SequenceSet> before = before(incarnation);
    long first = before.isEmpty() ? incarnation - 1 : before.firstKey();
    roster.retire(first, incarnation, fingerprintBefore(incarnation));
    writers.keySet().removeIf(roster::isRetired);
  }

  /**
   * Retires what the other has retired of incarnations of which exactly the same is known here. Of
   * those everything that it agreed about is here, so nothing else need be taken over with them.
   */
  public void retireAsAgreed(VersionVector other) {
    other
        .roster
        .boundsBeyond(roster)
        .forEach((incarnation, agreed) -> {
          if (agreed == fingerprintBefore(incarnation)) {
            retireBefore(incarnation);
          }
        });
  }

  /** Stands for that incarnation and what {@link #agreesBefore} compares. */
  private long fingerprintBefore(long incarnation) {
    long fingerprint = mix(Fingerprints.mix(incarnation), roster.retired(incarnation));
    for (Map.Entry<Long, SequenceSet> one : before(incarnation).entrySet()) {
      fingerprint = mix(Fingerprints.mix(fingerprint + one.getKey()), one.getValue());
    }
    return fingerprint;
  }

  private static long mix(long fingerprint, SequenceSet set) {
    long mixed = fingerprint;
    for (SequenceSet.Range range : set.ranges()) {
      mixed = Fingerprints.mix(mixed + range.first());
      mixed = Fingerprints.mix(mixed + range.last());
    }
    return mixed;
  }

  /**
   * The incarnations of its replica before that one that have a place, with what is known of each.
   */
  public SortedMap<Long, SequenceSet> before(long incarnation) {
    return writers.subMap(ReplicaRoster.firstIncarnation(incarnation), incarnation);
  }

  /** Whether both hold the same of all incarnations of its replica before that one. */
  public boolean agreesBefore(long incarnation, VersionVector other) {
    return roster.retired(incarnation).equals(other.roster.retired(incarnation))
        && before(incarnation).equals(other.before(incarnation));
  }

  /** Whether this has applied and retired all that the other has. */
  public boolean covers(VersionVector other) {
    return !other.roster.retiresBeyond(roster) && other.minus(this).isEmpty();
  }

  /** The updates in this and not in the other, but for those that are retired here alone. */
  public List<Span> minus(VersionVector other) {
    List<Span> rest = new ArrayList<>();
    SequenceSet none = new SequenceSet();
    for (Map.Entry<Long, SequenceSet> mine : writers.entrySet()) {
      SequenceSet theirs = other.writers.getOrDefault(mine.getKey(), none);
      if (theirs.floor() < mine.getValue().last() && !other.roster.isRetired(mine.getKey())) {
        for (SequenceSet.Range range : mine.getValue().minus(theirs)) {
          rest.add(new Span(mine.getKey(), range));
        }
      }
    }
    return rest;
  }

  /** Writes the vector. */
  public void encode(Encoder out) {
    out.putUnsigned(writers.size());
    writers.forEach((writer, set) -> {
      out.putFixedLong(writer);
      set.encode(out);
    });
    roster.encode(out);
  }

  /** Reads a vector. */
  public static VersionVector decode(Decoder in) {
    VersionVector vector = new VersionVector();
    int count = in.getCount(in.remaining() / WRITER_BYTES_MIN);
    for (int i = 0; i < count; i++) {
      vector.of(in.getFixedLong()).addAll(SequenceSet.decode(in));
    }
    vector.roster.addAll(ReplicaRoster.decode(in));
    vector.writers.keySet().removeIf(vector.roster::isRetired);
    return vector;
  }

  @Override
  public String toString() {
    return writers + " " + roster;
  }
}
