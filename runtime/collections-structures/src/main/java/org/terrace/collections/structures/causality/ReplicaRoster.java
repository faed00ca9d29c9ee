package org.terrace.collections.structures.causality;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Member;

/**
 * The replicas that a replica knows of, each with its latest known incarnation and whether that has
 * said goodbye, the incarnations of it that are retired, and a fingerprint of what was known when
 * they were; about 30 bytes each.
 *
 * <p>A replica whose latest known incarnation is retired itself has been forgotten: nobody waits
 * for it; nor for one whose latest incarnation has left. The latest incarnation only ever becomes a
 * later one, an incarnation only ever parts more, and those that are retired only ever become more,
 * so rosters can be joined in any order. Confined.
 */
public final class ReplicaRoster {
  private static final int PLACE_BYTES_MIN = 2 * Long.BYTES + 2;
  private static final SequenceSet NONE = new SequenceSet();

  /** Whether an incarnation has said goodbye ({@code Departure}). */
  public enum Parting {
    STAYING,
    LEAVING,
    LEFT
  }

  private static final Parting[] PARTINGS = Parting.values();

  /**
   * One replica; its latest incarnation is at least the first that it could have had.
   *
   * @param parting of the latest incarnation
   * @param retired the numbers of the incarnations that are retired, in one range unless some of
   *     those who retired them had forgotten the others; not to be changed
   * @param agreed what {@link VersionVector#retireAsAgreed} compares: of the retirement that came
   *     to the last of these
   */
  private record Place(long latestIncarnation, Parting parting, SequenceSet retired, long agreed) {
    Place join(Place other) {
      boolean isLater =
          latestIncarnation == other.latestIncarnation
              ? parting.compareTo(other.parting) > 0
              : latestIncarnation > other.latestIncarnation;
      return new Place(
          Math.max(latestIncarnation, other.latestIncarnation),
          isLater ? parting : other.parting,
          retired.union(other.retired),
          retired.last() < other.retired.last() ? other.agreed : agreed);
    }

    boolean isForgotten() {
      return retired.contains(number(latestIncarnation));
    }
  }

  private final TreeMap<Long, Place> places = new TreeMap<>();

  /** The first incarnation that the replica of that one could have had: none is before it. */
  static long firstIncarnation(long incarnation) {
    return Member.firstIncarnationOf(incarnation);
  }

  /** Takes note of an incarnation of a replica. */
  public void enrol(long incarnation) {
    Place present = places.get(Member.replicaOf(incarnation));
    if (present == null || present.latestIncarnation < incarnation) {
      part(incarnation, Parting.STAYING);
    }
  }

  /** Takes note of an incarnation of a replica, and that it parts. */
  public void part(long incarnation, Parting parting) {
    join(new Place(incarnation, parting, NONE, 0));
  }

  /**
   * Whether that incarnation is the latest known of its replica, and will do no more than hand
   * over.
   */
  public boolean isLeaving(long incarnation) {
    return parting(incarnation) != Parting.STAYING;
  }

  /** Whether that incarnation is the latest known of its replica, and has left. */
  public boolean hasLeft(long incarnation) {
    return parting(incarnation) == Parting.LEFT;
  }

  private Parting parting(long incarnation) {
    Place place = places.get(Member.replicaOf(incarnation));
    return place == null || place.latestIncarnation != incarnation
        ? Parting.STAYING
        : place.parting;
  }

  /** Whether this has all replicas of the other, of incarnations as late. */
  public boolean remembersAllOf(ReplicaRoster other) {
    for (Place place : other.places.values()) {
      Place here = places.get(Member.replicaOf(place.latestIncarnation));
      if (here == null || here.latestIncarnation < place.latestIncarnation) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes note of replicas and incarnations that another one knows, and of none that it has
   * retired.
   */
  public void enrolAll(ReplicaRoster other) {
    other.places.values().forEach(place -> part(place.latestIncarnation, place.parting));
  }

  void addAll(ReplicaRoster other) {
    other.places.values().forEach(this::join);
  }

  /**
   * Retires all incarnations of a replica before one, of which so much was known: from that first
   * one or the first that is retired.
   */
  void retire(long first, long before, long agreed) {
    long known = number(first);
    SequenceSet present = retired(before);
    SequenceSet retired = new SequenceSet();
    retired.addRange(
        new SequenceSet.Range(
            present.last() == 0 ? known : Math.min(known, present.first()), number(before) - 1));
    join(new Place(firstIncarnation(before), Parting.STAYING, retired, agreed));
  }

  /**
   * The incarnations that follow the last retired ones, of the replicas of which this has retired
   * some that the other has not, with the fingerprint of what was known.
   */
  Map<Long, Long> boundsBeyond(ReplicaRoster other) {
    Map<Long, Long> bounds = new TreeMap<>();
    for (Place place : places.values()) {
      if (!place.retired.minus(other.retired(place.latestIncarnation)).isEmpty()) {
        long first = firstIncarnation(place.latestIncarnation);
        bounds.put(first + place.retired.last() + 1, place.agreed);
      }
    }
    return bounds;
  }

  private static long number(long incarnation) {
    return incarnation - firstIncarnation(incarnation);
  }

  private void join(Place place) {
    places.merge(Member.replicaOf(place.latestIncarnation), place, Place::join);
  }

  /** Whether that incarnation is retired. */
  public boolean isRetired(long incarnation) {
    return retired(incarnation).contains(number(incarnation));
  }

  /** The numbers of the retired incarnations of its replica; not to be changed. */
  SequenceSet retired(long incarnation) {
    Place place = places.get(Member.replicaOf(incarnation));
    return place == null ? NONE : place.retired;
  }

  /** Whether the replica of that incarnation is known and has been forgotten. */
  public boolean isForgotten(long incarnation) {
    Place place = places.get(Member.replicaOf(incarnation));
    return place != null && place.isForgotten();
  }

  /** Whether this retires an incarnation that the other does not. */
  public boolean retiresBeyond(ReplicaRoster other) {
    return !boundsBeyond(other).isEmpty();
  }

  /** The latest known incarnations of all replicas that are not forgotten. */
  public Collection<Long> latestIncarnations() {
    return places.values().stream()
        .filter(place -> !place.isForgotten())
        .map(Place::latestIncarnation)
        .toList();
  }

  /** Number of replicas that are neither forgotten nor have left. */
  public long awaited() {
    return places.values().stream()
        .filter(place -> !place.isForgotten() && place.parting != Parting.LEFT)
        .count();
  }

  /** Number of replicas, forgotten ones included. */
  public int size() {
    return places.size();
  }

  void encode(Encoder out) {
    out.putUnsigned(places.size());
    for (Place place : places.values()) {
      out.putFixedLong(place.latestIncarnation);
      out.putByte(place.parting.ordinal());
      place.retired.encode(out);
      out.putFixedLong(place.agreed);
    }
  }

  static ReplicaRoster decode(Decoder in) {
    ReplicaRoster roster = new ReplicaRoster();
    int count = in.getCount(in.remaining() / PLACE_BYTES_MIN);
    for (int i = 0; i < count; i++) {
      Place place =
          new Place(in.getFixedLong(), parting(in), SequenceSet.decode(in), in.getFixedLong());
      long bound = firstIncarnation(place.latestIncarnation) + place.retired.last();
      if (Member.replicaOf(place.latestIncarnation) != Member.replicaOf(bound)) {
        throw new MalformedDataException("two incarnations that are not of one replica");
      }
      roster.join(place);
    }
    return roster;
  }

  private static Parting parting(Decoder in) {
    int number = in.getByte();
    if (number < 0 || number >= PARTINGS.length) {
      throw new MalformedDataException("a replica parts in way " + number);
    }
    return PARTINGS[number];
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("{");
    for (Map.Entry<Long, Place> place : places.entrySet()) {
      out.append(Long.toHexString(place.getKey()))
          .append(" latest ")
          .append(Long.toHexString(place.getValue().latestIncarnation))
          .append(' ')
          .append(place.getValue().parting)
          .append(" retired ")
          .append(place.getValue().retired)
          .append("; ");
    }
    return out.append('}').toString();
  }
}
