package org.terrace.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.cli.history.AcknowledgedChanges;
import org.terrace.cli.history.Baseline;
import org.terrace.cli.history.HistoryText;
import org.terrace.cli.history.Labelled;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.ComparableResults;
import org.terrace.dashboard.comparison.ComparedSides;
import org.terrace.details.comparison.ComparedMetric;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.MissingFigure;
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
      "Each side is a result directory, a directory of several, or a list of such with commas,",
      "with LABEL= before it or not. Several sides after are each compared with the first."
    },
    footer = {
      "",
      "Examples:",
      "  terrace compare before after",
      "  terrace compare old=out/1,out/2 new=after --markdown >summary.md",
      "  terrace compare --set-baseline baseline.json out/released",
      "  terrace compare --baseline baseline.json out/today",
      "  terrace compare --history results/ --strict",
      "  terrace compare --history figures.csv --acknowledge 'users p99@build-41'",
      "",
      "What users saw decides; the servers' figures are told beside it. A figure is worse when its",
      "whole 99 %% interval lies beyond the margin. One result a side has no interval.",
      "",
      "A history is results, terrace-bench/1 files, or CSV (time,label,metric,value,unit), the",
      "oldest first. What is told of it does not move when points are added. A change is told once",
      "there is evidence enough, and fails the command until it is acknowledged.",
      "",
      "Exit codes: 0 the same, better or cannot tell; 1 worse, or cannot tell with --strict;",
      "2 not comparable."
    })
final class CompareCommand implements Callable<Integer> {
  private static final String ROW = "  %-20s %12s %12s  %-8s %-20s %s%n";

  @Parameters(
      arity = "1..*",
      paramLabel = "RESULT",
      description = "the results before and those after; of a history, the oldest first")
  private List<String> results = List.of();

  @Option(
      names = "--margin",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description =
          "the change of a time or a rate that does not matter; default: ${DEFAULT-VALUE}")
  private double marginPercent = 5;

  @Option(names = "--strict", description = "exit with 1 when the results cannot tell")
  private boolean strict;

  @Option(
      names = "--json",
      description =
          "as JSON, format " + Comparisons.FORMAT + ", or of a history " + HistoryText.FORMAT)
  private boolean json;

  @Option(names = "--markdown", description = "as a Markdown table, for a pipeline's summary")
  private boolean markdown;

  @Option(names = "--history", description = "the changes of each figure over a history of results")
  private boolean history;

  @Option(
      names = "--acknowledge",
      paramLabel = "METRIC@POINT",
      description =
          "of a history: this change is known, and fails no command again; or all of them: "
              + AcknowledgedChanges.ALL)
  private List<String> acknowledge = List.of();

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description = "compare with the results that this file names")
  private @Nullable Path baseline;

  @Option(
      names = "--set-baseline",
      paramLabel = "FILE",
      description = "make this file name the results; nothing else moves a baseline")
  private @Nullable Path newBaseline;

  @Mixin private Console console = new Console();

  /** The JSON of a comparison. */
  private record Comparisons(
      String format,
      String before,
      String after,
      double marginPercent,
      double confidence,
      String verdict,
      List<ComparedMetric> metrics,
      List<MissingFigure> missing) {
    static final String FORMAT = "terrace-compare/1";
  }

  @Override
  public Integer call() {
    checkOptions();
    if (newBaseline != null) {
      ComparableResults side = side(results.getFirst());
      List<String> obstacles = side.obstacles();
      if (!obstacles.isEmpty()) {
        throw bad("not comparable: " + String.join("; ", obstacles));
      }
      Baseline.write(newBaseline, side);
      console.headline(newBaseline + " names " + results.getFirst() + ".");
      return 0;
    }
    return history ? compareHistory() : compareSides();
  }

  private void checkOptions() {
    if (!ComparedSides.isMargin(marginPercent)) {
      throw bad("--margin is " + marginPercent + "; expected above 0, at most 100");
    }
    int modes = (history ? 1 : 0) + (baseline != null ? 1 : 0) + (newBaseline != null ? 1 : 0);
    if (modes > 1) {
      throw bad("--history, --baseline and --set-baseline: expected one of them");
    }
    if (!history && !acknowledge.isEmpty()) {
      throw bad("--acknowledge is for changes of a history; add --history");
    }
    if (newBaseline != null && results.size() != 1) {
      throw bad("--set-baseline takes one RESULT, a list of repeats with commas for one too");
    }
    if (modes == 0 && results.size() < 2) {
      throw bad("expected results before and results after; see terrace compare --help");
    }
  }

  private static TerraceException bad(String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, what);
  }

  private static ComparableResults side(String argument) {
    Labelled labelled = Labelled.parse(argument);
    ComparableResults read = ComparableResults.read(labelled.target());
    return new ComparableResults(labelled.labelOr(read.label()), read.results());
  }

  private int compareHistory() {
    HistoryComparison compared = HistoryComparison.of(results, marginPercent, acknowledge, console);
    HistoryText text = compared.text();
    if (json) {
      System.out.println(text.json(marginPercent));
    } else {
      System.out.print(markdown ? text.markdown() : text.table());
    }
    System.out.flush();
    return conclude(compared.verdict(), text.sentence());
  }

  private int compareSides() {
    Path named = baseline;
    ComparableResults before = named == null ? side(results.getFirst()) : Baseline.read(named);
    List<ComparedSides> compared =
        results.stream()
            .skip(named == null ? 1 : 0)
            .map(after -> ComparedSides.of(before, side(after), marginPercent))
            .toList();
    if (json) {
      printJson(compared);
    } else {
      compared.forEach(each -> print(each, compared.size() > 1));
    }
    System.out.flush();
    int exitCode = 0;
    for (ComparedSides each : compared) {
      exitCode = Math.max(exitCode, conclude(each.comparison().verdict(), each.sentence()));
    }
    return exitCode;
  }

  private int conclude(Verdict verdict, String sentence) {
    if (verdict == Verdict.WORSE || (strict && verdict == Verdict.UNKNOWN)) {
      console.failure(sentence);
      return ErrorCode.CHECK_FAILED.exitCode();
    }
    console.headline(sentence);
    return 0;
  }

  /** One comparison is an object, several are an array of such. */
  private void printJson(List<ComparedSides> compared) {
    List<Comparisons> contents =
        compared.stream()
            .map(each ->
                new Comparisons(
                    Comparisons.FORMAT,
                    each.before().label(),
                    each.after().label(),
                    marginPercent,
                    ResultComparison.CONFIDENCE,
                    each.comparison().verdict().toString(),
                    each.comparison().metrics(),
                    each.comparison().missing()))
            .toList();
    Object content = contents.size() == 1 ? contents.getFirst() : contents;
    System.out.println(
        JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(content));
  }

  private void print(ComparedSides compared, boolean several) {
    String before = compared.before().label();
    String after = compared.after().label();
    ResultComparison comparison = compared.comparison();
    if (markdown) {
      if (several) {
        System.out.println("**" + after + "** after " + before);
        System.out.println();
      }
      System.out.println("| figure | before | after | change | 99 % interval | verdict |");
      System.out.println("|---|---:|---:|---:|---|---|");
      comparison.metrics().forEach(row -> line("| %s | %s | %s | %s | %s | %s |%n", row));
      comparison.missing().forEach(row -> System.out.println("| " + compared.sentence(row) + " |"));
    } else {
      if (several) {
        System.out.println(after + " after " + before);
      }
      System.out.printf(ROW, "", "before", "after", "change", "99 % interval", "");
      comparison.metrics().forEach(row -> line(ROW, row));
      comparison.missing().forEach(row -> System.out.println(compared.sentence(row)));
    }
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
