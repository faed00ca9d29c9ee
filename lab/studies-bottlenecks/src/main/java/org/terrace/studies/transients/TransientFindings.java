package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyDescription.Parameter;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.nodes.machine.PState;
import org.terrace.studies.design.MachineOfStudy;
import org.terrace.studies.design.StudyContext;

/** Turns what the runs showed into tables, figures and the ledger. */
final class TransientFindings {
  private static final double PERCENT = 100;

  private final StudyContext context;
  private final TransientResults results;
  private final boolean isClockReal;

  /**
   * @param isClockReal whether the machine's own clock was governed
   */
  TransientFindings(StudyContext context, TransientResults results, boolean isClockReal) {
    this.context = context;
    this.results = results;
    this.isClockReal = isClockReal;
  }

  StudyFindings toStudyFindings() {
    return new StudyFindings(
        study(),
        TransientClaims.judge(context.study(), results),
        List.of(runs(), resources(), states()),
        new TransientFigures(results).figures(),
        validity());
  }

  private StudyDescription study() {
    return new StudyDescription(
        context.study().name(),
        context.study().paper(),
        "Transient bottlenecks",
        summary(),
        parameters(),
        MachineOfStudy.facts(),
        deviations());
  }

  private String summary() {
    Double point = DatabasePoint.of(results).load();
    String collector =
        both(TransientSetting.COLLECTOR_HIGH, TransientSetting.COLLECTOR_CURED)
            .map(runs ->
                text(
                    "The application server stood still under load in %s of the windows of 50 ms with the"
                        + " stop-the-world collector and in %s with the concurrent one.",
                    CollectorClaims.standstills(runs.getFirst(), runs.getFirst()).percent(),
                    CollectorClaims.standstills(runs.getLast(), runs.getFirst()).percent()))
            .orElse("");
    String governor =
        point == null
            ? ""
            : both(TransientSetting.GOVERNOR_HIGH, TransientSetting.FASTEST_HIGH)
                .map(runs ->
                    text(
                        " The database was congested in %s of them with the lagging governor and in %s"
                            + " without.",
                        runs.getFirst().congested(point, Windows.PAPER_MILLIS).percent(),
                        runs.getLast().congested(point, Windows.PAPER_MILLIS).percent()))
                .orElse("");
    return collector + governor;
  }

  private Optional<List<TransientRun>> both(TransientSetting before, TransientSetting after) {
    return results
        .of(before)
        .flatMap(first -> results.of(after).map(second -> List.of(first, second)));
  }

  private List<Parameter> parameters() {
    TransientParameters given = results.parameters();
    return List.of(
        new Parameter("topology", "1/1/0/1", "1/2/1/2"),
        new Parameter("mix", "browse-only", "browse-only"),
        new Parameter("users, collector's case", list(given.collectorUsers()), "7,000 and 14,000"),
        new Parameter("users, governor's case", list(given.governorUsers()), "1,000 to 12,000"),
        new Parameter("think time", text("exponential, mean %d ms", given.thinkMillis()), null),
        new Parameter(
            "bursts of the load",
            text(
                "each %d ms for %d ms in the mean, %d times faster",
                given.burstEvery().toMillis(), given.burst().toMillis(), given.burstFactor()),
            "bursty, not documented further"),
        new Parameter("run", given.run().toSeconds() + " s", "3 minutes"),
        new Parameter(
            "collectors",
            String.join(" and ", given.collectors()),
            "serial of JDK 1.5, then that of JDK 1.6"),
        new Parameter(
            "heap of the application server",
            text(
                "%d MiB, of which a maker of garbage keeps %.0f %% alive",
                given.heapMebibytes(), PERCENT * TransientSpecification.LIVE),
            null),
        new Parameter(
            "clock of the database",
            isClockReal
                ? "this machine's own governor, on the last processor"
                : text(
                    "emulated by a CPU quota of %.2f cores at P0, decided each %d ms",
                    given.databaseMillicores() / 1_000.0, given.lag().toMillis()),
            "SpeedStep by Dell's firmware; its lag is not documented"),
        new Parameter("windows", "50 ms, beside 20 ms and 1 s", "50 ms, beside 20 ms and 1 s"));
  }

  private static String list(List<Integer> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private List<String> deviations() {
    List<String> said = new ArrayList<>();
    if (!context.full()) {
      said.add(
          "A short run: seconds instead of three minutes, and fewer loads; --full runs as long as the source.");
    }
    said.add(
        "All servers, users and the capture share one machine and its loopback network; the source had a"
            + " virtual machine a server and captured at a switch.");
    said.add(
        "Terrace's board on Tomcat and PostgreSQL takes the place of RUBBoS on Apache, Tomcat, C-JDBC and"
            + " MySQL, with one application server and one database, and no clustering middleware.");
    said.add(
        "The application server's heap is under pressure from a maker of garbage beside the pages, which"
            + " goes on under every collector; in the source the pages of thousands of users made it.");
    if (!isClockReal) {
      said.add(
          "This machine gives no control of its processors' clock. The governor is emulated: the database's"
              + " CPU quota follows the source's Table II, one P-state at a decision. Throughput falls as with a"
              + " slower clock; a request that ends within a period of 10 ms may not be slower.");
    }
    said.add(
        "Sampling is Terrace's own reading of /proc for every process, in a JVM with one compiler tier; the"
            + " source does not name the tool behind its 6 % and 12 %.");
    return said;
  }

  private DataTable runs() {
    Double point = DatabasePoint.of(results).load();
    List<List<Cell>> rows = new ArrayList<>();
    for (TransientRun run : results.runs()) {
      boolean isDatabase = run.setting().kind() == TransientSetting.Case.GOVERNOR;
      rows.add(
          List.of(
              Cell.of(run.setting().label()),
              Cell.of(run.users()),
              Cell.of(run.latencyNanos().length),
              Cell.of(run.pagesPerSecond()),
              run.response().cell(1),
              run.fluctuation().cell(1),
              number(run.congestionPoint()),
              number(run.publishedPoint()),
              isDatabase && point != null
                  ? run.congested(point, Windows.PAPER_MILLIS).cell(PERCENT)
                  : Cell.of("–"),
              Cell.of(run.stalls()),
              Cell.of(run.failed())));
    }
    return new DataTable(
        "The runs",
        List.of(
            Column.of("run"),
            Column.of("users"),
            Column.of("pages"),
            new Column("throughput", "/s"),
            new Column("response time", "ms"),
            new Column("its spread", "ms"),
            new Column("N*", "requests"),
            new Column("N* by the paper's rule", "requests"),
            new Column("windows beyond N*", "%"),
            Column.of("stalls"),
            Column.of("failed")),
        rows,
        "N* and stalls are those of the application server in the collector's case and of the database in"
            + " the governor's.Windows are compared with the database's N* at its fastest clock, by the knee of the medians if the analysis found none."
            + " Intervals of 95 % confidence by a bootstrap of blocks.");
  }

  private static Cell number(@Nullable Double value) {
    return value == null ? Cell.of("not found") : Cell.of(value);
  }

  private DataTable resources() {
    List<List<Cell>> rows = new ArrayList<>();
    for (TransientRun run : results.runs()) {
      for (TransientRun.Used used : run.used()) {
        double most = Arrays.stream(used.bySecond()).max().orElse(Double.NaN);
        rows.add(
            List.of(
                Cell.of(run.setting().label()),
                Cell.of(used.server()),
                Cell.of(PERCENT * GovernorClaims.mean(used.bySecond())),
                Cell.of(PERCENT * most),
                Cell.of(used.bySecond().length)));
      }
    }
    return new DataTable(
        "Table I: processor time at one second",
        List.of(
            Column.of("run"),
            Column.of("server"),
            new Column("mean", "%"),
            new Column("largest", "%"),
            Column.of("readings")),
        rows,
        "Of the processor time that each may use: the whole machine where it has no limit.");
  }

  private static DataTable states() {
    List<List<Cell>> rows = new ArrayList<>();
    for (PState state : PState.XEON) {
      rows.add(
          List.of(
              Cell.of(state.name()), Cell.of(state.megahertz()), Cell.of(PERCENT * state.share())));
    }
    return new DataTable(
        "Table II: P-states",
        List.of(
            Column.of("P-state"), new Column("clock", "MHz"), new Column("of the fastest", "%")),
        rows,
        "As published; an emulated governor gives the database this part of its quota.");
  }

  private List<Validity> validity() {
    List<Validity> checks = new ArrayList<>();
    for (TransientRun run : results.runs()) {
      checks.add(
          new Validity(
              "trial-" + run.setting().folder(),
              run.failedChecks().isEmpty(),
              run.failedChecks().isEmpty()
                  ? "all checks of the trial passed"
                  : String.join("; ", run.failedChecks())));
    }
    checks.add(
        new Validity(
            "watched-in-turns",
            results.watching().obstacle().isEmpty(),
            results.watching().obstacle().isEmpty()
                ? text("%d slots of each way", results.watching().own().getFirst().length)
                : results.watching().obstacle()));
    return checks;
  }
}
