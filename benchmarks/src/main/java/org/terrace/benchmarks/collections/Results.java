package org.terrace.benchmarks.collections;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Row;

/** The figures of all runs of all subjects, or why there are none. Confined to one thread. */
final class Results {
  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("mix-throughput", "1/s"),
          Map.entry("mix-cpu-seconds-a-million", "s"),
          Map.entry("mix-wire-bytes-an-operation", "bytes"),
          Map.entry("heap-bytes-an-entry", "bytes"),
          Map.entry("local-get-ns", "ns"),
          Map.entry("concurrent-hash-map-get-ns", "ns"),
          Map.entry("new-member", "s"),
          Map.entry("new-member-opened", "s"),
          Map.entry("crash-pause", "s"),
          Map.entry("churn-heap-first-mb", "MB"),
          Map.entry("churn-heap-last-mb", "MB"),
          Map.entry("partition-noticed", "s"),
          Map.entry("partition-converged", "s"));

  private final Map<Subject, Map<String, List<Double>>> figures = new EnumMap<>(Subject.class);
  private final Map<String, Double> ofThisRun = new TreeMap<>();
  private final Map<Subject, Map<String, String>> skipped = new EnumMap<>(Subject.class);

  /** Adds the figures of one run. */
  void add(Subject subject, Map<String, Double> run) {
    run.forEach((metric, value) -> add(subject, metric, value));
  }

  void add(Subject subject, String metric, double value) {
    figures
        .computeIfAbsent(subject, absent -> new TreeMap<>())
        .computeIfAbsent(metric, absent -> new ArrayList<>())
        .add(value);
    ofThisRun.put(metric, value);
  }

  /** Notes why a figure is not there. */
  void skip(Subject subject, String metric, String reason) {
    skipped.computeIfAbsent(subject, absent -> new TreeMap<>()).put(metric, reason);
  }

  /** The median of the runs, or null where there is none. */
  @Nullable Double median(Subject subject, String metric) {
    return figures.getOrDefault(subject, Map.of()).containsKey(metric)
        ? row(subject, metric).value()
        : null;
  }

  /** A run of a subject begins. */
  void beginRun() {
    ofThisRun.clear();
  }

  /** A figure of the run that has begun last, or null where there is none. */
  @Nullable Double ofThisRun(String metric) {
    return ofThisRun.get(metric);
  }

  /** All figures, a row each. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Subject subject : Subject.values()) {
      figures
          .getOrDefault(subject, Map.of())
          .keySet()
          .forEach(metric -> rows.add(row(subject, metric)));
      skipped
          .getOrDefault(subject, Map.of())
          .forEach((metric, reason) ->
              rows.add(
                  Row.skipped(subject.toString(), metric, unit(metric), reason)
                      .atLevel(subject.level().toString())));
    }
    return rows;
  }

  private Row row(Subject subject, String metric) {
    double[] runs =
        figures.getOrDefault(subject, Map.of()).getOrDefault(metric, List.of()).stream()
            .mapToDouble(Double::doubleValue)
            .toArray();
    return Row.measured(subject.toString(), subject.version(), metric, unit(metric), runs)
        .atLevel(subject.level().toString());
  }

  private static String unit(String metric) {
    if (metric.matches(".*-p[0-9]+")) {
      return "us";
    }
    if (metric.startsWith("append-")) {
      return "bytes";
    }
    return UNITS.getOrDefault(
        metric.replaceFirst("^remote-", "").replaceFirst("^mix-saturated-", "mix-"), "");
  }
}
