package org.terrace.wire;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.CaptureSecrets;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketClock;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.points.CaptureRelation;
import org.terrace.wire.points.JoinedPoints;
import org.terrace.wire.points.PointScan;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.PointStatistics;

/**
 * The captures of several points, such as hosts whose clocks differ, put on the clock of the first
 * by the packets that two of them saw. They are read twice: once to compare the clocks, in bounded
 * memory, and once for their conversations. Confined to one thread.
 */
public final class CapturePoints implements CaptureSource {
  private final List<Point> points;
  private final JoinedPoints joined;

  private CapturePoints(List<Point> points, JoinedPoints joined) {
    this.points = points;
    this.joined = joined;
  }

  /**
   * A capture point. Immutable.
   *
   * @param name what it is called
   * @param files its captures in the order of time, at least one
   */
  public record Point(String name, List<FileSource> files) {
    /** Copies the files and checks that there are some. */
    public Point {
      files = List.copyOf(files);
      if (files.isEmpty()) {
        throw new IllegalArgumentException(name + " has no captures");
      }
    }

    private List<String> fileNames() {
      return files.stream().map(FileSource::name).toList();
    }
  }

  /**
   * Compares the clocks of points.
   *
   * @param points at least two, of different names, the one with the clock to keep first
   * @throws TerraceException when a file cannot be read, or a clock cannot be compared
   */
  public static CapturePoints of(List<Point> points) {
    checkNames(points);
    checkFiles(points);
    List<PointScan> scans = points.stream().map(point -> scan(point, points.size())).toList();
    CaptureRelation relation = CaptureRelation.of(scans);
    if (relation.kind() == CaptureRelation.Kind.COPIES) {
      throw copies(points.get(relation.one()).name(), points.get(relation.other()).name());
    }
    return joined(points, scans);
  }

  /**
   * The points of files of which nothing is said: they are captures of several points if some hold
   * the same packets, and parts of one recording if they follow each other in time.
   *
   * @return the points, each called by its file, the first one's clock kept; null for parts
   * @throws TerraceException when a file cannot be read, they are neither, or a clock cannot be
   *     compared
   */
  public static @Nullable CapturePoints find(List<FileSource> files) {
    List<Point> points = files.stream().map(file -> new Point(file.name(), List.of(file))).toList();
    List<PointScan> scans = points.stream().map(point -> scan(point, points.size())).toList();
    CaptureRelation relation = CaptureRelation.of(scans);
    String one = files.get(relation.one()).name();
    String other = files.get(relation.other()).name();
    return switch (relation.kind()) {
      case PARTS -> null;
      case POINTS -> joined(points, scans);
      case COPIES -> throw copies(one, other);
      case UNRELATED ->
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              one
                  + " and "
                  + other
                  + " are of one time and share no packet, so that nothing compares their clocks."
                  + " Record the traffic between the hosts on both of them; or, if one clock gave all"
                  + " times, join the files first (mergecap -w all.pcapng "
                  + one
                  + " "
                  + other
                  + ").");
    };
  }

  private static CapturePoints joined(List<Point> points, List<PointScan> scans) {
    return new CapturePoints(
        List.copyOf(points),
        new JoinedPoints(
            points.stream().map(Point::name).toList(),
            points.stream().map(Point::fileNames).toList(),
            scans));
  }

  private static TerraceException copies(String one, String other) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        one + " and " + other + " hold the same packets at the same times: give one of them.");
  }

  private static void checkFiles(List<Point> points) {
    for (Point point : points) {
      Set<Path> files = new HashSet<>();
      for (FileSource file : point.files()) {
        if (!files.add(file.path().toAbsolutePath().normalize())) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              file.name() + " was given twice for the capture point " + point.name());
        }
      }
    }
  }

  private static void checkNames(List<Point> points) {
    Set<String> names = new HashSet<>();
    for (Point point : points) {
      if (!names.add(point.name())) {
        throw new IllegalArgumentException("two capture points are called " + point.name());
      }
    }
  }

  private static PointScan scan(Point point, int points) {
    PointScan scan = new PointScan(points);
    PacketParser parser = new PacketParser();
    try (PointPackets packets =
        new PointPackets(
            point.files(),
            PacketClock.RAW,
            0,
            1,
            new Counters(),
            new HostNames(),
            CaptureSecrets.NONE)) {
      while (packets.next()) {
        var stream = packets.stream();
        PacketParser.Kind kind =
            parser.parse(
                stream.bytes(),
                stream.offset(),
                stream.capturedBytes(),
                stream.wireBytes(),
                stream.linkType());
        scan.take(kind, parser, stream.bytes(), packets.number(), packets.timeNanos());
      }
    }
    return scan;
  }

  @Override
  public String name() {
    return points.stream().map(Point::name).collect(Collectors.joining(", "));
  }

  /** The points' packets, and the comparison of their clocks. */
  public List<PointStatistics> statistics() {
    return joined.statistics();
  }

  /**
   * Whether some packets counted as the first of several points saw them, as nothing told which was
   * nearest to the server; known once they were read.
   */
  public boolean hasGuessed() {
    return joined.hasGuessed();
  }

  /**
   * The name of the point that recorded a packet, by its number where only these points are read.
   */
  public String nameOf(long frame) {
    return joined.nameOf(frame);
  }

  /**
   * The time that the point's own clock told of a packet, in nanoseconds since the Unix epoch:
   * exact, or off by one where two times of a drifting clock are converted to one.
   *
   * @param frame its number where only these points are read
   * @param timeNanos its converted time
   */
  public long rawNanos(long frame, long timeNanos) {
    return joined.rawNanos(frame, timeNanos);
  }

  /** Opens all points, their times converted; whoever opened them closes them. */
  List<PointPackets> open(
      long framesBefore,
      int reorderPackets,
      Counters counters,
      HostNames hostNames,
      CaptureSecrets secrets) {
    List<PointPackets> open = new ArrayList<>();
    for (int at = 0; at < points.size(); at++) {
      open.add(
          new PointPackets(
              points.get(at).files(),
              joined.clock(at),
              framesBefore + joined.packetsBefore(at),
              reorderPackets,
              counters,
              hostNames,
              secrets));
    }
    return open;
  }

  /** Whether a packet of TCP that a point saw counts, or is another point's to count. */
  boolean counts(int point, PacketParser packet, long timeNanos) {
    return joined.counts(point, packet, timeNanos);
  }
}
