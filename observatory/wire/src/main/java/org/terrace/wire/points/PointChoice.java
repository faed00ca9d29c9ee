package org.terrace.wire.points;

import java.util.List;
import org.terrace.wire.packet.PacketParser;

/**
 * The choice of the point whose packets of a connection count where several saw it: at each time
 * the one nearest to the server of those that recorded then. Confined to one thread.
 */
final class PointChoice {
  private static final int NONE = -1;

  /**
   * A point's place in an order of points, which is one number: {@link JoinedPoints#POINTS_MAX}.
   */
  private static final int PLACE_BITS = 4;

  private static final int PLACE = (1 << PLACE_BITS) - 1;

  /** Packets are on their way for less: those at the edges of a recording are seen within it. */
  private static final long WAY_NANOS_MAX = 100_000_000;

  private final PointTree tree;
  private final List<PointScan> scans;
  private final PacketMark mark = new PacketMark();

  /** By service that several points saw, its place in the arrays below. */
  private final LongTable shared;

  private final long[] seenBy;

  /** The points from the nearest on if the lesser end serves, zero before it is known. */
  private final long[] ordersLesser;

  private final long[] ordersGreater;
  private final LongTable serving = new LongTable(Integer.MAX_VALUE);
  private final long[] startsNanos;
  private final long[] endsNanos;
  private boolean guessed;

  PointChoice(PointTree tree, List<PointScan> scans) {
    this.tree = tree;
    this.scans = scans;
    shared = new LongTable(Integer.MAX_VALUE);
    LongTable once = new LongTable(Integer.MAX_VALUE);
    for (int point = 0; point < scans.size(); point++) {
      for (long service : scans.get(point).services().keys()) {
        if (once.contains(service) && !shared.contains(service)) {
          shared.put(service, shared.size());
        }
        once.put(service, point);
      }
      for (long end : scans.get(point).serving().keys()) {
        serving.put(end, point);
      }
    }
    seenBy = new long[shared.size()];
    ordersLesser = new long[shared.size()];
    ordersGreater = new long[shared.size()];
    startsNanos = new long[scans.size()];
    endsNanos = new long[scans.size()];
    for (int point = 0; point < scans.size(); point++) {
      startsNanos[point] = scans.get(point).startNanos(tree.clock(point));
      endsNanos[point] = scans.get(point).endNanos(tree.clock(point));
      for (long service : shared.keys()) {
        if (scans.get(point).services().contains(service)) {
          seenBy[shared.get(service)] |= 1L << point;
        }
      }
    }
  }

  /**
   * Whether a packet of TCP counts that a point saw.
   *
   * @param timeNanos its converted time
   */
  boolean counts(int point, PacketParser packet, long timeNanos) {
    mark.ends(packet);
    int at = shared.get(mark.service());
    if (at == LongTable.ABSENT) {
      return true;
    }
    return chosen(at, servesLesser(packet), timeNanos) == point;
  }

  /** The point whose packets of a service count at a time. */
  private int chosen(int at, boolean servesLesser, long timeNanos) {
    int points = Long.bitCount(seenBy[at]);
    long order = order(at, servesLesser);
    int chosen = NONE;
    for (int place = 0; place < points; place++) {
      int point = (int) (order >>> (place * PLACE_BITS)) & PLACE;
      if (chosen == NONE
          ? records(point, timeNanos, WAY_NANOS_MAX)
          : goesOn(point, chosen, timeNanos)) {
        chosen = point;
      }
    }
    return chosen == NONE ? (int) order & PLACE : chosen;
  }

  private boolean records(int point, long timeNanos, long slackNanos) {
    return timeNanos >= startsNanos[point] - slackNanos
        && timeNanos <= endsNanos[point] + slackNanos;
  }

  /** Whether a point records on one's side that does not, as the next file of its host does. */
  private boolean goesOn(int point, int before, long timeNanos) {
    return records(point, timeNanos, 0)
        && !records(before, timeNanos, 0)
        && tree.nearer(point, before, mark.hosts()) == 0;
  }

  /** Whether the lesser end serves: it was seen to, or has the lesser port. */
  private boolean servesLesser(PacketParser packet) {
    boolean lesser = serving.contains(mark.lesserEnd());
    boolean greater = serving.contains(mark.greaterEnd());
    if (lesser != greater) {
      return lesser;
    }
    // Where both are equal, one end serves for the packets of both directions.
    return mark.fromLesser()
        ? packet.sourcePort() <= packet.destinationPort()
        : packet.destinationPort() <= packet.sourcePort();
  }

  /** The points that saw a service, from the one nearest to its server on. */
  private long order(int at, boolean servesLesser) {
    long[] known = servesLesser ? ordersLesser : ordersGreater;
    if (known[at] == 0) {
      long left = seenBy[at];
      for (int shift = 0; left != 0; shift += PLACE_BITS) {
        int nearest = nearest(left, servesLesser);
        known[at] |= (long) nearest << shift;
        left &= ~(1L << nearest);
      }
    }
    return known[at];
  }

  private int nearest(long points, boolean servesLesser) {
    int nearest = Long.numberOfTrailingZeros(points);
    for (int point = nearest + 1; point < scans.size(); point++) {
      if ((points & 1L << point) != 0) {
        int side = tree.nearer(point, nearest, mark.hosts());
        guessed |= side == 0 && overlap(point, nearest);
        nearest = side == (servesLesser ? 1 : -1) ? point : nearest;
      }
    }
    return nearest;
  }

  private boolean overlap(int one, int other) {
    return startsNanos[one] <= endsNanos[other] && startsNanos[other] <= endsNanos[one];
  }

  /** Whether the first of several points was chosen somewhere because nothing told the nearer. */
  boolean hasGuessed() {
    return guessed;
  }
}
