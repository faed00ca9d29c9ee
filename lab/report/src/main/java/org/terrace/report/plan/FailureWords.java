package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.report.page.Quantity;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.FailedTrials;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;

/**
 * The words about trials that failed, for pages and for a terminal alike: a plan that told only of
 * those that were done would recommend what survived. Stateless.
 */
public final class FailureWords {
  /** Configurations under a load that are told one by one. */
  private static final int MOST_TOLD = 12;

  private static final int MOST_NAMED = 3;

  /** The most characters of a reason: the mesh's file has all. */
  private static final int MOST_REASON = 200;

  private FailureWords() {}

  /**
   * A configuration under a load of which trials failed.
   *
   * @param done those of its trials that were done
   */
  record Failing(Configuration configuration, int users, int done, FailedTrials failed) {
    /** The numbers of its trials: {@code 2 of 3}, {@code all 3}. */
    String count() {
      return done == 0
          ? "all " + failed.count()
          : failed.count() + " of " + (done + failed.count());
    }

    /** The reasons in a line. */
    String reasons() {
      String all =
          failed.reasons().stream()
              .map(reason -> reason.strip().replaceAll("\\s+", " ").replaceFirst("\\.$", ""))
              .collect(Collectors.joining("; "));
      return all.length() <= MOST_REASON ? all : all.substring(0, MOST_REASON) + " …";
    }
  }

  /** The configurations of which trials failed, by load, then in the order of the mesh. */
  static List<Failing> of(Plan plan) {
    return Stream.concat(
            plan.cells().stream()
                .filter(cell -> cell.failed().any())
                .map(cell ->
                    new Failing(cell.configuration(), cell.users(), cell.repeats(), cell.failed())),
            plan.lost().stream()
                .map(cell ->
                    new Failing(cell.configuration(), cell.users(), cell.done(), cell.failed())))
        .sorted(Comparator.comparingInt(Failing::users))
        .toList();
  }

  /** A sentence for each configuration under a load of which trials failed; none if none did. */
  public static List<String> sentences(Plan plan, ConfigurationNames names) {
    List<Failing> all = of(plan);
    List<String> sentences = new ArrayList<>();
    for (Failing each : all.subList(0, Math.min(MOST_TOLD, all.size()))) {
      String reasons = each.reasons();
      sentences.add(
          String.format(
              Locale.ROOT,
              "%s, %,d users: %s %s failed%s%s.",
              names.of(each.configuration()),
              each.users(),
              each.count(),
              each.failed().count() == 1 && each.done() == 0 ? "trial" : "trials",
              reasons.isEmpty() ? "" : " (" + reasons + ")",
              each.done() > 0 && each.failed().count() > each.done()
                  ? ", so that it is not ranked there"
                  : ""));
    }
    if (all.size() > MOST_TOLD) {
      sentences.add("And so on: plan.json has all " + Quantity.count(all.size()) + ".");
    }
    return List.copyOf(sentences);
  }

  /** The configurations of which trials failed, as a sentence; empty if none did. */
  static String count(Plan plan) {
    int count = of(plan).stream().mapToInt(each -> each.failed().count()).sum();
    return count == 0
        ? ""
        : Quantity.count(count, "trial")
            + " failed: of their configurations nothing is told beyond chance under these loads.";
  }

  /** The failures under a load, as a sentence with a space before it; empty if there was none. */
  static String under(LoadChoice choice) {
    if (!choice.hasFailures()) {
      return "";
    }
    int best = choice.best().failed().count();
    int others = choice.failing().size();
    return (best > 0
            ? " Of its own trials there "
                + Quantity.count(best)
                + " failed: it may do worse than what was measured."
            : "")
        + (others > 0
            ? " Trials of "
                + Quantity.count(others, "other")
                + " failed there, of which nothing is told beyond chance."
            : "");
  }

  /** The configurations that are lost under a load, in a few words; empty if none is. */
  static String lost(List<LostCell> lost, ConfigurationNames names) {
    String named =
        lost.stream()
            .limit(MOST_NAMED)
            .map(each ->
                names.of(each.configuration())
                    + (each.done() == 0
                        ? " (all " + each.failed().count() + " failed)"
                        : mark(each.done(), each.failed())))
            .collect(Collectors.joining(", "));
    return lost.size() > MOST_NAMED
        ? named + " and " + Quantity.count(lost.size() - MOST_NAMED) + " more that failed"
        : named;
  }

  /** The number of a cell's trials that failed, in brackets after its name; empty if none did. */
  static String mark(int done, FailedTrials failed) {
    return failed.any()
        ? " (" + failed.count() + " of " + (done + failed.count()) + " failed)"
        : "";
  }

  /** The words in the place of a best configuration, where most trials of each failed. */
  public static String none(List<LostCell> lost) {
    int failed = lost.stream().mapToInt(each -> each.failed().count()).sum();
    int done = lost.stream().mapToInt(LostCell::done).sum();
    if (done > 0) {
      return "none: " + failed + " of " + (done + failed) + " trials failed";
    }
    return failed == 1 ? "none: the trial failed" : "none: all " + failed + " trials failed";
  }

  /** The trials that failed, as a table; empty if none did. */
  static List<DataTable> table(Plan plan, ConfigurationNames names) {
    List<List<Cell>> rows =
        of(plan).stream()
            .map(each ->
                List.of(
                    Cell.of(PlanPages.users(each.users())),
                    Cell.of(names.of(each.configuration())),
                    Cell.of(each.count()),
                    Cell.of(each.reasons())))
            .toList();
    return rows.isEmpty()
        ? List.of()
        : List.of(
            new DataTable(
                "Trials that failed",
                List.of(
                    Column.of("Users"),
                    Column.of("Configuration"),
                    Column.of("Failed"),
                    Column.of("Why")),
                rows,
                "They have no profit, and a configuration of which most failed under a load is not"
                    + " ranked there. Nothing is told beyond chance of a configuration under a load"
                    + " where trials of it failed, nor of the best where its own did."));
  }
}
