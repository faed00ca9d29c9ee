package org.terrace.collections;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Member;

/**
 * The replicas that a replica knows of, each with its latest known life and whether that has said
 * goodbye, the life before which all its lives are retired, and a fingerprint of what was known
 * when they were; 25 bytes each.
 *
 * <p>A replica whose latest known life is retired itself has been forgotten: nobody waits for it;
 * nor for one whose latest life has left. Both lives of a replica only ever become later ones, and
 * a life only ever parts more, so rosters can be joined in any order. Confined.
 */
final class ReplicaRoster {
  private static final int REPLICAS_MAX = 4_096;

  /** Whether a life has said goodbye ({@link Departure}). */
  enum Parting {
    STAYING,
    LEAVING,
    LEFT
  }

  private static final Parting[] PARTINGS = Parting.values();

  /**
   * One replica; both lives are at least the first that it could have had.
   *
   * @param parting of the latest life
   * @param agreed a fingerprint of the updates, and of the bound before, of what was retired last
   */
  private record Place(long latestLife, Parting parting, long retiredBefore, long agreed) {
    Place join(Place other) {
      boolean isLater =
          latestLife == other.latestLife
              ? parting.compareTo(other.parting) > 0
              : latestLife > other.latestLife;
      return new Place(
          Math.max(latestLife, other.latestLife),
          isLater ? parting : other.parting,
          Math.max(retiredBefore, other.retiredBefore),
          retiredBefore < other.retiredBefore ? other.agreed : agreed);
    }

    boolean isForgotten() {
      return latestLife < retiredBefore;
    }
  }

  private final TreeMap<Long, Place> places = new TreeMap<>();

  /** The first life that the replica of that one could have had: none is before it. */
  static long firstLife(long life) {
    return Member.firstLifeOf(life);
  }

  /** Takes note of a life of a replica. */
  void enrol(long life) {
    Place present = places.get(Member.replicaOf(life));
    if (present == null || present.latestLife < life) {
      part(life, Parting.STAYING);
    }
  }

  /** Takes note of a life of a replica, and that it parts. */
  void part(long life, Parting parting) {
    join(new Place(life, parting, firstLife(life), 0));
  }

  /** Whether that life is the latest known of its replica, and will do no more than hand over. */
  boolean isLeaving(long life) {
    return parting(life) != Parting.STAYING;
  }

  /** Whether that life is the latest known of its replica, and has left. */
  boolean hasLeft(long life) {
    return parting(life) == Parting.LEFT;
  }

  private Parting parting(long life) {
    Place place = places.get(Member.replicaOf(life));
    return place == null || place.latestLife != life ? Parting.STAYING : place.parting;
  }

  /** Whether this has all replicas of the other, of lives as late. */
  boolean remembersAllOf(ReplicaRoster other) {
    for (Place place : other.places.values()) {
      Place here = places.get(Member.replicaOf(place.latestLife));
      if (here == null || here.latestLife < place.latestLife) {
        return false;
      }
    }
    return true;
  }

  /** Takes note of replicas and lives that another one knows, and of none that it has retired. */
  void enrolAll(ReplicaRoster other) {
    other.places.values().forEach(place -> part(place.latestLife, place.parting));
  }

  void addAll(ReplicaRoster other) {
    other.places.values().forEach(this::join);
  }

  /** Retires all lives of its replica before that one, of which so much was known. */
  void retireBefore(long life, long agreed) {
    join(new Place(firstLife(life), Parting.STAYING, life, agreed));
  }

  /** The bounds of this that are beyond the other's, with the fingerprint of what was known. */
  Map<Long, Long> boundsBeyond(ReplicaRoster other) {
    Map<Long, Long> bounds = new TreeMap<>();
    for (Place place : places.values()) {
      if (place.retiredBefore > other.retiredBefore(place.retiredBefore)) {
        bounds.put(place.retiredBefore, place.agreed);
      }
    }
    return bounds;
  }

  private void join(Place place) {
    places.merge(Member.replicaOf(place.latestLife), place, Place::join);
  }

  boolean isRetired(long life) {
    return life < retiredBefore(life);
  }

  /** The life before which all lives of its replica are retired. */
  long retiredBefore(long life) {
    Place place = places.get(Member.replicaOf(life));
    return place == null ? firstLife(life) : place.retiredBefore;
  }

  /** Whether this retires a life that the other does not. */
  boolean retiresBeyond(ReplicaRoster other) {
    return !boundsBeyond(other).isEmpty();
  }

  /** The latest known lives of all replicas that are not forgotten. */
  Collection<Long> latestLives() {
    return places.values().stream()
        .filter(place -> !place.isForgotten())
        .map(Place::latestLife)
        .toList();
  }

  /** Number of replicas that are neither forgotten nor have left. */
  long awaited() {
    return places.values().stream()
        .filter(place -> !place.isForgotten() && place.parting != Parting.LEFT)
        .count();
  }

  /** Number of replicas, forgotten ones included. */
  int size() {
    return places.size();
  }

  void encode(Encoder out) {
    out.putUnsigned(places.size());
    for (Place place : places.values()) {
      out.putFixedLong(place.latestLife);
      out.putByte(place.parting.ordinal());
      out.putFixedLong(place.retiredBefore);
      out.putFixedLong(place.agreed);
    }
  }

  static ReplicaRoster decode(Decoder in) {
    ReplicaRoster roster = new ReplicaRoster();
    int count = in.getCount(REPLICAS_MAX);
    for (int i = 0; i < count; i++) {
      Place place = new Place(in.getFixedLong(), parting(in), in.getFixedLong(), in.getFixedLong());
      if (Member.replicaOf(place.latestLife) != Member.replicaOf(place.retiredBefore)) {
        throw new MalformedDataException("two lives that are not of one replica");
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
          .append(Long.toHexString(place.getValue().latestLife))
          .append(' ')
          .append(place.getValue().parting)
          .append(" retired before ")
          .append(Long.toHexString(place.getValue().retiredBefore))
          .append("; ");
    }
    return out.append('}').toString();
  }
}
