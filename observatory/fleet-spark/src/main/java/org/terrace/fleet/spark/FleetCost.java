package org.terrace.fleet.spark;

import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.CollectionAccumulator;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.details.FindingDetails;
import org.terrace.fleet.FleetFindings;
import org.terrace.fleet.FleetStorage;
import org.terrace.fleet.FleetWriter;
import org.terrace.fleet.GeneratedTrial;
import org.terrace.fleet.ServerTask;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;

/**
 * The cost of findings for each request, of generated trials: by one process that analyses one
 * result after the other as {@code terrace report} does, and by the job. Each is told in processor
 * time and in time that passes; the processor time of the job is that of its executors from their
 * first task to their last and that of the driver meanwhile, with what their JVMs do besides.
 */
public final class FleetCost {
  private static final String USAGE =
      "expected FOLDER REQUESTS, such as /mnt/cost 100000000: a new folder that all machines reach"
          + " under this path, and how many requests";

  private static final int PAGES_A_TRIAL = 200_000;
  private static final int REQUESTS_A_TRIAL = PAGES_A_TRIAL * GeneratedTrial.REQUESTS_A_PAGE;
  private static final long START_NANOS = 1_790_000_000_000_000_000L;
  private static final AnalysisOptions OPTIONS = AnalysisOptions.defaults();

  private final Path folder;
  private final int trials;

  private FleetCost(Path folder, int trials) {
    this.folder = folder;
    this.trials = trials;
  }

  /** A moment of a process: who it is, and the processor time that it has taken. */
  private record Mark(String process, long cpuNanos) implements Serializable {
    static Mark now() {
      return new Mark(ManagementFactory.getRuntimeMXBean().getName(), cpu());
    }
  }

  /** The cost of one way. */
  private record Cost(double cpuNanos, double elapsedNanos) {}

  /** Generates trials and prints the cost of both ways. */
  public static void main(String[] arguments) throws IOException {
    try {
      FleetCost cost = parse(List.of(arguments));
      try (JavaSparkContext spark =
          new JavaSparkContext(new SparkConf().setAppName("Terrace cost of findings"))) {
        cost.run(spark);
      }
    } catch (TerraceException e) {
      System.err.println("terrace: " + e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  private static FleetCost parse(List<String> arguments) {
    if (arguments.size() != 2 || !arguments.getLast().matches("[1-9]\\d{0,11}")) {
      throw new TerraceException(ErrorCode.BAD_INPUT, arguments + ": " + USAGE);
    }
    Path folder = Path.of(arguments.getFirst()).toAbsolutePath();
    if (Files.exists(folder)) {
      throw new TerraceException(ErrorCode.BAD_INPUT, folder + " is there already; " + USAGE);
    }
    long requests = Long.parseLong(arguments.getLast());
    return new FleetCost(folder, Math.toIntExact(Math.ceilDiv(requests, REQUESTS_A_TRIAL)));
  }

  private void run(JavaSparkContext spark) throws IOException {
    System.err.println("terrace: generating " + trials + " trials in " + folder);
    String place = folder.toString();
    spark
        .parallelize(IntStream.range(0, trials).boxed().toList(), trials)
        .foreach(trial -> generate(Path.of(place), trial));
    Cost one = oneProcess();
    Cost job = job(spark);
    double requests = (double) trials * REQUESTS_A_TRIAL;
    print("one process", one, requests);
    print("Spark", job, requests);
    System.out.printf(
        Locale.ROOT,
        "Spark takes %.2f times the processor time of one process, for %,.0f requests of %d trials%n",
        job.cpuNanos / one.cpuNanos,
        requests,
        trials);
  }

  private static void print(String way, Cost cost, double requests) {
    System.out.printf(
        Locale.ROOT,
        "%-12s %8.0f ns of processor time a request, %8.0f ns of time%n",
        way,
        cost.cpuNanos / requests,
        cost.elapsedNanos / requests);
  }

  private static void generate(Path folder, int trial) {
    Observation observation =
        GeneratedTrial.of(trial, START_NANOS + trial * 3_600_000_000_000L, PAGES_A_TRIAL);
    ObservationFiles.write(folder.resolve("results").resolve(name(trial)), observation);
    FleetWriter.add(folder.resolve("fleet"), name(trial), observation, false);
  }

  private static String name(int trial) {
    return "trial-" + trial;
  }

  private Cost oneProcess() throws IOException {
    long cpu = cpu();
    long begun = TimeSource.system().elapsedNanos();
    for (int trial = 0; trial < trials; trial++) {
      System.err.println("terrace: one process analyses trial " + (trial + 1) + " of " + trials);
      Observation observation =
          ObservationFiles.read(folder.resolve("results").resolve(name(trial)));
      AnalysisResult result = Analysis.analyze(observation, OPTIONS);
      Findings findings =
          FindingDetails.added(
              result.findings(),
              observation,
              result.stretch().startNanos(),
              result.stretch().endNanos());
      Files.writeString(
          folder.resolve("results").resolve(name(trial)).resolve(FleetFindings.NAME),
          FleetFindings.toJson(findings));
    }
    return new Cost(cpu() - cpu, TimeSource.system().elapsedNanos() - begun);
  }

  private Cost job(JavaSparkContext spark) {
    CollectionAccumulator<Mark> marks = spark.sc().collectionAccumulator("marks");
    TaskProgress progress = new TaskProgress();
    spark.sc().addSparkListener(progress);
    long cpu = cpu();
    long begun = TimeSource.system().elapsedNanos();
    List<ServerTask> tasks = ServerTask.all(FleetStorage.of(folder.resolve("fleet")), OPTIONS);
    progress.expect(tasks.size(), trials);
    HadoopStorage storage =
        HadoopStorage.of(folder.resolve("fleet").toString(), spark.hadoopConfiguration());
    HadoopStorage results =
        HadoopStorage.of(folder.resolve("out").toString(), spark.hadoopConfiguration());
    FleetJob.written(
            spark
                .parallelize(tasks, tasks.size())
                .map(task -> {
                  marks.add(Mark.now());
                  return task;
                }),
            trials,
            storage,
            results,
            OPTIONS)
        .foreach(written -> marks.add(Mark.now()));
    long elapsed = TimeSource.system().elapsedNanos() - begun;
    return new Cost(cpu() - cpu + (double) ofExecutors(marks.value()), elapsed);
  }

  /** The processor time between the first and the last mark of each process but this one. */
  private static long ofExecutors(List<Mark> marks) {
    String own = Mark.now().process();
    Map<String, long[]> spans = new HashMap<>();
    for (Mark mark : marks) {
      long[] span =
          spans.computeIfAbsent(
              mark.process(), each -> new long[] {mark.cpuNanos(), mark.cpuNanos()});
      span[0] = Math.min(span[0], mark.cpuNanos());
      span[1] = Math.max(span[1], mark.cpuNanos());
    }
    spans.remove(own);
    return spans.values().stream().mapToLong(span -> span[1] - span[0]).sum();
  }

  private static long cpu() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }
}
