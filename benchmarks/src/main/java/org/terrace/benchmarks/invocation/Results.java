package org.terrace.benchmarks.invocation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Row;

/** The figures of all runs, or why there are none. Confined to one thread. */
final class Results {
  private record Key(String subject, String version, String metric, @Nullable String level) {}

  private final Map<Key, List<Double>> figures = new LinkedHashMap<>();
  private final Map<Key, String> skipped = new LinkedHashMap<>();

  void add(String subject, String version, String metric, double value) {
    add(new Key(subject, version, metric, null), value);
  }

  /** A figure of processes placed so. */
  void add(String subject, String version, String metric, Placement placement, double value) {
    add(new Key(subject, version, metric, placement.toString()), value);
  }

  private void add(Key key, double value) {
    figures.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
  }

  void skip(String subject, String metric, String reason) {
    skipped.put(new Key(subject, "", metric, null), reason);
  }

  /** The median of the runs, or null where there is none. */
  @Nullable Double median(String subject, String metric) {
    return median(subject, metric, null);
  }

  /** The same of processes placed so. */
  @Nullable Double median(String subject, String metric, @Nullable Placement placement) {
    String level = placement == null ? null : placement.toString();
    for (Row row : rows()) {
      if (row.subject().equals(subject)
          && row.metric().equals(metric)
          && Objects.equals(row.level(), level)) {
        return row.value();
      }
    }
    return null;
  }

  /** All figures, a row each. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    figures.forEach((key, values) ->
        rows.add(
            Row.measured(
                    key.subject(),
                    key.version(),
                    key.metric(),
                    unit(key.metric()),
                    values.stream().mapToDouble(Double::doubleValue).toArray())
                .atLevel(key.level())));
    skipped.forEach((key, reason) ->
        rows.add(Row.skipped(key.subject(), key.metric(), unit(key.metric()), reason)));
    return rows;
  }

  private static String unit(String metric) {
    if (metric.startsWith("call-")) {
      return "us";
    }
    int dash = metric.lastIndexOf('-');
    String last = metric.substring(dash + 1);
    return switch (last) {
      case "ms", "s" -> last;
      default -> "";
    };
  }
}
