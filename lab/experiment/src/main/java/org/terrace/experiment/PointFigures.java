package org.terrace.experiment;

import java.util.ArrayList;
import java.util.List;
import org.terrace.observation.CapturePoint;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.statistics.PointStatistics;

/** The capture points of several hosts as findings have them. Stateless. */
public final class PointFigures {
  private PointFigures() {}

  /** The points and what is known of their clocks. */
  public static List<CapturePoint> of(CapturePoints points) {
    return points.statistics().stream().map(PointFigures::described).toList();
  }

  private static CapturePoint described(PointStatistics point) {
    return new CapturePoint(
        point.name(),
        point.files(),
        point.packets(),
        point.sharedPackets(),
        point.comparedWith(),
        point.errorNanos(),
        point.roundTripNanos(),
        point.clock().stream()
            .map(each ->
                new CapturePoint.Offset(
                    each.startNanos(),
                    each.endNanos(),
                    each.offsetNanos(),
                    each.lowNanos(),
                    each.highNanos(),
                    each.driftPpm(),
                    each.driftLowPpm(),
                    each.driftHighPpm()))
            .toList(),
        point.warnings());
  }

  /** The warnings of all points, each with the point's name. */
  public static List<String> warnings(List<CapturePoint> points) {
    List<String> warnings = new ArrayList<>();
    for (CapturePoint point : points) {
      point.warnings().forEach(each -> warnings.add("Capture point " + point.name() + ": " + each));
    }
    return warnings;
  }
}
