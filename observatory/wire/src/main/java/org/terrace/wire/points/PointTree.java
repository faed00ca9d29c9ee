package org.terrace.wire.points;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The way from each capture point's clock to the reference's, over other points where these are
 * compared more narrowly: errors add up on the way, and the shortest way is taken. Immutable once
 * made.
 */
final class PointTree {
  private static final int NONE = -1;

  private final List<String> names;
  private final List<PointScan> scans;

  /** By point, its comparisons with the points before it, as their clocks stand. */
  private final PointPair[][] raw;

  private final int[] parents;
  private final PointPair[] pairs;
  private final PieceClock[] clocks;
  private final double[] errors;

  /** The tree of points, of which the first is the reference. */
  PointTree(List<String> names, List<PointScan> scans) {
    this.names = names;
    this.scans = scans;
    int size = scans.size();
    raw = new PointPair[size][size];
    parents = new int[size];
    pairs = new PointPair[size];
    clocks = new PieceClock[size];
    errors = new double[size];
    Arrays.fill(parents, NONE);
    clocks[0] = PieceClock.REFERENCE;
    compareAll();
    for (int attached = 1; attached < size; attached++) {
      attachNearest();
    }
  }

  private void compareAll() {
    for (int point = 0; point < raw.length; point++) {
      for (int other = 0; other < point; other++) {
        raw[point][other] =
            PointPair.of(scans.get(point), scans.get(other), PieceClock.REFERENCE, 0);
      }
    }
  }

  private PointPair raw(int point, int other) {
    return raw[Math.max(point, other)][Math.min(point, other)];
  }

  private void attachNearest() {
    int nearest = NONE;
    int over = NONE;
    double least = Double.POSITIVE_INFINITY;
    for (int point = 0; point < raw.length; point++) {
      for (int parent = 0; parent < raw.length && clocks[point] == null; parent++) {
        if (clocks[parent] != null && raw(point, parent).isUsable()) {
          double error = raw(point, parent).errorNanos() + errors[parent];
          if (nearest == NONE || error < least) {
            nearest = point;
            over = parent;
            least = error;
          }
        }
      }
    }
    if (nearest == NONE) {
      throw unattached();
    }
    attach(nearest, over);
  }

  private void attach(int point, int parent) {
    PointPair pair =
        parent == 0
            ? raw(point, parent)
            : PointPair.of(scans.get(point), scans.get(parent), clocks[parent], errors[parent]);
    ClockFit fit = pair.fit();
    if (fit == null || !pair.isUsable()) {
      throw refused(point, "compared with " + names.get(parent) + ", " + pair.refusal());
    }
    parents[point] = parent;
    pairs[point] = pair;
    clocks[point] = fit.clock();
    errors[point] = fit.errorNanos();
  }

  private TerraceException unattached() {
    List<String> attached = new ArrayList<>();
    int first = NONE;
    for (int point = 0; point < clocks.length; point++) {
      if (clocks[point] != null) {
        attached.add(names.get(point));
      } else if (first == NONE) {
        first = point;
      }
    }
    int left = first;
    String reasons =
        IntStream.range(0, clocks.length)
            .filter(other -> clocks[other] != null)
            .mapToObj(other -> raw(left, other).refusal())
            .distinct()
            .collect(Collectors.joining("; or "));
    return refused(left, "compared with " + String.join(", ", attached) + ", " + reasons);
  }

  private TerraceException refused(int point, String why) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "the capture point "
            + names.get(point)
            + " has a clock that cannot be compared: "
            + why
            + ". Points are put on one clock by packets of TCP that two of them recorded at the same"
            + " time, with the same addresses (not translated in between). Record the traffic between"
            + " the hosts on both, or leave this point out.");
  }

  /** The name of the point with whose clock a point's was compared. */
  String parentName(int point) {
    return names.get(parents[point]);
  }

  /** The comparison by which a point other than the reference is converted. */
  PointPair pair(int point) {
    return pairs[point];
  }

  /** The correction of a point's clock to the reference's. */
  PieceClock clock(int point) {
    return clocks[point];
  }

  /** The most by which a point's converted times are off. */
  double errorNanos(int point) {
    return errors[point];
  }

  /**
   * The host of two that a point is nearer to than another point: 1 for the lesser, -1 for the
   * greater, 0 when nothing tells.
   */
  int nearer(int point, int other, long hosts) {
    int nearer = raw(point, other).sides().nearer(hosts);
    return point > other ? nearer : -nearer;
  }
}
