package org.terrace.wire.points;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.PacketClock;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.ClockStretch;
import org.terrace.wire.statistics.PointStatistics;

/**
 * Capture points put on the clock of the first one: how times are converted, and which packets
 * count. Confined to one thread.
 */
public final class JoinedPoints {
  /** The most points. */
  public static final int POINTS_MAX = 16;

  private final List<String> names;
  private final List<List<String>> files;
  private final List<PointScan> scans;
  private final PointTree tree;
  private final PointChoice choice;

  /** By point, the packets of those before it. */
  private final long[] before;

  /**
   * Compares the clocks of points.
   *
   * @param names their names, the reference's first
   * @param files the names of their files
   * @param scans their first readings
   * @throws TerraceException when a clock cannot be compared
   */
  public JoinedPoints(List<String> names, List<List<String>> files, List<PointScan> scans) {
    if (scans.size() > POINTS_MAX) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          scans.size() + " capture points were given; expected at most " + POINTS_MAX);
    }
    this.names = List.copyOf(names);
    this.files = List.copyOf(files);
    this.scans = List.copyOf(scans);
    tree = new PointTree(this.names, this.scans);
    choice = new PointChoice(tree, this.scans);
    before = new long[scans.size()];
    for (int point = 1; point < before.length; point++) {
      before[point] = before[point - 1] + scans.get(point - 1).packets();
    }
  }

  /** The conversion of a point's times to the reference's clock. */
  public PacketClock clock(int point) {
    return tree.clock(point);
  }

  /** Packets of all points before one, by which its own are numbered on. */
  public long packetsBefore(int point) {
    return before[point];
  }

  /** The name of the point that recorded a packet, by its number among all of them. */
  public String nameOf(long number) {
    return names.get(pointOf(number));
  }

  /**
   * The time that the point's own clock told of a packet, from the converted one: exact, or off by
   * a nanosecond where two times of a drifting clock are converted to one.
   *
   * @param number its number among those of all points
   */
  public long rawNanos(long number, long timeNanos) {
    int point = pointOf(number);
    return tree.clock(point).rawNanos(number - before[point], timeNanos);
  }

  private int pointOf(long number) {
    int point = before.length - 1;
    while (point > 0 && before[point] >= number) {
      point--;
    }
    return point;
  }

  /**
   * Whether a packet of TCP counts that a point saw, or is another point's to count.
   *
   * @param timeNanos its converted time
   */
  public boolean counts(int point, PacketParser packet, long timeNanos) {
    return choice.counts(point, packet, timeNanos);
  }

  /**
   * Whether some packets counted as the first of several points saw them, as nothing told which was
   * nearest to the server; known once they were read.
   */
  public boolean hasGuessed() {
    return choice.hasGuessed();
  }

  /** The points' packets, and the comparison of their clocks. */
  public List<PointStatistics> statistics() {
    List<PointStatistics> all = new ArrayList<>();
    for (int point = 0; point < scans.size(); point++) {
      boolean reference = point == 0;
      all.add(
          new PointStatistics(
              names.get(point),
              files.get(point),
              scans.get(point).packets(),
              reference ? 0 : tree.pair(point).shared(),
              reference ? null : tree.parentName(point),
              whole(tree.errorNanos(point)),
              reference ? null : tree.pair(point).sides().roundTripNanos(),
              stretches(point),
              warnings(point)));
    }
    return all;
  }

  private List<ClockStretch> stretches(int point) {
    ClockFit fit = point == 0 ? null : tree.pair(point).fit();
    return fit == null ? List.of() : fit.stretches();
  }

  private List<String> warnings(int point) {
    List<String> warnings = new ArrayList<>();
    if (scans.get(point).services().overflowed()) {
      warnings.add(
          "it saw more than "
              + PointScan.SERVICES_MAX / scans.size()
              + " services of clients' hosts: what another point saw too may count twice.");
    }
    if (point == 0) {
      return warnings;
    }
    PointPair pair = tree.pair(point);
    ClockFit fit = pair.fit();
    if (fit != null) {
      fit.changes().forEach(change -> warnings.add(change + "."));
    }
    if (pair.strays() > 0) {
      warnings.add(
          pair.strays()
              + " packets that it shares with "
              + tree.parentName(point)
              + " contradict those before and behind them, as ones do that were sent twice and of"
              + " which each missed another copy; they were not used.");
    }
    if (pair.aimless() > 0) {
      warnings.add(
          pair.aimless()
              + " packets that it shares with "
              + tree.parentName(point)
              + " did not tell which way they went, and were not used.");
    }
    return warnings;
  }

  private static @Nullable Long whole(double nanos) {
    return Double.isInfinite(nanos) ? null : (long) Math.ceil(nanos);
  }
}
