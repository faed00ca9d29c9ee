package org.terrace.benchmarks.collections;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The medians of the benchmark as a table for people: a line a subject, a column a figure. */
final class Summary {
  /** A column: its heading, the figure, and by what the figure is divided. */
  private record Column(String heading, String metric, double divisor) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("put p50 us", "put-p50", 1),
          new Column("p99", "put-p99", 1),
          new Column("p99.9", "put-p999", 1),
          new Column("get p50 us", "get-p50", 1),
          new Column("1024: 1/s", "mix-throughput", 1),
          new Column("p50 ms", "mix-p50", 1e3),
          new Column("p99 ms", "mix-p99", 1e3),
          new Column("cpu s/M", "mix-cpu-seconds-a-million", 1),
          new Column("wire B/op", "mix-wire-bytes-an-operation", 1),
          new Column("unthinking 1/s", "mix-saturated-throughput", 1),
          new Column("p99 ms", "mix-saturated-p99", 1e3),
          new Column("cpu s/M", "mix-saturated-cpu-seconds-a-million", 1),
          new Column("remote 1/s", "remote-mix-throughput", 1),
          new Column("p99 ms", "remote-mix-p99", 1e3),
          new Column("visible p50 us", "visible-p50", 1),
          new Column("heap B", "heap-bytes-an-entry", 1),
          new Column("killed: lost", "crash-lost", 1),
          new Column("healed: s", "partition-converged", 1),
          new Column("discarded", "partition-discarded", 1));

  private Summary() {}

  /** The table, with a line that says what its columns are. */
  static String of(Results results) {
    List<List<String>> lines = new ArrayList<>();
    List<String> heading = new ArrayList<>(List.of("subject", "level"));
    COLUMNS.forEach(column -> heading.add(column.heading));
    lines.add(heading);
    for (Subject subject : Subject.values()) {
      if (results.median(subject, "mix-throughput") != null) {
        List<String> line = new ArrayList<>();
        line.add((subject + " " + subject.version()).strip());
        line.add(subject.level().toString());
        COLUMNS.forEach(column -> line.add(figure(results.median(subject, column.metric), column)));
        lines.add(line);
      }
    }
    return align(lines);
  }

  private static String figure(@Nullable Double value, Column column) {
    if (value == null) {
      return "-";
    }
    double shown = value / column.divisor;
    if (shown != 0 && Math.abs(shown) < 10) {
      return String.format(Locale.ROOT, "%.2f", shown);
    }
    return String.format(Locale.ROOT, "%,.0f", shown);
  }

  private static String align(List<List<String>> lines) {
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      for (int column = 0; column < line.size(); column++) {
        int index = column;
        int width = lines.stream().mapToInt(other -> other.get(index).length()).max().orElse(0);
        String padding = " ".repeat(width - line.get(column).length());
        text.append(column < 2 ? line.get(column) + padding : padding + line.get(column));
        text.append(column == line.size() - 1 ? "\n" : "  ");
      }
    }
    return text.toString();
  }
}
