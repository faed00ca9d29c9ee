package org.terrace.cli.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.CapturePoint;
import org.terrace.wire.CaptureParts;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.ReadProgress;

/** The captures of several hosts as a user gives them, and what is said of their clocks. */
public final class PointInput {
  /** The warning of connections of which nothing told the point nearest to the server. */
  public static final String GUESSED =
      "Some connections that several capture points saw are told as the first of these saw them:"
          + " too few packets tell which is nearest to the server.";

  private static final String STANDARD_INPUT = "-";
  private static final double NANOS_PER_MILLI = 1e6;

  private PointInput() {}

  /** The files to read: those that were given plainly, or those of named points. */
  public static List<Path> files(List<Path> inputs, List<String> named) {
    if (inputs.isEmpty() == named.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          named.isEmpty()
              ? "Missing required parameter: 'INPUT'; expected a capture, traces or a table"
              : "--point: "
                  + inputs.getFirst()
                  + " has no --point before it; name the host of each capture, or of none");
    }
    return named.isEmpty()
        ? inputs
        : points(named, new ReadProgress()).stream()
            .flatMap(point -> point.files().stream())
            .map(CaptureSource.FileSource::path)
            .toList();
  }

  /** Captures of which nothing is said, as parts of one recording; null where they are none. */
  public static @Nullable CaptureParts parts(
      List<Path> inputs, List<String> named, ReadProgress progress) {
    return named.isEmpty()
            && inputs.size() > 1
            && inputs.stream().noneMatch(PointInput::isStandardInput)
        ? CaptureParts.of(files(inputs, progress))
        : null;
  }

  /** Whether parts are read in the order in which they were given. */
  public static boolean isInOrder(CaptureParts parts, List<Path> inputs) {
    return parts.files().stream().map(CaptureSource.FileSource::path).toList().equals(inputs);
  }

  /**
   * The capture points of a command.
   *
   * @param inputs captures of which nothing is said
   * @param named captures with the names of their hosts, {@code NAME=FILE}
   * @param progress is told how far they were read
   * @return null where all captures are of one recording
   */
  public static @Nullable CapturePoints of(
      List<Path> inputs, List<String> named, ReadProgress progress) {
    if (!named.isEmpty()) {
      return CapturePoints.of(points(named, progress));
    }
    if (inputs.size() < 2 || inputs.stream().anyMatch(PointInput::isStandardInput)) {
      return null;
    }
    return CapturePoints.find(files(inputs, progress));
  }

  private static List<CaptureSource.FileSource> files(List<Path> paths, ReadProgress progress) {
    return paths.stream().map(path -> CaptureSource.file(path, progress)).toList();
  }

  private static boolean isStandardInput(Path input) {
    return input.toString().equals(STANDARD_INPUT);
  }

  private static List<CapturePoints.Point> points(List<String> named, ReadProgress progress) {
    Map<String, List<CaptureSource.FileSource>> files = new LinkedHashMap<>();
    for (String each : named) {
      int equals = each.indexOf('=');
      String file = each.substring(equals + 1);
      if (equals < 1 || file.isEmpty()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "--point: '" + each + "' is not NAME=FILE; expected one such as web=web.pcapng");
      }
      if (file.equals(STANDARD_INPUT)) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "--point: '"
                + each
                + "' is standard input, but captures of several hosts are read twice; expected a"
                + " file");
      }
      files
          .computeIfAbsent(each.substring(0, equals), name -> new ArrayList<>())
          .add(CaptureSource.file(Path.of(file), progress));
    }
    if (files.size() < 2) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--point: one host was named, "
              + files.keySet().iterator().next()
              + "; name another one, or give its captures without --point");
    }
    List<CapturePoints.Point> points = new ArrayList<>();
    files.forEach((name, captures) -> points.add(new CapturePoints.Point(name, captures)));
    return points;
  }

  /** A point's clock in a sentence. */
  public static String sentence(CapturePoint point) {
    if (point.clock().isEmpty()) {
      return String.format(
          Locale.ROOT,
          "%s: %,d packets; all times are by its clock",
          point.name(),
          point.packets());
    }
    CapturePoint.Offset clock = point.clock().getFirst();
    Long error = point.errorNanos();
    return String.format(
        Locale.ROOT,
        "%s: %,d packets, %,d of them shared with %s; its clock is %s ms %s%s, %s",
        point.name(),
        point.packets(),
        point.sharedPackets(),
        point.comparedWith(),
        millis(Math.abs(clock.offsetNanos())),
        clock.offsetNanos() < 0 ? "behind" : "ahead",
        clock.driftPpm() == 0
            ? ""
            : String.format(Locale.ROOT, " and drifts by %.2f ppm", clock.driftPpm()),
        error == null ? "to an unknown error" : "give or take " + millis(error) + " ms");
  }

  /** Warnings of clocks that are not known as closely as the findings would need. */
  public static List<String> limits(List<CapturePoint> points, Findings findings) {
    double windowNanos = findings.window().millis() * NANOS_PER_MILLI;
    double shortestStall =
        findings.servers().stream()
            .flatMap(server -> server.stalls().stream())
            .mapToDouble(stall -> stall.endNanos() - stall.startNanos())
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    List<String> limits = new ArrayList<>();
    for (CapturePoint point : points) {
      Long error = point.errorNanos();
      double width = error == null ? Double.POSITIVE_INFINITY : 2.0 * error;
      String known =
          error == null
              ? "is not bounded at all times"
              : "is known to " + millis(error) + " ms more or less";
      if (width > windowNanos) {
        limits.add(
            String.format(
                Locale.ROOT,
                "Capture point %s: its clock %s, which is wider than a window of %d ms: do not"
                    + " compare windows of servers that different points recorded.",
                point.name(),
                known,
                findings.window().millis()));
      } else if (width > shortestStall) {
        limits.add(
            String.format(
                Locale.ROOT,
                "Capture point %s: its clock %s, which is wider than the shortest stall (%s ms).",
                point.name(),
                known,
                millis((long) shortestStall)));
      }
    }
    return limits;
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%,.3f", nanos / NANOS_PER_MILLI);
  }
}
