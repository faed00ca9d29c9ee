package org.terrace.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.nodes.machine.MachineFacts;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of one benchmark: what each subject reached, and whether the goals were met, with the
 * machine's facts beside it. Format {@value #FORMAT}. Immutable.
 *
 * @param format always {@value #FORMAT}
 * @param bench the name of the benchmark, as in {@code terrace bench NAME}
 * @param machine the machine it ran on
 * @param rows one figure each
 * @param goals the project's goals for this benchmark
 */
public record BenchReport(
    String format, String bench, MachineFacts machine, List<Row> rows, List<Goal> goals) {
  /** The name and version of the format. */
  public static final String FORMAT = "terrace-bench/1";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Copies the lists. */
  public BenchReport {
    rows = List.copyOf(rows);
    goals = List.copyOf(goals);
  }

  /** A report of this machine. */
  public static BenchReport of(String bench, List<Row> rows, List<Goal> goals) {
    return new BenchReport(FORMAT, bench, MachineFacts.ofThisMachine(), rows, goals);
  }

  /** The report as JSON. */
  public String toJson() {
    return JSON.writeValueAsString(this);
  }

  /** Prints the report: as JSON, or as a table for people. */
  public void print(PrintStream out, boolean json) {
    out.println(json ? toJson() : toTable());
  }

  /**
   * Says how many goals were met, and gives the exit status of the benchmark: 0 if all were, and 1
   * if one was missed, or not judged by a run that measures everything.
   *
   * @param isPart whether only a part was asked for, or a rough answer: then there are goals that
   *     nobody expects to be judged
   */
  public int conclude(PrintStream messages, boolean isPart) {
    List<String> missed = new ArrayList<>();
    List<String> notJudged = new ArrayList<>();
    for (Goal goal : goals) {
      if (goal.met() == null) {
        notJudged.add(goal.id());
      } else if (!goal.met()) {
        missed.add(goal.id());
      }
    }
    messages.printf(
        "Goals: %d met, %d missed%s, %d not judged%s.%n",
        goals.size() - missed.size() - notJudged.size(),
        missed.size(),
        missed.isEmpty() ? "" : " (" + String.join(", ", missed) + ")",
        notJudged.size(),
        notJudged.isEmpty() ? "" : " (" + String.join(", ", notJudged) + ")");
    return missed.isEmpty() && (isPart || notJudged.isEmpty()) ? 0 : 1;
  }

  /** The report as a table for people: figures, goals, and the machine. */
  public String toTable() {
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("subject", "level", "metric", "value", "low", "high", "unit", "runs", ""));
    for (Row row : rows) {
      table.add(
          List.of(
              row.version().isEmpty() ? row.subject() : row.subject() + " " + row.version(),
              row.level() == null ? "" : row.level(),
              row.metric(),
              figure(row.value()),
              figure(row.low()),
              figure(row.high()),
              row.unit(),
              row.runs() == 0 ? "" : Integer.toString(row.runs()),
              row.skipped() == null ? "" : "skipped: " + row.skipped()));
    }
    StringBuilder text = new StringBuilder();
    appendAligned(text, table);
    if (!goals.isEmpty()) {
      table.clear();
      table.add(List.of("goal", "wanted", "reached", "", ""));
      for (Goal goal : goals) {
        String verdict = goal.met() == null ? "not judged" : goal.met() ? "met" : "NOT MET";
        String reason = goal.reason() == null ? "" : goal.reason();
        table.add(List.of(goal.id(), goal.goal(), figure(goal.value()), verdict, reason));
      }
      text.append('\n');
      appendAligned(text, table);
    }
    return text.append('\n').append(machineLine()).toString();
  }

  private String machineLine() {
    return String.format(
        Locale.ROOT,
        "%d cores, %d MB, %s, %s, %s, commit %s",
        machine.cores(),
        machine.memoryBytes() / 1_000_000,
        machine.cpu(),
        machine.kernel(),
        machine.java(),
        machine.commit().orElse("unknown"));
  }

  /** Four significant digits: more would claim a precision that no run has. */
  private static String figure(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    if (value == 0 || Math.abs(value) >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = Math.max(0, 3 - (int) Math.floor(Math.log10(Math.abs(value))));
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static void appendAligned(StringBuilder text, List<List<String>> table) {
    int[] widths = new int[table.getFirst().size()];
    for (List<String> line : table) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    for (List<String> line : table) {
      StringBuilder row = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        row.append(line.get(column)).repeat(" ", widths[column] - line.get(column).length() + 2);
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
  }

  /**
   * One figure of one subject: the median of its runs, with the least and the greatest.
   *
   * @param subject what was measured, for example {@code terrace} or {@code tshark}
   * @param version the subject's version; empty for Terrace itself
   * @param metric what was measured of it, in kebab-case
   * @param unit the unit of the figures, for example {@code us}
   * @param value the median; null when skipped
   * @param low the least run; null when skipped
   * @param high the greatest run; null when skipped
   * @param runs the number of runs; zero when skipped
   * @param skipped why it was not measured; null when it was
   * @param level what is comparable with what, where not all rows are; null where they are
   */
  public record Row(
      String subject,
      String version,
      String metric,
      String unit,
      @Nullable Double value,
      @Nullable Double low,
      @Nullable Double high,
      int runs,
      @Nullable String skipped,
      @Nullable String level) {

    /** The same, comparable with rows of that level alone; with all if it is null. */
    public Row atLevel(@Nullable String newLevel) {
      return new Row(subject, version, metric, unit, value, low, high, runs, skipped, newLevel);
    }

    /** The median, least and greatest of at least one run. */
    public static Row measured(
        String subject, String version, String metric, String unit, double... runs) {
      double[] sorted = runs.clone();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      double median =
          sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
      return new Row(
          subject,
          version,
          metric,
          unit,
          median,
          sorted[0],
          sorted[sorted.length - 1],
          sorted.length,
          null,
          null);
    }

    /** A subject that could not be measured, and why. */
    public static Row skipped(String subject, String metric, String unit, String reason) {
      return new Row(subject, "", metric, unit, null, null, null, 0, reason, null);
    }
  }

  /**
   * A goal and whether it was met. The goal is written down before the measurement and never edited
   * to fit it.
   *
   * @param id its name, in kebab-case
   * @param value what was reached; null when it could not be judged
   * @param goal the bound, for example {@code >= 300}
   * @param met whether the bound holds; null when it could not be judged
   * @param reason why it could not be judged, or what to bear in mind; null when nothing
   */
  public record Goal(
      String id,
      @Nullable Double value,
      String goal,
      @Nullable Boolean met,
      @Nullable String reason) {

    /** A goal that is met by figures of at least the bound. */
    public static Goal atLeast(String id, double value, double bound) {
      return new Goal(id, value, ">= " + plain(bound), value >= bound, null);
    }

    /** A goal that is met by figures of at most the bound. */
    public static Goal atMost(String id, double value, double bound) {
      return new Goal(id, value, "<= " + plain(bound), value <= bound, null);
    }

    /** A goal that could not be judged, and why. */
    public static Goal notJudged(String id, String goal, String reason) {
      return new Goal(id, null, goal, null, reason);
    }

    /** The same figure and verdict with what to bear in mind about them. */
    public Goal because(String newReason) {
      return new Goal(id, value, goal, met, newReason);
    }

    /** The same figure without a verdict, and why. */
    public Goal unjudged(String newReason) {
      return new Goal(id, value, goal, null, newReason);
    }

    private static String plain(double bound) {
      return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
  }
}
