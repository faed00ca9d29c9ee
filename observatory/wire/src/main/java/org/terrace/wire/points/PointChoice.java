package org.terrace.wire.points;

import java.util.Arrays;
import java.util.List;
import org.terrace.wire.packet.PacketParser;

/**
 * The choice of the point whose packets of a connection count where several saw it: the one nearest
 * to the server, as long as it recorded. Confined to one thread.
 */
final class PointChoice {
  private static final int UNDECIDED = -1;

  /** Packets are on their way for less: those at the edges of a recording are seen within it. */
  private static final long WAY_NANOS_MAX = 100_000_000;

  private final PointTree tree;
  private final List<PointScan> scans;
  private final PacketMark mark = new PacketMark();

  /** By service that several points saw, its place in the arrays below. */
  private final LongTable shared;

  private final long[] seenBy;
  private final int[] nearestLesser;
  private final int[] nearestGreater;
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
    nearestLesser = new int[shared.size()];
    nearestGreater = new int[shared.size()];
    Arrays.fill(nearestLesser, UNDECIDED);
    Arrays.fill(nearestGreater, UNDECIDED);
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
    int nearest = nearest(at, servesLesser(packet));
    return nearest == point
        || timeNanos < startsNanos[nearest] - WAY_NANOS_MAX
        || timeNanos > endsNanos[nearest] + WAY_NANOS_MAX;
  }

  /** Whether the lesser end serves: it was seen to, or has the lesser port. */
  private boolean servesLesser(PacketParser packet) {
    boolean lesser = serving.contains(mark.lesserEnd());
    boolean greater = serving.contains(mark.greaterEnd());
    if (lesser != greater) {
      return lesser;
    }
    return (packet.sourcePort() <= packet.destinationPort()) == mark.fromLesser();
  }

  private int nearest(int at, boolean servesLesser) {
    int[] known = servesLesser ? nearestLesser : nearestGreater;
    if (known[at] == UNDECIDED) {
      int nearest = Long.numberOfTrailingZeros(seenBy[at]);
      for (int point = nearest + 1; point < scans.size(); point++) {
        if ((seenBy[at] & 1L << point) != 0) {
          int side = tree.nearer(point, nearest, mark.hosts());
          guessed |= side == 0;
          nearest = side == (servesLesser ? 1 : -1) ? point : nearest;
        }
      }
      known[at] = nearest;
    }
    return known[at];
  }

  /** Whether the first of several points was chosen somewhere because nothing told the nearer. */
  boolean hasGuessed() {
    return guessed;
  }
}
