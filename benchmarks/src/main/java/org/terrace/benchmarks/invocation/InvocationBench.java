package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.benchmarks.BenchReport;
import org.terrace.benchmarks.OnlyFlag;
import org.terrace.core.Percentiles;
import org.terrace.core.process.ChildProcess;

/** Calls beside their peers, and what becomes of calls when a server is lost. */
public final class InvocationBench {
  private static final String TERRACE = Subject.TERRACE.toString();

  /** A process with nothing of Terrace: what a crash costs at least. */
  private static final String BARE_PROCESS = "bare-process";

  private final Effort effort;
  private final Path folder;
  private final Path log;
  private final Results results = new Results();

  private InvocationBench(Effort effort, Path folder) {
    this.effort = effort;
    this.folder = folder;
    log = folder.resolve("log");
  }

  /**
   * Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer, {@code
   * --only=NAME,...} for some subjects of {@link Subject}, {@code faults}, or parts of those
   * ({@link FaultPart}).
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> flags = List.of(arguments);
    Effort effort = flags.contains("--quick") ? Effort.quick() : Effort.full();
    List<String> known = new ArrayList<>();
    for (Subject subject : Subject.values()) {
      known.add(subject.toString());
    }
    known.addAll(FaultPart.names());
    List<String> only = OnlyFlag.of(flags, known, known);
    Path folder = Files.createTempDirectory("terrace-bench-invocation");
    InvocationBench bench = new InvocationBench(effort, folder);
    bench.measureCalls(only);
    bench.measureFaults(only);
    BenchReport report =
        BenchReport.of("invocation", bench.results.rows(), new Goals(bench.results).judge());
    report.print(System.out, flags.contains("--json"));
    System.out.flush();
    System.err.println("The processes' own words are in " + bench.log + ".");
    System.exit(report.conclude(System.err, OnlyFlag.isPart(flags)));
  }

  private void measureCalls(List<String> only) {
    List<Placement> placements = Placement.available();
    for (int run = 1; run <= effort.runs(); run++) {
      for (Subject subject : Subject.values()) {
        if (!only.contains(subject.toString())) {
          continue;
        }
        for (Placement placement : placements) {
          System.err.printf("%s, %s, run %d of %d%n", subject, placement, run, effort.runs());
          try {
            measureCalls(subject, placement);
          } catch (IOException | RuntimeException e) {
            results.skip(subject.toString(), "call-4b-p50", String.valueOf(e.getMessage()));
          }
        }
      }
    }
  }

  private void measureCalls(Subject subject, Placement placement) throws IOException {
    List<ChildProcess> servers = new ArrayList<>();
    try {
      List<String> arguments = new ArrayList<>();
      arguments.add(subject.toString());
      arguments.add(Integer.toString(effort.warmSeconds()));
      arguments.add(Integer.toString(effort.calls()));
      for (int number = 0; number < subject.servers(); number++) {
        String[] words = {subject.toString(), "server" + number};
        ChildProcess server = Jvm.start(placement.ofServer(), EchoServer.class, log, words);
        servers.add(server);
        arguments.add(Long.toString(server.pid()));
        arguments.addAll(server.awaitReady());
      }
      String[] words = arguments.toArray(String[]::new);
      try (ChildProcess client = Jvm.start(placement.ofClient(), EchoClient.class, log, words)) {
        addFigures(subject, placement, client.output().lines().toList());
      }
    } finally {
      servers.forEach(ChildProcess::close);
    }
  }

  private void addFigures(Subject subject, Placement placement, List<String> lines)
      throws IOException {
    int figures = 0;
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words.length == 2 && words[0].startsWith("call-")) {
        results.add(
            subject.toString(),
            subject.version(),
            words[0],
            placement,
            Double.parseDouble(words[1]));
        figures++;
      }
    }
    if (figures == 0) {
      throw new IOException("its client ended without a figure; see " + log);
    }
  }

  private void measureFaults(List<String> only) throws InterruptedException {
    for (FaultClient.Kind kind : FaultClient.Kind.values()) {
      if (kind.part().isAmong(only)) {
        measureFaults(kind, "", List.of());
      }
    }
    if (FaultPart.REDUNDANCY.isAmong(only)) {
      measureRestoration();
    }
    boolean isStored =
        Stream.of(FaultPart.values())
            .anyMatch(part ->
                part != FaultPart.ACTIVE && part != FaultPart.REDUNDANCY && part.isAmong(only));
    if (isStored) {
      for (EffectsDatabase database : EffectsDatabase.values()) {
        measureExactlyOnce(database, only);
      }
    }
  }

  /** Crashes and hangs on a service whose effects and replies are in that database. */
  private void measureExactlyOnce(EffectsDatabase kind, List<String> only)
      throws InterruptedException {
    String missing = kind.missing();
    if (!missing.isEmpty()) {
      results.skip(TERRACE, "standstill-" + kind + "-p50-ms", missing);
      return;
    }
    try (EffectsDatabase.Open database = kind.open()) {
      for (FaultClient.Kind fault : FaultClient.Kind.OF_WARM_PASSIVE) {
        if (fault.part().isAmong(only)) {
          measureFaults(fault, "-" + kind, database.words());
        }
      }
    } catch (IOException | SQLException | RuntimeException e) {
      results.skip(TERRACE, "crash-in-flight-" + kind + "-p50-ms", String.valueOf(e.getMessage()));
    }
    if (FaultPart.STANDSTILL.isAmong(only)) {
      measureStandstill(kind);
    }
    if (FaultPart.AUDIT.isAmong(only)) {
      auditEffects(kind);
    }
  }

  private void measureFaults(FaultClient.Kind kind, String suffix, List<String> database) {
    String name = OnlyFlag.name(kind) + suffix;
    int faults =
        kind == FaultClient.Kind.CRASH_IN_FLIGHT ? effort.inFlightFaults() : effort.faults();
    System.err.printf("%s, %d faults%n", name, faults);
    List<String> arguments =
        new ArrayList<>(List.of(kind.name(), Integer.toString(faults), log.toString()));
    arguments.addAll(database);
    addMillis(TERRACE, name, FaultClient.class, arguments);
    if (kind == FaultClient.Kind.CRASH_IN_FLIGHT) {
      System.err.printf("%s of a bare process, %d kills%n", name, effort.faults());
      List<String> bare =
          new ArrayList<>(List.of(Integer.toString(effort.faults()), log.toString()));
      bare.addAll(database);
      addMillis(BARE_PROCESS, name, CrashFloor.class, bare);
    }
  }

  /** Adds the figures that a process prints, or why there are none. */
  private void addMillis(String subject, String name, Class<?> main, List<String> arguments) {
    int figures = 0;
    try (ChildProcess client = Jvm.start(main, log, arguments.toArray(String[]::new))) {
      for (String line : client.output().lines().toList()) {
        String[] words = line.split(" ", -1);
        if (words.length == 2) {
          results.add(subject, "", name + "-" + words[0] + "-ms", Double.parseDouble(words[1]));
          figures++;
        }
      }
      if (figures == 0) {
        results.skip(subject, name + "-p50-ms", "its client ended without a figure; see " + log);
      }
    } catch (IOException e) {
      results.skip(subject, name + "-p50-ms", String.valueOf(e.getMessage()));
    }
  }

  private void measureStandstill(EffectsDatabase kind) throws InterruptedException {
    String name = "standstill-" + kind;
    System.err.printf("%s, %d faults%n", name, effort.standstills());
    try {
      Standstill.Figures figures =
          Standstill.measure(
              effort.standstills(), kind, Files.createDirectories(folder.resolve(name)), log);
      double[] sorted = figures.millis().clone();
      Arrays.sort(sorted);
      results.add(TERRACE, "", name + "-p50-ms", Percentiles.ofSorted(sorted, 50));
      results.add(TERRACE, "", name + "-max-ms", sorted[sorted.length - 1]);
      results.add(TERRACE, "", name + "-wrong-effects", (double) figures.wrong());
    } catch (IOException | SQLException | RuntimeException e) {
      results.skip(TERRACE, name + "-p50-ms", String.valueOf(e.getMessage()));
    }
  }

  private void measureRestoration() throws InterruptedException {
    System.err.printf("redundancy, %d kills%n", effort.restorations());
    try {
      Path managed = Files.createDirectories(folder.resolve("restoration"));
      for (double seconds : Restoration.measure(effort.restorations(), managed, log)) {
        results.add(TERRACE, "", "redundancy-restored-s", seconds);
      }
    } catch (IOException | RuntimeException e) {
      results.skip(TERRACE, "redundancy-restored-s", String.valueOf(e.getMessage()));
    }
  }

  private void auditEffects(EffectsDatabase kind) throws InterruptedException {
    System.err.printf("audit of effects, %s, %d kills%n", kind, effort.auditKills());
    try {
      EffectsAudit.Verdict verdict = EffectsAudit.run(effort.auditKills(), kind, log);
      results.add(TERRACE, "", "acknowledged-calls-" + kind, (double) verdict.acknowledged());
      results.add(TERRACE, "", "unknown-calls-" + kind, (double) verdict.unknown());
      results.add(TERRACE, "", "duplicate-effects-" + kind, (double) verdict.duplicates());
      results.add(TERRACE, "", "lost-acknowledged-" + kind, (double) verdict.lost());
    } catch (IOException | SQLException | RuntimeException e) {
      results.skip(TERRACE, "duplicate-effects-" + kind, String.valueOf(e.getMessage()));
    }
  }
}
