package org.terrace.studies.scaleout;

import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyDescription.Parameter;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.studies.design.MachineOfStudy;
import org.terrace.studies.design.StudyContext;

/** Turns what the trials showed into tables, figures and the ledger. */
final class ScaleOutFindings {
  private final StudyContext context;
  private final ScaleOutResults results;

  ScaleOutFindings(StudyContext context, ScaleOutResults results) {
    this.context = context;
    this.results = results;
  }

  StudyFindings toStudyFindings() {
    List<Claim> claims = ScaleOutClaims.judge(context.study(), results);
    List<DataTable> tables = new ArrayList<>();
    if (!results.mesh().done().isEmpty()) {
      tables.add(throughput());
      tables.add(bottlenecks());
      profit().ifPresent(tables::add);
    }
    return new StudyFindings(
        study(claims), claims, tables, new ScaleOutFigures(results).figures(), validity());
  }

  private StudyDescription study(List<Claim> claims) {
    return new StudyDescription(
        context.study().name(),
        context.study().paper(),
        "Scaling out",
        summary(claims),
        parameters(),
        MachineOfStudy.facts(),
        deviations());
  }

  private String summary(List<Claim> claims) {
    if (!results.lacking().isEmpty()) {
      return "No trial was run: " + results.lacking() + ".";
    }
    Optional<String> untold = results.untold();
    if (untold.isPresent()) {
      return "No claim can be told: " + untold.get() + ".";
    }
    long reproduced = claims.stream().filter(each -> each.verdict() == Verdict.REPRODUCED).count();
    long told = claims.stream().filter(each -> each.verdict() != Verdict.CANNOT_TELL).count();
    String best =
        results
            .plan()
            .map(plan -> plan.highestProfit())
            .map(cell ->
                text(
                    " The configuration %s earns most, %.3f EUR an hour%s at %d users.",
                    names().of(cell.configuration()),
                    cell.profitPerHour(),
                    cell.low() == null || cell.high() == null
                        ? ""
                        : text(" (95 %% interval %.3f to %.3f)", cell.low(), cell.high()),
                    cell.users()))
            .orElse("");
    return text("%d of the %d claims that could be told are reproduced.", reproduced, told) + best;
  }

  private List<Parameter> parameters() {
    ScaleOutParameters given = results.parameters();
    return List.of(
        new Parameter("application servers", list(given.apps()), "1, 2, 3"),
        new Parameter("databases", list(given.databases()), "1 to 9"),
        new Parameter("configurations", given.whole() ? "all" : "those that claims name", "all"),
        new Parameter("users", list(given.users()), "1,000 to 13,000 in steps of 1,000"),
        new Parameter("repeats of each load", list(given.repeats()), null),
        new Parameter(
            "think time",
            text("exponential, mean %d ms", given.thinkMillis()),
            "that of RUBBoS, mean 7 s"),
        new Parameter(
            "phases",
            text(
                "%.1f s, %.0f s, %.1f s",
                given.rampUp().toMillis() / 1e3,
                given.run().toMillis() / 1e3,
                given.rampDown().toMillis() / 1e3),
            "8 min, 12 min, 30 s"),
        new Parameter("samples", given.sampleMillis() + " ms", "1 s"),
        new Parameter(
            "data", text("%.3f of the published size", given.dataPermille() / 1e3), "RUBBoS"),
        new Parameter(
            "a normal node",
            text("%.3f cores of the machine this was written on", given.nodeMillicores() / 1e3),
            "Xeon 3 GHz, 2 GB"),
        new Parameter(
            "a low-cost node",
            text("%.3f cores of the machine this was written on", given.lowCostMillicores() / 1e3),
            "Pentium III 600 MHz, 256 MB"),
        new Parameter(
            "prices",
            text(
                "%.2f EUR an hour for a normal node, %.2f for a low-cost one; %.6f for an answer"
                    + " within %.0f ms, half of it lost for any other",
                ScaleOutResults.NORMAL_NODE,
                ScaleOutResults.LOW_COST_NODE,
                ScaleOutResults.REVENUE,
                ScaleOutResults.WITHIN_MILLIS),
            "a model of this form, without its figures"));
  }

  private static String list(List<Integer> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private List<String> deviations() {
    List<String> said = new ArrayList<>();
    if (!context.full()) {
      said.add(
          "A short run: seconds instead of 20 minutes a trial, at most "
              + results.parameters().mostDatabases()
              + " databases and three loads, and only the configurations that claims name; --full"
              + " is as wide as the source.");
    }
    said.add(
        "All servers, users and monitors share one machine and its loopback network. A node is a"
            + " share of its processors; memory, disks and network are not held back, and what"
            + " storage does is known where it has a limit alone. So a low-cost node is slow and"
            + " nothing else.");
    said.add(
        "Terrace's board, reverse proxy and clustered database take the place of RUBBoS on Apache"
            + " and Tomcat and of C-JDBC; MariaDB with InnoDB, which writes ahead, that of MySQL"
            + " with MyISAM, which does not.");
    said.add(
        "Writes that touch the same tables wait for each other in the middleware; that of the"
            + " source let all writes wait for each other.");
    said.add(
        "Loads of one configuration share their servers and data, which grow by what is written;"
            + " the record of each trial says by how much.");
    said.add(
        results.noNdbLike().isEmpty()
            ? "MySQL Cluster has no package here. SQL nodes of MariaDB with Spider before groups of"
                + " two data nodes with Galera take its place: partitioned, replicated and in"
                + " memory as it, with another engine, another protocol between the nodes and no"
                + " commit that spans groups as one."
            : "MySQL Cluster is not run, and neither is what would take its place: "
                + results.noNdbLike()
                + ".");
    return said;
  }

  private DataTable throughput() {
    return byLoad(
        "Throughput of each configuration",
        "/s",
        "The mean of the repeats with its 95 % interval, which borrows the spread of repeats from"
            + " all cells.",
        cell ->
            cell.low() == null || cell.high() == null
                ? Cell.of(cell.throughputPerSecond())
                : Cell.of(cell.throughputPerSecond(), cell.low(), cell.high()));
  }

  private DataTable bottlenecks() {
    return byLoad(
        "Figure 3: the map of bottlenecks",
        "",
        "Claimed only where throughput grows no more or requests fail; the classes are those of the"
            + " guide of planning.",
        cell -> Cell.of(cell.bottleneck().words()));
  }

  private ConfigurationNames names() {
    return ConfigurationNames.of(results.mesh());
  }

  private DataTable byLoad(
      String title, String unit, String note, Function<MappedCell, Cell> shown) {
    List<Integer> loads = List.copyOf(results.mesh().loads());
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("configuration"));
    loads.forEach(users -> columns.add(new Column(users + " users", unit)));
    List<List<Cell>> rows = new ArrayList<>();
    for (Configuration configuration : results.mesh().configurations()) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(names().of(configuration)));
      for (int users : loads) {
        MappedCell cell = results.map().at(configuration, users);
        row.add(cell == null ? Cell.of("not measured") : shown.apply(cell));
      }
      rows.add(row);
    }
    return new DataTable(title, columns, rows, (note + " " + names().note()).strip());
  }

  private Optional<DataTable> profit() {
    return results
        .plan()
        .map(plan -> {
          List<Integer> loads = plan.choices().stream().map(LoadChoice::users).toList();
          List<Column> columns = new ArrayList<>();
          columns.add(Column.of("configuration"));
          columns.add(new Column("cost", "EUR/h"));
          loads.forEach(users -> columns.add(new Column(users + " users", "EUR/h")));
          List<List<Cell>> rows = new ArrayList<>();
          for (Configuration each :
              plan.cells().stream().map(ProfitCell::configuration).distinct().toList()) {
            List<Cell> row = new ArrayList<>();
            row.add(Cell.of(names().of(each)));
            row.add(Cell.of(plan.prices().costPerHour(each)));
            for (int users : loads) {
              row.add(
                  plan.cells().stream()
                      .filter(cell -> cell.users() == users && cell.configuration().equals(each))
                      .map(ScaleOutFindings::profit)
                      .findFirst()
                      .orElse(Cell.of("not measured")));
            }
            rows.add(row);
          }
          return new DataTable(
              "Figure 7: the surface of profits",
              columns,
              rows,
              "Of the mix that is read and written. terrace plan prices the same trials anew. "
                  + names().note());
        });
  }

  private static Cell profit(ProfitCell cell) {
    return cell.low() == null || cell.high() == null
        ? Cell.of(cell.profitPerHour())
        : Cell.of(cell.profitPerHour(), cell.low(), cell.high());
  }

  private List<Validity> validity() {
    List<MeshTrial> trials = results.mesh().trials();
    long failed = trials.stream().filter(each -> each.status() == Status.FAILED).count();
    return List.of(
        new Validity(
            "machine-limits-servers",
            results.lacking().isEmpty(),
            results.lacking().isEmpty()
                ? "each node has its share of the processors"
                : results.lacking()),
        new Validity(
            "trials-valid",
            failed == 0 && results.lacking().isEmpty(),
            text(
                "%d of %d trials count%s",
                results.mesh().done().size(),
                trials.size(),
                failed == 0
                    ? ""
                    : text(
                        ", %d failed: their logs are in mesh/trials, and the same command with the"
                            + " same --out tries them again",
                        failed))));
  }
}
