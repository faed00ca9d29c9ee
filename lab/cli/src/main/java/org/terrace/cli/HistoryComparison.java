package org.terrace.cli;

import java.util.ArrayList;
import java.util.List;
import org.terrace.cli.history.AcknowledgedChanges;
import org.terrace.cli.history.History;
import org.terrace.cli.history.HistoryText;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.history.ChangePoints;
import org.terrace.details.history.HistoryVerdict;
import org.terrace.details.history.MetricHistory;
import org.terrace.details.history.MetricTrend;

/** {@code terrace compare --history}: a history read, judged, acknowledged. Immutable. */
final class HistoryComparison {
  private static final double PER_CENT = 100;

  private final List<MetricTrend> trends;
  private final AcknowledgedChanges acknowledged;
  private final List<String> newestLeftOut;

  private HistoryComparison(
      List<MetricTrend> trends, AcknowledgedChanges acknowledged, List<String> newestLeftOut) {
    this.trends = trends;
    this.acknowledged = acknowledged;
    this.newestLeftOut = newestLeftOut;
  }

  /**
   * Reads and judges a history, and acknowledges what is asked for.
   *
   * @param acknowledge the changes to acknowledge
   * @throws TerraceException if it cannot be compared, or there is no such change
   */
  static HistoryComparison of(
      List<String> arguments, double marginPercent, List<String> acknowledge, Console console) {
    History history = History.read(arguments);
    history.notes().forEach(note -> console.message("%s", note));
    List<MetricTrend> trends = new ArrayList<>();
    for (MetricHistory figure : history.figures()) {
      trends.add(MetricTrend.of(figure, marginPercent / PER_CENT));
      if (trends.size() % 100 == 0) {
        console.progress("%d of %d figures", trends.size(), history.figures().size());
      }
    }
    console.endProgress();
    refuseTooFew(trends);
    AcknowledgedChanges acknowledged = AcknowledgedChanges.beside(history.folder(), history.file());
    if (!acknowledge.isEmpty()) {
      acknowledged = acknowledged.with(acknowledge, trends);
      console.message(
          "%d changes are acknowledged in %s", acknowledged.changes().size(), acknowledged.file());
    }
    return new HistoryComparison(trends, acknowledged, history.newestLeftOut());
  }

  private static void refuseTooFew(List<MetricTrend> trends) {
    int most = trends.stream().mapToInt(trend -> trend.points().size()).max().orElse(0);
    if (most < ChangePoints.FEWEST_VALUES) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "not comparable: no figure has more than %d points; a change can be told from %d on."
                  .formatted(most, ChangePoints.FEWEST_VALUES)
              + " Add results to the history.");
    }
  }

  /** The verdict on the points; nobody can tell where the newest results are none of them. */
  Verdict verdict() {
    Verdict ofPoints = HistoryVerdict.of(trends, acknowledged::has);
    return newestLeftOut.isEmpty() || ofPoints == Verdict.WORSE ? ofPoints : Verdict.UNKNOWN;
  }

  HistoryText text() {
    return new HistoryText(trends, acknowledged, newestLeftOut, verdict());
  }
}
