package org.terrace.microbenchmarks;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The second half of {@code tools/compare-commits}: reads the scores of two commits and prints the
 * ratio of each benchmark. Scores are JMH's tables in CSV, {@code 1.csv} and on, one a run, the
 * same number in both folders for two runs that followed each other.
 *
 * <p>Status 0 when no benchmark is slower, 1 when one is, 2 when the scores cannot be compared.
 */
final class Comparison {
  private static final String AVERAGE_TIME = "avgt";
  private static final int SLOWER = 1;
  private static final int BAD_INPUT = 2;

  /** The times of each benchmark in the order of the runs. */
  private final Map<String, List<Double>> before;

  private final Map<String, List<Double>> after;

  private Comparison(Map<String, List<Double>> before, Map<String, List<Double>> after) {
    this.before = before;
    this.after = after;
  }

  /** The arguments are the folders of the old and of the new commit's scores. */
  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  static int run(String[] arguments, PrintStream out, PrintStream messages) {
    if (arguments.length != 2) {
      messages.println("expected two folders: the scores of the old and of the new commit");
      return BAD_INPUT;
    }
    try {
      return new Comparison(timesIn(Path.of(arguments[0])), timesIn(Path.of(arguments[1])))
          .print(out);
    } catch (IOException | IllegalArgumentException e) {
      messages.println("The scores cannot be compared: " + e.getMessage());
      return BAD_INPUT;
    }
  }

  private int print(PrintStream out) {
    int width = before.keySet().stream().mapToInt(String::length).max().orElse(0);
    String row = "%-" + Math.max(width, "benchmark".length()) + "s  %8s  %-17s  %5s  %s%n";
    out.printf(Locale.ROOT, row, "benchmark", "new/old", "99 % interval", "pairs", "new is");
    boolean slower = false;
    for (Map.Entry<String, List<Double>> entry : before.entrySet()) {
      List<Double> newTimes = after.get(entry.getKey());
      if (newTimes != null) {
        Ratio ratio = Ratio.of(entry.getValue(), newTimes);
        slower |= ratio.verdict() == Ratio.Verdict.SLOWER;
        String interval = String.format(Locale.ROOT, "%.3f to %.3f", ratio.low(), ratio.high());
        out.printf(
            Locale.ROOT,
            row,
            entry.getKey(),
            String.format(Locale.ROOT, "%.3f", ratio.ratio()),
            interval,
            ratio.pairs(),
            ratio.verdict());
      }
    }
    printLone(out, "Only the old commit has", before.keySet(), after.keySet());
    printLone(out, "Only the new commit has", after.keySet(), before.keySet());
    out.println(
        "The interval: Student's t of ln(new/old) of runs in pairs, each run in a JVM of its own;");
    out.println(
        "of benchmarks that did not change, about one in a hundred is called faster or slower.");
    return slower ? SLOWER : 0;
  }

  private static void printLone(
      PrintStream out, String what, Set<String> some, Set<String> others) {
    Set<String> lone = new TreeSet<>(some);
    lone.removeAll(others);
    if (!lone.isEmpty()) {
      out.println(what + ": " + String.join(", ", lone));
    }
  }

  /** The times in all tables of a folder, by benchmark and parameters. */
  private static Map<String, List<Double>> timesIn(Path folder) throws IOException {
    Map<String, List<Double>> times = new TreeMap<>();
    int runs = 0;
    while (Files.exists(folder.resolve(runs + 1 + ".csv"))) {
      runs++;
      Path table = folder.resolve(runs + ".csv");
      try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(table)) {
        for (NamedCsvRecord line : rows) {
          times
              .computeIfAbsent(nameOf(line, table), _ -> new ArrayList<>())
              .add(timeOf(line, table));
        }
      }
    }
    if (runs == 0) {
      throw new NoSuchFileException(folder + " holds no scores: 1.csv, 2.csv and on");
    }
    for (Map.Entry<String, List<Double>> entry : times.entrySet()) {
      if (entry.getValue().size() != runs) {
        throw new IllegalArgumentException(
            entry.getKey()
                + " has "
                + entry.getValue().size()
                + " scores in the "
                + runs
                + " tables of "
                + folder);
      }
    }
    return times;
  }

  private static String nameOf(NamedCsvRecord line, Path table) {
    StringBuilder name = new StringBuilder();
    line.getFieldsAsMap()
        .forEach((column, value) -> {
          if (column.equals("Benchmark")) {
            String[] parts = value.split("\\.", -1);
            name.append(parts[Math.max(0, parts.length - 2)]).append('.');
            name.append(parts[parts.length - 1]);
          } else if (column.startsWith("Param: ") && !value.isEmpty()) {
            name.append(' ').append(value);
          }
        });
    if (name.isEmpty()) {
      throw new IllegalArgumentException(table + ": expected a column 'Benchmark'");
    }
    return name.toString();
  }

  private static double timeOf(NamedCsvRecord line, Path table) {
    Map<String, String> fields = line.getFieldsAsMap();
    if (!AVERAGE_TIME.equals(fields.get("Mode"))) {
      throw new IllegalArgumentException(
          table + ": expected the mode " + AVERAGE_TIME + ", got " + fields.get("Mode"));
    }
    String score = fields.get("Score");
    try {
      return Double.parseDouble(score == null ? "" : score);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(table + ": expected a number as score, got " + score, e);
    }
  }
}
