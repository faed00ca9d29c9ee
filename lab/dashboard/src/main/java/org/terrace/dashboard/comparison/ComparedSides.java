package org.terrace.dashboard.comparison;

import java.util.List;
import java.util.Locale;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.ComparedMetric;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.MissingFigure;
import org.terrace.details.comparison.ResultComparison;
import org.terrace.report.page.Quantity;

/**
 * Two sets of results compared, with the words that say what came of it. Immutable.
 *
 * @param before the results before a change
 * @param after the results after it
 * @param comparison their figures side by side
 */
public record ComparedSides(
    ComparableResults before, ComparableResults after, ResultComparison comparison) {
  private static final double PER_CENT = 100;

  /**
   * Compares two sets of results.
   *
   * @param marginPercent the change of a time or a rate that does not matter, above 0, at most 100
   * @throws TerraceException if they cannot be compared, with every reason
   */
  public static ComparedSides of(
      ComparableResults before, ComparableResults after, double marginPercent) {
    List<String> obstacles = ComparableResults.obstacles(before, after);
    if (!obstacles.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "not comparable: " + String.join("; ", obstacles));
    }
    return new ComparedSides(
        before,
        after,
        ResultComparison.of(before.metrics(), after.metrics(), marginPercent / PER_CENT));
  }

  /** Whether a margin is one that {@link #of} takes. */
  public static boolean isMargin(double percent) {
    return percent > 0 && percent <= PER_CENT;
  }

  /** The verdict as a sentence. */
  public String sentence() {
    int first = before.results().size();
    int second = after.results().size();
    String counts = " (" + Quantity.count(first, "result") + " before, " + second + " after)";
    return switch (comparison.verdict()) {
      case WORSE -> after.label() + " is worse than " + before.label() + counts + ".";
      case BETTER -> after.label() + " is better than " + before.label() + counts + ".";
      case SAME -> after.label() + " is no worse than " + before.label() + counts + ".";
      case UNKNOWN ->
          "The results cannot tell"
              + counts
              + (first < 2 || second < 2
                  ? ": repeat each side at least twice."
                  : ": repeat more often.");
    };
  }

  /** The verdict on a figure that some results lack, as a sentence. */
  public String sentence(MissingFigure missing) {
    return missing.metric().name()
        + ": "
        + missing.lackingBefore()
        + " of "
        + Quantity.count(before.results().size(), "result")
        + " before and "
        + missing.lackingAfter()
        + " of "
        + after.results().size()
        + " after lack it: "
        + missing.verdict();
  }

  /** The verdict on one figure in words, with whether it decides. */
  public static String verdict(ComparedMetric row) {
    return row.verdict() + (row.metric().decides() ? "" : " (told, does not decide)");
  }

  /** A value of a figure with its unit. */
  public static String value(double value, String unit) {
    return String.format(Locale.ROOT, "%.4g %s", value, unit).strip();
  }

  /** The change of a figure: a ratio or a difference. */
  public static String change(ComparedMetric row) {
    return change(row.metric(), row.change());
  }

  /** The interval of the change, or that there is none. */
  public static String interval(ComparedMetric row) {
    Double low = row.low();
    Double high = row.high();
    return low == null || high == null
        ? "none: one result"
        : change(row.metric(), low) + " to " + change(row.metric(), high);
  }

  private static String change(Metric metric, double change) {
    return switch (metric.scale()) {
      case RATIO -> String.format(Locale.ROOT, "x %.3f", change);
      case DIFFERENCE -> String.format(Locale.ROOT, "%+.3g", change);
    };
  }
}
