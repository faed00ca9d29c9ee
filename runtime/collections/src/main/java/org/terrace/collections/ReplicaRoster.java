package org.terrace.collections;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Member;

/**
 * The replicas that a replica knows of, each with its latest known life, the life before which all
 * its lives are retired, and a fingerprint of what was known when they were; 24 bytes each.
 *
 * <p>A replica whose latest known life is retired itself has been forgotten: nobody waits for it.
 * Both lives of a replica only ever become later ones, so rosters can be joined in any order.
 * Confined.
 */
final class ReplicaRoster {
  private static final int REPLICAS_MAX = 4_096;

  /**
   * One replica; both lives are at least the first that it could have had.
   *
   * @param agreed a fingerprint of the updates, and of the bound before, of what was retired last
   */
  private record Place(long latestLife, long retiredBefore, long agreed) {
    Place join(Place other) {
      return new Place(
          Math.max(latestLife, other.latestLife),
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
      join(new Place(life, firstLife(life), 0));
    }
  }

  /** Takes note of replicas and lives that another one knows, and of none that it has retired. */
  void enrolAll(ReplicaRoster other) {
    other.places.values().forEach(place -> enrol(place.latestLife));
  }

  void addAll(ReplicaRoster other) {
    other.places.values().forEach(this::join);
  }

  /** Retires all lives of its replica before that one, of which so much was known. */
  void retireBefore(long life, long agreed) {
    join(new Place(firstLife(life), life, agreed));
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

  /** Number of replicas, forgotten ones included. */
  int size() {
    return places.size();
  }

  void encode(Encoder out) {
    out.putUnsigned(places.size());
    for (Place place : places.values()) {
      out.putFixedLong(place.latestLife);
      out.putFixedLong(place.retiredBefore);
      out.putFixedLong(place.agreed);
    }
  }

  static ReplicaRoster decode(Decoder in) {
    ReplicaRoster roster = new ReplicaRoster();
    int count = in.getCount(REPLICAS_MAX);
    for (int i = 0; i < count; i++) {
      Place place = new Place(in.getFixedLong(), in.getFixedLong(), in.getFixedLong());
      if (Member.replicaOf(place.latestLife) != Member.replicaOf(place.retiredBefore)) {
        throw new MalformedDataException("two lives that are not of one replica");
      }
      roster.join(place);
    }
    return roster;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("{");
    for (Map.Entry<Long, Place> place : places.entrySet()) {
      out.append(Long.toHexString(place.getKey()))
          .append(" latest ")
          .append(Long.toHexString(place.getValue().latestLife))
          .append(" retired before ")
          .append(Long.toHexString(place.getValue().retiredBefore))
          .append("; ");
    }
    return out.append('}').toString();
  }
}
