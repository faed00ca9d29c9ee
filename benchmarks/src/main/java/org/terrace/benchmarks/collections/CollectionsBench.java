package org.terrace.benchmarks.collections;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.benchmarks.BenchReport;
import org.terrace.benchmarks.OnlyFlag;
import org.terrace.core.TimeSource;

/**
 * Terrace's replicated collections beside their peers: how fast, at what cost, and what is lost.
 *
 * <p>Each run of a subject is three fresh server processes. In <em>embedded</em> figures the load
 * is in the first of them, as an application's would be.
 */
public final class CollectionsBench {
  private static final int REPORT_SECONDS_MAX = 15;

  private final Effort effort;
  private final Processes processes;
  private final Results results = new Results();
  private final Progress progress;

  private CollectionsBench(Effort effort, Path log) {
    this.effort = effort;
    this.processes = new Processes(log);
    this.progress = new Progress(System.err, TimeSource.system(), effort.plan());
  }

  /**
   * Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer, {@code --full}
   * for a long one, {@code --only=SUBJECT,...} for some subjects of {@link Subject}, as {@code
   * terrace-all}.
   */
  public static void main(String[] arguments) throws IOException {
    List<String> flags = List.of(arguments);
    Effort effort =
        flags.contains("--quick")
            ? Effort.quick()
            : flags.contains("--full") ? Effort.full() : Effort.usual();
    List<Subject> all = List.of(Subject.values());
    List<String> only = OnlyFlag.of(flags, names(all), names(effort.subjects()));
    effort =
        effort.only(
            all.stream()
                .filter(subject -> only.contains(OnlyFlag.name(subject)))
                .collect(toCollection(() -> EnumSet.noneOf(Subject.class))));
    Path log = Files.createTempFile("terrace-bench-collections", ".log");
    CollectionsBench bench = new CollectionsBench(effort, log);
    CountDownLatch reported = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> bench.interrupt(reported)));
    int status;
    try {
      printSetting();
      bench.measure();
      BenchReport report = bench.report(flags.contains("--json"));
      status = report.conclude(System.err, OnlyFlag.isPart(flags));
      Files.deleteIfExists(log);
    } finally {
      reported.countDown();
    }
    System.exit(status);
  }

  private static List<String> names(Collection<Subject> subjects) {
    return subjects.stream().map(OnlyFlag::name).toList();
  }

  private static void printSetting() {
    System.err.printf(
        """
        Each subject: three server processes, and one load process, each with %s.
        Put, get and 1024: the load is inside the first server, as an application's would be.
        Remote: the load process calls one front end, the same for all subjects, at the three servers.
        Level: what a put has achieved when it returns; only equal levels are compared.
        Wire: the loopback interface's counters, so a busy machine's other traffic is in it.
        An interrupt (Ctrl-C) ends the measurement and prints what there is.
        The configurations are in docs/reference/bench-collections.md.
        """,
        String.join(" ", Node.JVM_FLAGS));
  }

  private void measure() {
    Parts parts = new Parts(processes, results, progress);
    for (Progress.Step step : effort.plan()) {
      if (processes.isInterrupted()) {
        return;
      }
      boolean isFirst = step.run() == 1;
      if (!isFirst && progress.isLaterThan(effort.longest())) {
        progress.leaveOut();
        continue;
      }
      results.beginRun();
      progress.begin();
      new SubjectRun(step.subject(), isFirst, effort, results, processes, parts).measure();
      progress.end(results);
    }
  }

  private BenchReport report(boolean json) {
    boolean isWhole = !processes.isInterrupted();
    System.err.println(
        isWhole
            ? "All measured in " + progress.elapsed() + "."
            : "Interrupted after " + progress.elapsed() + "; this is what was measured.");
    List<BenchReport.Goal> goals = new Goals(results, isWhole).judge();
    if (!json) {
      System.out.println(Summary.of(results));
    }
    BenchReport report = BenchReport.of("collections", results.rows(), goals);
    report.print(System.out, json);
    System.out.flush();
    return report;
  }

  /** Ends what runs, and the JVM only when the report is out. */
  private void interrupt(CountDownLatch reported) {
    try {
      processes.interrupt();
      if (!reported.await(REPORT_SECONDS_MAX, TimeUnit.SECONDS)) {
        System.err.println("The report is late; nothing more is printed.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }
}
