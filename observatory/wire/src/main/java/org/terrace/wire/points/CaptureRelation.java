package org.terrace.wire.points;

import java.util.List;

/**
 * The relation of several captures to each other, as their packets tell it. Immutable.
 *
 * @param kind what they are
 * @param one a capture that shows it, as a place in the list
 * @param other another one
 */
public record CaptureRelation(Kind kind, int one, int other) {
  /** The kinds of relations; one that two captures have outweighs those before it. */
  public enum Kind {
    /** Parts of one recording: they follow each other in time. */
    PARTS,
    /** Recordings of one time that share nothing. */
    UNRELATED,
    /** Recordings of several points: they hold the same packets. */
    POINTS,
    /** One recording twice. */
    COPIES
  }

  /** Captures that do not overlap share so many packets before they are taken for points. */
  private static final int SHARED_APART_MIN = 16;

  /** The relation of captures, of which there are at least two. */
  public static CaptureRelation of(List<PointScan> scans) {
    CaptureRelation found = new CaptureRelation(Kind.PARTS, 0, 1);
    for (int one = 0; one < scans.size(); one++) {
      for (int other = one + 1; other < scans.size(); other++) {
        Kind kind = kind(scans.get(one), scans.get(other));
        if (kind.compareTo(found.kind) > 0) {
          found = new CaptureRelation(kind, one, other);
        }
      }
    }
    return found;
  }

  private static Kind kind(PointScan one, PointScan other) {
    SharedPackets shared = one.sample().sharedWith(other.sample(), PieceClock.REFERENCE);
    boolean overlap = one.overlaps(other);
    int sampled = Math.min(one.sample().size(), other.sample().size());
    if (overlap
        ? shared.size() > 0
        : shared.size() >= SHARED_APART_MIN && shared.size() >= sampled / 100) {
      return shared.isSimultaneous() ? Kind.COPIES : Kind.POINTS;
    }
    return overlap ? Kind.UNRELATED : Kind.PARTS;
  }
}
