package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.terrace.benchmarks.BenchReport;

/**
 * Terrace's replicated collections beside their peers: how fast, at what cost, and what is lost.
 *
 * <p>Each run of a subject is three fresh server processes. In <em>embedded</em> figures the load
 * is in the first of them, as an application's would be.
 */
public final class CollectionsBench {
  private static final Set<Subject> QUICK =
      EnumSet.of(
          Subject.TERRACE_LOCAL,
          Subject.TERRACE_TWO,
          Subject.TERRACE_ALL,
          Subject.HAZELCAST_REPLICATED_MAP,
          Subject.HAZELCAST_IMAP);

  private final Path log;
  private final Effort effort;
  private final Results results = new Results();

  private CollectionsBench(Effort effort, Path log) {
    this.effort = effort;
    this.log = log;
  }

  /** How much is measured, and for how long. */
  private record Effort(
      Set<Subject> subjects, int runs, int clients, double warmSeconds, double seconds) {
    static Effort quick() {
      return new Effort(QUICK, 1, 1_024, 3, 3);
    }

    static Effort full() {
      return new Effort(EnumSet.allOf(Subject.class), 3, 1_024, 6, 5);
    }
  }

  /** Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer. */
  public static void main(String[] arguments) throws IOException {
    List<String> flags = List.of(arguments);
    boolean quick = flags.contains("--quick");
    Path log = Files.createTempFile("terrace-bench-collections", ".log");
    CollectionsBench bench = new CollectionsBench(quick ? Effort.quick() : Effort.full(), log);
    bench.measure();
    List<BenchReport.Goal> goals = new Goals(bench.results).judge();
    BenchReport.of("collections", bench.results.rows(), goals)
        .print(System.out, flags.contains("--json"));
    Files.deleteIfExists(log);
  }

  private void measure() {
    for (int run = 1; run <= effort.runs; run++) {
      for (Subject subject : effort.subjects) {
        System.err.println(
            "%s, acknowledged by %s, run %d of %d"
                .formatted(subject, subject.level(), run, effort.runs));
        try (Cluster cluster = Cluster.start(subject, Cluster.SERVERS, log)) {
          measure(subject, cluster);
        } catch (IOException e) {
          System.err.println(subject + " failed: " + e.getMessage());
          results.skip(subject, "put-p50", e.toString());
        }
      }
    }
  }

  private void measure(Subject subject, Cluster cluster) throws IOException {
    Node loaded = cluster.node(0);
    loaded.ask("fill");
    results.add(subject, loaded.ask("latency %s %s".formatted(effort.warmSeconds, effort.seconds)));
    results.add(
        subject,
        loaded.ask("mix %d %s %s".formatted(effort.clients, effort.warmSeconds, effort.seconds)));
  }
}
