package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.report.page.Quantity;
import org.terrace.report.plan.HeatMap.Row;
import org.terrace.report.plan.HeatMap.Tone;
import org.terrace.report.plan.PlanPage.Section;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.Confirmation;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.bottleneck.Migration;

/** Makes the section of a plan's page with the map of bottlenecks. Stateless. */
final class BottleneckSection {
  /** Moves and confirmations that it lists. */
  private static final int MOST_MOVES = 20;

  private BottleneckSection() {}

  static Section of(PlannedMesh planned, List<Configuration> shown) {
    ConfigurationNames names = planned.names();
    List<Row> rows = new ArrayList<>();
    List<Integer> loads = List.copyOf(planned.mesh().loads());
    for (Configuration configuration : shown) {
      List<MappedCell> measured = planned.map().of(configuration);
      List<HeatMap.Cell> cells = new ArrayList<>();
      for (int users : loads) {
        cells.add(
            measured.stream()
                .filter(cell -> cell.users() == users)
                .findFirst()
                .map(BottleneckSection::bottleneck)
                .orElse(HeatMap.Cell.EMPTY));
      }
      rows.add(new Row(names.of(configuration), cells));
    }
    HeatMap map =
        new HeatMap(
            "Bottlenecks",
            "The class of bottleneck where throughput grows no more or requests fail, and below it"
                + " the tier and resource. The shade is how often any hardware is saturated."
                + leftOut(planned)
                + PlanPages.left(shown.size(), planned),
            "Configuration",
            loads.stream().map(users -> PlanPages.users(users) + " users").toList(),
            rows);
    List<DataTable> tables = new ArrayList<>();
    if (!planned.map().migrations().isEmpty()) {
      tables.add(moves(planned.map().migrations(), names));
    }
    if (!planned.map().confirmations().isEmpty()) {
      tables.add(confirmations(planned.map().confirmations(), names));
    }
    return new Section(
        "bottlenecks",
        "Bottlenecks",
        "Bottleneck map",
        "What holds each configuration back under each load.",
        List.of(map),
        List.of(),
        tables);
  }

  /** The sentence on samples that were compared with none; empty if all were. */
  private static String leftOut(PlannedMesh planned) {
    int samples =
        planned.map().cells().stream().mapToInt(cell -> cell.bottleneck().leftOut()).sum();
    return samples == 0
        ? ""
        : " "
            + Quantity.count(samples, "sample")
            + " of hardware at moments at which other hardware was not read: not compared.";
  }

  private static HeatMap.Cell bottleneck(MappedCell cell) {
    Bottleneck of = cell.bottleneck();
    boolean none = of.kind() == Bottleneck.Kind.NONE;
    String place = none ? "" : of.place();
    if (of.kind() == Bottleneck.Kind.NO_HARDWARE && !of.suspects().isEmpty()) {
      place = "suspect " + of.suspects().getFirst().words();
    }
    List<String> details = new ArrayList<>();
    if (!place.isEmpty()) {
      details.add(place);
    }
    details.addAll(of.remarks());
    return new HeatMap.Cell(
        none ? "·" : of.kind().toString(),
        String.join("; ", details),
        Tone.FULL,
        HeatMap.Cell.step(of.union(), 1),
        false);
  }

  private static DataTable moves(List<Migration> moves, ConfigurationNames names) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Migration move : moves.stream().limit(MOST_MOVES).toList()) {
      boolean load = move.from().equals(move.to());
      rows.add(
          List.of(
              Cell.of(names.of(move.from())),
              Cell.of(
                  load
                      ? PlanPages.users(move.fromUsers())
                          + " → "
                          + PlanPages.users(move.toUsers())
                          + " users"
                      : "→ "
                          + move.to().topology()
                          + " at "
                          + PlanPages.users(move.toUsers())
                          + " users"),
              Cell.of(move.before().words()),
              Cell.of(move.after().words())));
    }
    return new DataTable(
        "Moves of the bottleneck",
        List.of(
            Column.of("Configuration"),
            Column.of("What grew"),
            Column.of("Before"),
            Column.of("After")),
        rows,
        cut(rows.size(), moves.size()));
  }

  private static DataTable confirmations(List<Confirmation> all, ConfigurationNames names) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Confirmation each : all.stream().limit(MOST_MOVES).toList()) {
      Double low = each.low();
      Double high = each.high();
      rows.add(
          List.of(
              Cell.of(names.of(each.configuration())),
              Cell.of(PlanPages.users(each.users())),
              Cell.of(each.tier()),
              low == null || high == null
                  ? Cell.of(100 * each.gain())
                  : Cell.of(100 * each.gain(), 100 * low, 100 * high),
              Cell.of(each.outcome().toString())));
    }
    return new DataTable(
        "One server more",
        List.of(
            Column.of("Configuration"),
            Column.of("Users"),
            Column.of("Tier with one more"),
            new Column("Throughput gained", "%"),
            Column.of("The bottleneck is")),
        rows,
        "A bottleneck that oscillates among servers predicts no gain from one more of them. "
            + cut(rows.size(), all.size()));
  }

  private static String cut(int shown, int all) {
    return shown < all ? shown + " of " + all + " are shown; plan.json has all." : "";
  }
}
