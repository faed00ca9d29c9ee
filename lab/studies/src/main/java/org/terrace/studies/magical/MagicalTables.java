package org.terrace.studies.magical;

import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.analysis.tail.ParetoTail;
import org.terrace.analysis.tail.TailSummary;
import org.terrace.studies.magical.Results.Level;

/** The source's Tables 2 to 4 with the figures measured here, and every configuration. */
final class MagicalTables {
  private final Results results;

  MagicalTables(Results results) {
    this.results = results;
  }

  List<DataTable> all() {
    List<DataTable> tables = new ArrayList<>();
    tables.add(applications());
    tables.add(
        levels("Table 3: outliers by size of replies", "size", MagicalConfiguration::replyBytes));
    tables.add(
        levels("Table 4: outliers by number of clients", "clients", MagicalConfiguration::clients));
    tables.add(origins());
    if (results.all().stream().anyMatch(each -> each.recovery().isPresent())) {
      tables.add(recovery());
    }
    results.all().forEach(each -> tables.add(configurations(each)));
    return tables;
  }

  private DataTable applications() {
    List<Column> columns =
        List.of(
            Column.of("application"),
            Column.of("middleware"),
            new Column("largest rate", "1/s"),
            new Column("published", "1/s"),
            new Column("latency, least to largest", "ms"),
            new Column("published", "ms"),
            new Column("outliers", "%"),
            new Column("published", "%"),
            Column.of("largest z"),
            Column.of("its ceiling"),
            Column.of("published z"));
    List<List<Cell>> rows = new ArrayList<>();
    for (ApplicationResult each : results.all()) {
      double least =
          each.measurements().stream().mapToLong(Measurement::leastNanos).min().orElse(0) / 1e6;
      double most =
          each.measurements().stream().mapToLong(m -> m.tail().maxNanos()).max().orElse(0) / 1e6;
      Subject subject = each.subject();
      rows.add(
          List.of(
              Cell.of(subject.title()),
              Cell.of(each.middleware()),
              Cell.of(each.peakRate()),
              Cell.of(subject.publishedRate()),
              Cell.of(text("%.2f-%,.0f", least, most)),
              Cell.of(subject.publishedRangeMillis()),
              Cell.of(100 * each.outlierShare()),
              Cell.of(subject.publishedOutlierPercent()),
              Cell.of(each.maxZ()),
              Cell.of(each.maxZCeiling()),
              Cell.of(subject.publishedZ())));
    }
    return new DataTable(
        "Table 2: rates, latencies and outliers of each application",
        columns,
        rows,
        "Outliers lie beyond the mean of their configuration plus 3 sigma. The ceiling is what no"
            + " z-score of as many calls can exceed, whatever was measured: (n - 1) / sqrt(n).");
  }

  private DataTable levels(
      String title, String name, Function<MagicalConfiguration, Integer> parameter) {
    List<Column> columns =
        List.of(
            Column.of(name),
            Column.of("calls"),
            new Column("outliers", "%"),
            Column.of("largest z"),
            Column.of("its ceiling"));
    List<List<Cell>> rows = new ArrayList<>();
    for (Level level : results.levels(parameter)) {
      rows.add(
          List.of(
              Cell.of(level.value() == 0 ? "original" : Integer.toString(level.value())),
              Cell.of((double) level.calls()),
              Cell.of(100 * level.share()),
              Cell.of(level.maxZ()),
              Cell.of(level.ceiling())));
    }
    return new DataTable(
        title, columns, rows, "Over all applications, on the middleware run first.");
  }

  private DataTable origins() {
    List<Column> columns =
        List.of(
            Column.of("application"),
            Column.of("outliers"),
            Column.of("of the server"),
            Column.of("of the middleware"),
            new Column("server's part of the mean", "%"));
    List<List<Cell>> rows = new ArrayList<>();
    for (ApplicationResult each : results.all()) {
      double server =
          each.measurements().stream().mapToDouble(m -> m.serverMeanNanos() * m.calls()).sum();
      double whole =
          each.measurements().stream()
              .mapToDouble(m -> m.tail().moments().meanNanos() * m.calls())
              .sum();
      rows.add(
          List.of(
              Cell.of(each.label()),
              Cell.of((double) each.outliers()),
              Cell.of(each.serverOutliers()),
              Cell.of(each.middlewareOutliers()),
              Cell.of(100 * server / whole)));
    }
    return new DataTable(
        "Where outliers come from",
        columns,
        rows,
        "The server's part is P5 - P4, with the database; the middleware's is the rest of P2 - P1,"
            + " with the network and the client. An outlier is of the part that exceeds its own"
            + " median by more.");
  }

  private DataTable recovery() {
    List<Column> columns =
        List.of(
            Column.of("application"),
            Column.of("crashes"),
            new Column("delay of a call, mean (least to largest)", "ms"),
            new Column("fault detection", "ms"),
            new Column("fail-over", "ms"),
            new Column("processing", "ms"),
            new Column("largest without a fault, one client", "ms"),
            Column.of("calls with parts"));
    List<List<Cell>> rows = new ArrayList<>();
    for (ApplicationResult each : results.all()) {
      each.recovery()
          .ifPresent(found ->
              rows.add(
                  List.of(
                      Cell.of(each.label()),
                      Cell.of(found.kills().size()),
                      Cell.of(found.meanMillis(), found.leastMillis(), found.largestMillis()),
                      Cell.of(found.detectionMillis().orElse(Double.NaN)),
                      Cell.of(found.failOverMillis().orElse(Double.NaN)),
                      Cell.of(found.processingMillis().orElse(Double.NaN)),
                      Cell.of(each.largestWithOneClientNanos() / 1e6),
                      Cell.of(found.calls().size()))));
    }
    return new DataTable(
        "Figure 6 in numbers: recovery after a crash, and the largest latencies without one",
        columns,
        rows,
        "The longest of the first three calls that end after a crash; the range is that of all crashes,"
            + " not an interval of confidence. Only calls that took more"
            + " than one attempt have parts; one that was issued after the fault was noticed has none.");
  }

  private static Cell interval(Measurement each) {
    TailSummary tail = each.tail();
    Long low = tail.p99().lowNanos();
    Long high = tail.p99().highNanos();
    return Cell.of(
        tail.p99().valueNanos() / 1e6,
        low == null ? Double.NaN : low / 1e6,
        high == null ? Double.NaN : high / 1e6);
  }

  private DataTable configurations(ApplicationResult result) {
    List<Column> columns =
        List.of(
            Column.of("configuration"),
            Column.of("calls"),
            new Column("rate", "1/s"),
            new Column("mean", "ms"),
            new Column("p50", "ms"),
            new Column("p99 (99 % interval)", "ms"),
            new Column("p99 by blocks", "ms"),
            new Column("max", "ms"),
            new Column("outliers", "%"),
            Column.of("max z"),
            Column.of("its ceiling"),
            Column.of("p99 z (interval)"),
            Column.of("p99 / mean"),
            Column.of("max / p50"),
            Column.of("tail shape (95 % interval)"));
    List<List<Cell>> rows = new ArrayList<>();
    for (Measurement each : result.measurements()) {
      TailSummary tail = each.tail();
      ParetoTail shape = tail.tail();
      rows.add(
          List.of(
              Cell.of(each.configuration().label()),
              Cell.of(each.calls()),
              Cell.of(each.rate()),
              Cell.of(each.meanMillis()),
              Cell.of(tail.p50Nanos() / 1e6),
              interval(each),
              Cell.of(
                  tail.p99Blocks().estimate() / 1e6,
                  tail.p99Blocks().low() / 1e6,
                  tail.p99Blocks().high() / 1e6),
              Cell.of(tail.maxNanos() / 1e6),
              Cell.of(100 * each.outlierShare()),
              Cell.of(tail.maxZ()),
              Cell.of(tail.maxZCeiling()),
              Cell.of(tail.p99Z(), each.lowZ(), each.highZ()),
              Cell.of(tail.p99OverMean()),
              Cell.of(tail.maxOverP50()),
              shape == null
                  ? Cell.of("too few calls")
                  : Cell.of(shape.shape(), shape.shapeLow(), shape.shapeHigh())));
    }
    return new DataTable(
        result.label() + ": every configuration",
        columns,
        rows,
        text(
            "By rising mean. The z-score of a 99th percentile cannot exceed 9.95 for any"
                + " distribution, nor p99 / mean 100. From a shape of 0.5 on the variance is infinite"
                + " and z-scores mean nothing. Interval of p99: %s.",
            result.measurements().getFirst().tail().p99().describe()));
  }
}
