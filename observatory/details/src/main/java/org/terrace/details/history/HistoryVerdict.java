package org.terrace.details.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.terrace.details.comparison.ComparedMetric.Verdict;

/**
 * The verdict on a history: worse if a figure that decides has become worse at a place that nobody
 * has acknowledged. Stateless.
 */
public final class HistoryVerdict {
  private HistoryVerdict() {}

  /**
   * Judges a history.
   *
   * @param acknowledged whether the change of a figure, by its name, at a label is acknowledged
   * @return the same too where nothing has changed
   */
  public static Verdict of(List<MetricTrend> trends, BiPredicate<String, String> acknowledged) {
    List<Verdict> verdicts = new ArrayList<>();
    boolean decided = false;
    for (MetricTrend trend : trends) {
      if (trend.metric().decides()) {
        decided = true;
        trend.changes().stream()
            .filter(change -> !acknowledged.test(trend.metric().name(), change.at()))
            .forEach(change -> verdicts.add(change.verdict()));
        if (!trend.judged() || trend.suspected() != null) {
          verdicts.add(Verdict.UNKNOWN);
        }
      }
    }
    if (verdicts.contains(Verdict.WORSE)) {
      return Verdict.WORSE;
    }
    if (!decided || verdicts.contains(Verdict.UNKNOWN)) {
      return Verdict.UNKNOWN;
    }
    return verdicts.contains(Verdict.BETTER) ? Verdict.BETTER : Verdict.SAME;
  }
}
