package org.terrace.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.CapturePoint;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The table of the points at which packets were recorded, and of their clocks. */
final class PointTable {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String UNBOUNDED = "unbounded";

  private PointTable() {}

  /** Writes nothing for a capture at one point. */
  static void write(List<CapturePoint> points, Markup page) {
    if (points.isEmpty()) {
      return;
    }
    page.leaf("h3", "Capture points");
    page.leaf(
        "p",
        "All times are by the clock of "
            + points.getFirst().name()
            + ". The others' are converted by the packets that two points recorded: none arrives"
            + " before it is sent, which bounds how far a clock is ahead.",
        "class",
        "lead");
    Tables.open(
        page,
        "Point",
        "Files",
        "#Packets",
        "#Shared",
        "Compared with",
        "#Ahead by (ms)",
        "#At least",
        "#At most",
        "#Drift (ppm)",
        "#Off by at most (ms)",
        "#Round trip");
    for (CapturePoint point : points) {
      if (point.clock().isEmpty()) {
        begin(point, page);
        for (int column = 0; column < 6; column++) {
          Tables.number(page, "–");
        }
        page.close();
      }
      for (CapturePoint.Offset clock : point.clock()) {
        begin(point, page);
        clock(point, clock, page);
        page.close();
      }
    }
    Tables.close(page);
    for (CapturePoint point : points) {
      point.warnings().forEach(each -> page.leaf("p", point.name() + ": " + each, "class", "note"));
    }
  }

  private static void begin(CapturePoint point, Markup page) {
    String with = point.comparedWith();
    page.open("tr").leaf("td", point.name()).leaf("td", String.join(", ", point.files()));
    Tables.number(page, Quantity.count(point.packets()));
    Tables.number(page, Quantity.count(point.sharedPackets()));
    page.leaf("td", with == null ? "the reference" : with);
  }

  private static void clock(CapturePoint point, CapturePoint.Offset clock, Markup page) {
    Long roundTrip = point.roundTripNanos();
    Tables.number(page, millis(clock.offsetNanos()));
    Tables.number(page, millis(clock.lowNanos()));
    Tables.number(page, millis(clock.highNanos()));
    Tables.number(
        page,
        String.format(
            Locale.ROOT,
            "%.2f (%.2f to %.2f)",
            clock.driftPpm(),
            clock.driftLowPpm(),
            clock.driftHighPpm()));
    Tables.number(page, millis(point.errorNanos()));
    Tables.number(page, roundTrip == null ? "–" : Quantity.nanos(roundTrip));
  }

  private static String millis(@Nullable Long nanos) {
    return nanos == null ? UNBOUNDED : String.format(Locale.ROOT, "%,.4f", nanos / NANOS_PER_MILLI);
  }
}
