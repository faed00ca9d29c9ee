package org.terrace.benchmarks.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Row;

/**
 * The figures of all rounds, by subject, level and metric, or why there are none. The last word of
 * a metric is its unit. Confined to one thread.
 */
final class FigureTable {
  private record FigureKey(String subject, String level, String metric) {}

  private final Map<FigureKey, List<Double>> figures = new LinkedHashMap<>();
  private final Map<FigureKey, String> skipped = new LinkedHashMap<>();

  /** Adds the figure of one round. */
  void add(String subject, String level, String metric, double value) {
    figures
        .computeIfAbsent(new FigureKey(subject, level, metric), absent -> new ArrayList<>())
        .add(value);
  }

  void skip(String subject, String level, String metric, String reason) {
    skipped.put(new FigureKey(subject, level, metric), reason);
  }

  /** The median of the rounds; null if there is none. */
  @Nullable Double median(String subject, String level, String metric) {
    List<Double> values = figures.get(new FigureKey(subject, level, metric));
    return values == null ? null : row(new FigureKey(subject, level, metric), values).value();
  }

  /**
   * The greatest figure of all rounds, and of all subjects that are no peers, at levels that begin
   * so; null if none.
   */
  @Nullable Double greatest(String levelPrefix, String metric) {
    Double greatest = null;
    for (Map.Entry<FigureKey, List<Double>> entry : figures.entrySet()) {
      FigureKey key = entry.getKey();
      boolean isPeer =
          Stream.of(TierSubject.values())
              .anyMatch(one -> one.isPeer() && one.toString().equals(key.subject()));
      if (!isPeer && key.metric().equals(metric) && key.level().startsWith(levelPrefix)) {
        for (double value : entry.getValue()) {
          greatest = greatest == null ? value : Math.max(greatest, value);
        }
      }
    }
    return greatest;
  }

  /** All figures, a row each. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    figures.forEach((key, values) -> rows.add(row(key, values)));
    skipped.forEach((key, reason) ->
        rows.add(
            Row.skipped(key.subject(), key.metric(), unit(key.metric()), reason)
                .atLevel(key.level())));
    return rows;
  }

  private static Row row(FigureKey key, List<Double> values) {
    return Row.measured(
            key.subject(),
            "",
            key.metric(),
            unit(key.metric()),
            values.stream().mapToDouble(Double::doubleValue).toArray())
        .atLevel(key.level());
  }

  private static String unit(String metric) {
    return switch (metric.substring(metric.lastIndexOf('-') + 1)) {
      case "second" -> "1/s";
      case "us" -> "us";
      case "ms" -> "ms";
      case "s" -> "s";
      default -> "";
    };
  }
}
