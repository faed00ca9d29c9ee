package org.terrace.microbenchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Bursts;
import org.terrace.testing.StationSimulator.RequestClass;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;

/**
 * Time of the analysis of one server, from its requests to findings: load, throughput, congestion
 * point and stalls. Without pauses there is nothing to find; the difference is the price of looking
 * closer at {@value #PAUSES} stalls and their edges.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AnalysisBenchmark {
  private static final int PAUSES = 20;

  /** Whether the server stops now and then. */
  @Param({"steady", "paused"})
  String server = "";

  private static final long SEED = 1;
  private static final int STATIONS = 20;
  private static final double UTILISATION = 0.65;
  private static final double SERVICE_NANOS = 10_000_000;
  private static final long DURATION_NANOS = 30_000_000_000L;
  private static final long START_NANOS = 1_790_000_000_000_000_000L;

  private Observation observation = new Observation(List.of(), empty(), List.of(), List.of());

  /** Simulates the server for thirty seconds. */
  @Setup
  public void simulate() {
    Settings settings =
        new Settings(
            STATIONS,
            List.of(
                new RequestClass("view", 3, SERVICE_NANOS, 2),
                new RequestClass("search", 1, 2 * SERVICE_NANOS, 2)),
            UTILISATION,
            new Bursts(0.5, 300_000_000),
            START_NANOS,
            DURATION_NANOS,
            List.of());
    if (server.equals("paused")) {
      settings =
          settings.withPauses(
              StationSimulator.pauses(
                  Seeds.generator(SEED), settings, PAUSES, 50_000_000, 200_000_000, 500_000_000));
    }
    RequestTable.Builder table = new RequestTable.Builder();
    Run run = new StationSimulator(settings).run(SEED);
    for (int i = 0; i < run.size(); i++) {
      table.accept(
          new Request(
              "app1",
              settings.classes().get(run.requestClass()[i]).name(),
              "users",
              run.arrivalNanos()[i],
              run.arrivalNanos()[i],
              run.departureNanos()[i],
              200,
              4_000,
              Outcome.OK,
              i % 100));
    }
    observation =
        new Observation(
            List.of(new Server("app1", "app", List.of())),
            table.build(),
            List.of(),
            new ArrayList<>());
  }

  /** One analysis of about thirty thousand requests. */
  @Benchmark
  public int analyze() {
    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());
    int stalls = result.findings().servers().getFirst().stalls().size();
    if (server.equals("paused") && stalls < PAUSES / 2) {
      throw new IllegalStateException(stalls + " stalls were found of " + PAUSES);
    }
    return stalls;
  }

  private static RequestTable empty() {
    return new RequestTable.Builder().build();
  }
}
