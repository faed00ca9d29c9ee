package org.terrace.details.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.terrace.details.comparison.ComparedMetric.Verdict;

/**
 * The verdict on a history: worse if a figure that decides has become worse, or is missing, at a
 * place that nobody has acknowledged. A figure whose end is acknowledged decides only by what it
 * was before. Stateless.
 */
public final class HistoryVerdict {
  private HistoryVerdict() {}

  /**
   * Judges a history.
   *
   * @param acknowledged whether the change of a figure, by its name, at a label is acknowledged, or
   *     that it is missing from there on
   * @return the same too where nothing has changed
   */
  public static Verdict of(List<MetricTrend> trends, BiPredicate<String, String> acknowledged) {
    List<Verdict> verdicts = new ArrayList<>();
    boolean decided = false;
    for (MetricTrend trend : trends) {
      if (trend.metric().decides()) {
        String name = trend.metric().name();
        trend.changes().stream()
            .filter(change -> !acknowledged.test(name, change.at()))
            .forEach(change -> verdicts.add(change.verdict()));
        trend.missing().stream()
            .filter(missing -> !acknowledged.test(name, missing.at()))
            .forEach(missing -> verdicts.add(missing.verdict()));
        MissingStretch end = trend.end();
        if (end != null && acknowledged.test(name, end.at())) {
          continue;
        }
        decided = true;
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
