package org.terrace.cli.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.analysis.study.Validity;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.ComparableResults;
import org.terrace.dashboard.comparison.ComparableResults.Result;
import org.terrace.details.comparison.Metric;

/** The figures of results as points of a history. Stateless. */
final class ResultPoints {
  private static final int MOST_REASONS = 5;

  private ResultPoints() {}

  /**
   * Adds the figures of results. One that failed a check of its measurement is left out, with a
   * note, as is a run that left no findings, or a directory of several results.
   *
   * @return the labels of what was left out after the last result that was not
   */
  static List<String> addAll(List<History.Item> items, SeriesBuilder series, List<String> notes) {
    List<Result> results = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    List<String> newestLeftOut = new ArrayList<>();
    for (History.Item item : items) {
      Optional<String> whyNot = item.whyNoPoint();
      if (whyNot.isPresent()) {
        notes.add(item.place() + " is left out: " + whyNot.get());
        newestLeftOut.add(item.label());
        continue;
      }
      Result result = ComparableResults.of(item.place(), child -> true).results().getFirst();
      List<Validity> failed =
          result.findings().validity().stream().filter(check -> !check.passed()).toList();
      if (failed.isEmpty()) {
        results.add(result);
        labels.add(item.label());
        newestLeftOut.clear();
      } else {
        Validity first = failed.getFirst();
        notes.add(item.place() + " is left out: " + first.check() + ": " + first.detail());
        newestLeftOut.add(item.label());
      }
    }
    if (results.isEmpty()) {
      throw notComparable("no run left a result that passed the checks of its measurement");
    }
    ComparableResults all = new ComparableResults("", results);
    List<String> obstacles = all.obstacles();
    if (!obstacles.isEmpty()) {
      String more =
          obstacles.size() > MOST_REASONS
              ? "; and " + (obstacles.size() - MOST_REASONS) + " more"
              : "";
      throw notComparable(
          String.join("; ", obstacles.subList(0, Math.min(MOST_REASONS, obstacles.size())))
              + more
              + ". Begin the history with the first result after the difference.");
    }
    List<Map<Metric, Double>> metrics = all.metrics();
    for (int i = 0; i < metrics.size(); i++) {
      String label = labels.get(i);
      String where = results.get(i).directory() + ":";
      series.addResult("", label);
      metrics.get(i).forEach((metric, value) -> series.add("", metric, true, label, value, where));
    }
    return newestLeftOut;
  }

  private static TerraceException notComparable(String why) {
    return new TerraceException(ErrorCode.BAD_INPUT, "not comparable: " + why);
  }
}
