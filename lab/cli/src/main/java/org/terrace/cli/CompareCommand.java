package org.terrace.cli;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.ComparableResults;
import org.terrace.dashboard.comparison.ComparedSides;
import org.terrace.details.comparison.ComparedMetric;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.ResultComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** {@code terrace compare}: whether one set of results is worse than another. */
@Command(
    name = "compare",
    description = {
      "Compares results before and after a change, figure by figure, with intervals from repeats.",
      "Each side is a result directory, a directory of several, or a list of such with commas."
    },
    footer = {
      "",
      "Examples:",
      "  terrace compare before after",
      "  terrace compare out/quickstart,out/quickstart-2 after --markdown >summary.md",
      "",
      "What users saw decides; the servers' figures are told beside it. A figure is worse when its",
      "whole 99 %% interval lies beyond the margin. One result a side has no interval.",
      "Exit codes: 0 the same, better or cannot tell; 1 worse, or cannot tell with --strict;",
      "2 not comparable."
    })
final class CompareCommand implements Callable<Integer> {
  private static final String ROW = "  %-20s %12s %12s  %-8s %-20s %s%n";

  @Parameters(index = "0", paramLabel = "BEFORE", description = "the results before")
  private String before = "";

  @Parameters(index = "1", paramLabel = "AFTER", description = "the results after")
  private String after = "";

  @Option(
      names = "--margin",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description =
          "the change of a time or a rate that does not matter; default: ${DEFAULT-VALUE}")
  private double marginPercent = 5;

  @Option(names = "--strict", description = "exit with 1 when the results cannot tell")
  private boolean strict;

  @Option(names = "--json", description = "as JSON, format " + Comparisons.FORMAT)
  private boolean json;

  @Option(names = "--markdown", description = "as a Markdown table, for a pipeline's summary")
  private boolean markdown;

  @Mixin private Console console = new Console();

  /** The JSON of a comparison. */
  private record Comparisons(
      String format,
      String before,
      String after,
      double marginPercent,
      double confidence,
      String verdict,
      List<ComparedMetric> metrics) {
    static final String FORMAT = "terrace-compare/1";
  }

  @Override
  public Integer call() {
    if (!ComparedSides.isMargin(marginPercent)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "--margin is " + marginPercent + "; expected above 0, at most 100");
    }
    ComparedSides compared =
        ComparedSides.of(
            ComparableResults.read(before), ComparableResults.read(after), marginPercent);
    ResultComparison comparison = compared.comparison();
    print(comparison);
    Verdict verdict = comparison.verdict();
    if (verdict == Verdict.WORSE || (strict && verdict == Verdict.UNKNOWN)) {
      console.failure(compared.sentence());
      return ErrorCode.CHECK_FAILED.exitCode();
    }
    console.headline(compared.sentence());
    return 0;
  }

  private void print(ResultComparison comparison) {
    if (json) {
      Comparisons content =
          new Comparisons(
              Comparisons.FORMAT,
              before,
              after,
              marginPercent,
              ResultComparison.CONFIDENCE,
              comparison.verdict().toString(),
              comparison.metrics());
      System.out.println(
          JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(content));
    } else if (markdown) {
      System.out.println("| figure | before | after | change | 99 % interval | verdict |");
      System.out.println("|---|---:|---:|---:|---|---|");
      comparison.metrics().forEach(row -> line("| %s | %s | %s | %s | %s | %s |%n", row));
    } else {
      System.out.printf(ROW, "", "before", "after", "change", "99 % interval", "");
      comparison.metrics().forEach(row -> line(ROW, row));
    }
    System.out.flush();
  }

  private static void line(String format, ComparedMetric row) {
    Metric metric = row.metric();
    System.out.printf(
        Locale.ROOT,
        format,
        metric.name(),
        ComparedSides.value(row.before(), metric.unit()),
        ComparedSides.value(row.after(), metric.unit()),
        ComparedSides.change(row),
        ComparedSides.interval(row),
        ComparedSides.verdict(row));
  }
}
