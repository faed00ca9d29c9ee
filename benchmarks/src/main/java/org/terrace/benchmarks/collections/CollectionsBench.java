package org.terrace.benchmarks.collections;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.terrace.benchmarks.BenchReport;
import org.terrace.benchmarks.Only;

/**
 * Terrace's replicated collections beside their peers: how fast, at what cost, and what is lost.
 *
 * <p>Each run of a subject is three fresh server processes. In <em>embedded</em> figures the load
 * is in the first of them, as an application's would be.
 */
public final class CollectionsBench {
  private final Path log;
  private final Effort effort;
  private final Results results = new Results();

  private CollectionsBench(Effort effort, Path log) {
    this.effort = effort;
    this.log = log;
  }

  /**
   * Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer, {@code --full}
   * for a long one, {@code --only=SUBJECT,...} for some subjects of {@link Subject}, as {@code
   * terrace-all}.
   */
  public static void main(String[] arguments) throws IOException {
    List<String> flags = List.of(arguments);
    Path log = Files.createTempFile("terrace-bench-collections", ".log");
    Effort effort =
        flags.contains("--quick")
            ? Effort.quick()
            : flags.contains("--full") ? Effort.full() : Effort.usual();
    List<Subject> all = List.of(Subject.values());
    List<String> only = Only.of(flags, names(all), names(effort.subjects()));
    effort =
        effort.only(
            all.stream()
                .filter(subject -> only.contains(Only.name(subject)))
                .collect(toCollection(() -> EnumSet.noneOf(Subject.class))));
    CollectionsBench bench = new CollectionsBench(effort, log);
    printSetting();
    bench.measure();
    List<BenchReport.Goal> goals = new Goals(bench.results).judge();
    boolean json = flags.contains("--json");
    BenchReport report = BenchReport.of("collections", bench.results.rows(), goals);
    if (!json) {
      System.out.println(Summary.of(bench.results));
    }
    report.print(System.out, json);
    Files.deleteIfExists(log);
  }

  private static List<String> names(Collection<Subject> subjects) {
    return subjects.stream().map(Only::name).toList();
  }

  private static void printSetting() {
    System.err.printf(
        """
        Each subject: three server processes, and one load process, each with %s.
        Put, get and 1024: the load is inside the first server, as an application's would be.
        Remote: the load process calls one front end, the same for all subjects, at the three servers.
        Level: what a put has achieved when it returns; only equal levels are compared.
        Wire: the loopback interface's counters, so a busy machine's other traffic is in it.
        The configurations are in docs/reference/bench-collections.md.
        """,
        String.join(" ", Node.JVM_FLAGS));
  }

  private void measure() {
    for (int run = 1; run <= effort.runs(); run++) {
      for (Subject subject : effort.subjects()) {
        System.err.println(
            "%s, acknowledged by %s, run %d of %d"
                .formatted(subject, subject.level(), run, effort.runs()));
        new SubjectRun(subject, run == 1, effort, results, log).measure();
      }
    }
  }
}
