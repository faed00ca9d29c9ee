package org.terrace.fleet.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.core.CountedNoun;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.fleet.FleetFindings;
import org.terrace.fleet.FleetReader;
import org.terrace.fleet.ServerOutcome;
import org.terrace.fleet.ServerTask;

/**
 * The program that {@code spark-submit} runs: the findings of every trial of a data set, each as
 * {@code trial=NAME/findings.json} in a folder of results, the same as those of one process.
 *
 * <p>A server of a trial is a task, and so is the join of a trial's servers. A task that is tried
 * again, because a machine was lost, gives the same outcome.
 */
public final class FleetJob {
  private static final String USAGE =
      "expected FLEET --out FOLDER [--window MILLIS], both as paths or URIs that all machines of"
          + " the cluster reach";

  /** The most tasks of a stage; of more servers, several are in one. */
  private static final int TASKS_MAX = 20_000;

  private final String fleet;
  private final String out;
  private final AnalysisOptions options;

  private FleetJob(String fleet, String out, AnalysisOptions options) {
    this.fleet = fleet;
    this.out = out;
    this.options = options;
  }

  /** Runs the job; the arguments are the data set, {@code --out} and {@code --window}. */
  public static void main(String[] arguments) {
    try {
      FleetJob job = parse(List.of(arguments));
      try (JavaSparkContext spark =
          new JavaSparkContext(new SparkConf().setAppName("Terrace findings of " + job.fleet))) {
        TaskProgress progress = new TaskProgress();
        spark.sc().addSparkListener(progress);
        job.run(spark, progress).forEach(System.out::println);
      }
    } catch (TerraceException e) {
      System.err.println("terrace: " + e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  private static FleetJob parse(List<String> arguments) {
    List<String> places = new ArrayList<>();
    String out = "";
    AnalysisOptions options = AnalysisOptions.defaults();
    for (int i = 0; i < arguments.size(); i++) {
      String word = arguments.get(i);
      if (!word.startsWith("--")) {
        places.add(word);
      } else if (i + 1 == arguments.size()) {
        throw wrong(word + " has no value");
      } else {
        String value = arguments.get(++i);
        switch (word) {
          case "--out" -> out = value;
          case "--window" -> options = withWindow(options, value);
          default -> throw wrong(word + " is no option");
        }
      }
    }
    if (places.size() != 1 || out.isEmpty()) {
      throw wrong(places.size() + " data sets and " + (out.isEmpty() ? "no" : "a") + " --out");
    }
    return new FleetJob(places.getFirst(), out, options);
  }

  private static AnalysisOptions withWindow(AnalysisOptions options, String millis) {
    try {
      return options.withWindowMillis(Integer.parseInt(millis));
    } catch (IllegalArgumentException e) {
      throw wrong("--window " + millis + ": " + e.getMessage());
    }
  }

  private static TerraceException wrong(String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, what + "; " + USAGE);
  }

  private List<String> run(JavaSparkContext spark, TaskProgress progress) {
    HadoopStorage storage = HadoopStorage.of(fleet, spark.hadoopConfiguration());
    HadoopStorage results = HadoopStorage.of(out, spark.hadoopConfiguration());
    List<String> trials = FleetReader.trials(storage);
    List<ServerTask> tasks = ServerTask.all(storage, trials, options);
    Set<String> withServers = new TreeSet<>();
    tasks.forEach(task -> withServers.add(task.trial()));
    List<String> withoutServers = new ArrayList<>(trials);
    withoutServers.removeAll(withServers);
    progress.expect(tasks.size(), trials.size());
    List<WrittenTrial> written = new ArrayList<>();
    if (!tasks.isEmpty()) {
      JavaRDD<ServerTask> asTasks = spark.parallelize(tasks, Math.min(tasks.size(), TASKS_MAX));
      written.addAll(collected(written(asTasks, withServers.size(), storage, results, options)));
    }
    if (!withoutServers.isEmpty()) {
      AnalysisOptions settings = options;
      written.addAll(
          collected(
              spark
                  .parallelize(withoutServers, Math.min(withoutServers.size(), TASKS_MAX))
                  .map(trial -> WrittenTrial.write(storage, results, trial, List.of(), settings))));
    }
    written.forEach(trial -> checkIsThere(results, trial));
    written.forEach(trial -> removeUnfinished(results, trial, spark.sc().applicationId() + "-"));
    return written.stream()
        .sorted(Comparator.comparing(WrittenTrial::trial))
        .map(this::line)
        .toList();
  }

  /** Runs a job; what a task says for its user is told as it was said. */
  private static List<WrittenTrial> collected(JavaRDD<WrittenTrial> trials) {
    try {
      return trials.collect();
    } catch (Exception e) {
      // Spark's own exception, which no signature declares, with that of the task behind it.
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof TerraceException told) {
          throw new TerraceException(told.code(), String.valueOf(told.getMessage()), e);
        }
      }
      throw e;
    }
  }

  private void checkIsThere(HadoopStorage results, WrittenTrial trial) {
    String file = WrittenTrial.file(trial.trial());
    long found;
    try {
      found = results.size(file);
    } catch (IOException e) {
      throw lacking(file, trial, String.valueOf(e.getMessage()), e);
    }
    if (found != trial.bytes()) {
      throw lacking(file, trial, found < 0 ? "there is none" : "it has " + found, null);
    }
  }

  /** Removes what executors have left that were killed while they wrote. */
  private static void removeUnfinished(HadoopStorage results, WrittenTrial trial, String attempts) {
    try {
      results.removeUnfinished(WrittenTrial.file(trial.trial()), attempts, TimeSource.system());
    } catch (IOException e) {
      System.err.println(
          "terrace: what a killed executor left beside "
              + WrittenTrial.file(trial.trial())
              + " cannot be removed: "
              + e.getMessage());
    }
  }

  private TerraceException lacking(
      String file, WrittenTrial trial, String found, @Nullable IOException cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "%s/%s: a task wrote it with %d bytes, and from here %s. Name an --out that all machines of the cluster and this one reach under the same path or URI."
            .formatted(out, file, trial.bytes(), found),
        cause);
  }

  /** Runs the tasks of servers, and joins and writes each of their trials. */
  static JavaRDD<WrittenTrial> written(
      JavaRDD<ServerTask> tasks,
      int trials,
      HadoopStorage storage,
      HadoopStorage results,
      AnalysisOptions options) {
    return tasks
        .map(task -> task.run(storage))
        .keyBy(ServerOutcome::trial)
        .groupByKey(Math.min(trials, TASKS_MAX))
        .map(trial -> WrittenTrial.write(storage, results, trial._1(), trial._2(), options));
  }

  private String line(WrittenTrial result) {
    return String.format(
        Locale.ROOT,
        "%s: %s, %s, %s; %s/%s",
        result.trial(),
        CountedNoun.of(result.requests(), "request"),
        CountedNoun.of(result.servers(), "server"),
        CountedNoun.of(result.stalls(), "stall"),
        out,
        FleetFindings.folder(result.trial()));
  }
}
