package org.terrace.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.terrace.benchmarks.BenchReport.Goal;
import org.terrace.benchmarks.BenchReport.Row;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.load.GeneratorFacts;
import org.terrace.load.LoadPlan;
import org.terrace.load.LoadProcess;
import org.terrace.load.LoadResult;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.ThinkTime;

/**
 * The benchmark of load generators, 13,000 emulated users who think seven seconds beside those of
 * others: CPU, memory, achieved rate and lateness against a tiny site in a process of its own.
 * {@code LoadBench [--json] [--quick] [--users N]}.
 */
public final class LoadBench {
  private static final int USERS = 13_000;
  private static final double GOAL_CORES = 0.5;
  private static final double GOAL_MEGABYTES = 300;
  private static final double GOAL_RATE_MISS = 0.02;
  private static final String SITE_ADDRESS = "127.16.1.2";
  private static final String USERS_ADDRESS = "127.16.9.2";
  private static final Duration RAMP_DOWN = Duration.ofSeconds(5);

  private final int users;
  private final int runs;
  private final Duration rampUp;
  private final Duration run;
  private final Path directory;

  private LoadBench(int users, boolean quick, Path directory) {
    this.users = users;
    this.runs = quick ? 1 : 3;
    this.rampUp = Duration.ofSeconds(quick ? 10 : 20);
    this.run = Duration.ofSeconds(quick ? 20 : 60);
    this.directory = directory;
  }

  /** Measures and prints the report. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> flags = Arrays.asList(arguments);
    int at = flags.indexOf("--users");
    int users = at >= 0 ? Integer.parseInt(flags.get(at + 1)) : USERS;
    Path directory = Files.createTempDirectory("terrace-load-bench");
    try {
      BenchReport report = new LoadBench(users, flags.contains("--quick"), directory).measure();
      report.print(System.out, flags.contains("--json"));
    } finally {
      delete(directory);
    }
  }

  private BenchReport measure() throws IOException, InterruptedException {
    List<LoadResult> results = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    ChildProcess site = java(List.of(), TinySite.class, SITE_ADDRESS);
    try {
      URI address = URI.create("http://" + SITE_ADDRESS + ":" + site.awaitReady().getFirst());
      for (int i = 0; i < runs; i++) {
        System.err.println("load: terrace, run " + (i + 1) + " of " + runs);
        results.add(terrace(address, i));
      }
      rows.addAll(rows(results));
      System.err.println("load: peers");
      int seconds = (int) rampUp.plus(run).toSeconds();
      rows.addAll(new LoadPeers(users, seconds, directory).measure(address));
    } finally {
      site.process().getOutputStream().close();
      site.process().waitFor();
    }
    return BenchReport.of("load", rows, goals(results));
  }

  private LoadResult terrace(URI site, int number) throws IOException, InterruptedException {
    LoadPlan plan =
        LoadPlan.of(
            site,
            new LoadPlan.Closed(users),
            ThinkTime.RUBBOS,
            Mix.BROWSE_ONLY,
            new LoadPlan.Phases(rampUp, run, RAMP_DOWN),
            number,
            USERS_ADDRESS,
            directory.resolve("run-" + number));
    Path file = directory.resolve("plan-" + number + ".json");
    plan.write(file);
    ChildProcess load = java(LoadProcess.jvmOptions(plan), LoadProcess.class, file.toString());
    load.output().lines().forEach(line -> System.err.println("load: " + line));
    int status = load.process().waitFor();
    if (status != 0) {
      throw new IOException("the load process failed with exit code " + status);
    }
    LoadResult result = LoadResult.read(plan.output());
    result
        .validity()
        .forEach(check ->
            System.err.println(
                "load: "
                    + (check.passed() ? "passed " : "FAILED ")
                    + check.name()
                    + ": "
                    + check.detail()));
    return result;
  }

  private static ChildProcess java(List<String> options, Class<?> main, String argument)
      throws IOException {
    return ChildProcess.start(
        new ProcessBuilder(JavaCommand.of(options, main, argument))
            .redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  private static List<Row> rows(List<LoadResult> results) {
    return List.of(
        row(results, "requests-per-second", "1/s", GeneratorFacts::achievedPerSecond),
        row(results, "rate-ratio", "", LoadBench::rateRatio),
        row(results, "cores", "cores", GeneratorFacts::cpuCores),
        row(
            results,
            "cpu-per-request",
            "us",
            facts -> 1e6 * facts.cpuCores() / facts.achievedPerSecond()),
        row(results, "rss-mb", "MB", facts -> facts.peakResidentBytes() / 1e6),
        row(results, "lateness-p50", "us", GeneratorFacts::latenessP50Micros),
        row(results, "lateness-p99", "us", GeneratorFacts::latenessP99Micros),
        row(results, "sentinel-p50", "us", GeneratorFacts::sentinelP50Micros),
        row(results, "sentinel-p99", "us", GeneratorFacts::sentinelP99Micros),
        row(results, "errors", "", facts -> facts.errors()));
  }

  private static double rateRatio(GeneratorFacts facts) {
    return facts.achievedPerSecond() / facts.expectedPerSecond();
  }

  private static Row row(
      List<LoadResult> results, String metric, String unit, ToDoubleFunction<GeneratorFacts> of) {
    double[] values = results.stream().map(LoadResult::generator).mapToDouble(of).toArray();
    return Row.measured("terrace", "", metric, unit, values);
  }

  /** Judged by the worst run. */
  private static List<Goal> goals(List<LoadResult> results) {
    double cores = worst(results, GeneratorFacts::cpuCores);
    double megabytes = worst(results, facts -> facts.peakResidentBytes() / 1e6);
    double miss = worst(results, facts -> Math.abs(rateRatio(facts) - 1));
    return List.of(
        Goal.atMost("cores", cores, GOAL_CORES),
        Goal.atMost("rss-mb", megabytes, GOAL_MEGABYTES),
        Goal.atMost("rate-ratio-miss", miss, GOAL_RATE_MISS),
        Goal.atMost("errors", worst(results, facts -> facts.errors()), 0));
  }

  private static double worst(List<LoadResult> results, ToDoubleFunction<GeneratorFacts> of) {
    return results.stream().map(LoadResult::generator).mapToDouble(of).max().orElseThrow();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted((a, b) -> b.compareTo(a))
          .forEach(file -> {
            try {
              Files.delete(file);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
