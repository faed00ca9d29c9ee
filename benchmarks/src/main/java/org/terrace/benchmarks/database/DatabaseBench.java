package org.terrace.benchmarks.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.benchmarks.BenchReport;
import org.terrace.benchmarks.OnlyFlag;
import org.terrace.load.Latencies;
import org.terrace.nodes.machine.CpuLimits;

/**
 * The clustered database beside one server by its own driver, on PostgreSQL and MariaDB, and beside
 * pgpool-II and Galera: throughput of servers with limited processors, what a read costs more, and
 * the loss and return of a server.
 */
public final class DatabaseBench {
  private static final String READS = "reads";
  private static final String FAULTS = "faults";
  private static final String SLOW = "slow-server";
  private static final String RATE = "transactions-per-second";
  private static final int SERVERS = 3;
  private static final int CLIENTS = 8;

  /** A quarter of a core for each server leaves the clients what they need of two. */
  private static final double CORES = 0.25;

  private static final int MEDIAN = 50;
  private static final int TAIL = 99;

  private final Extent extent;
  private final List<String> only;
  private final Path folder;
  private final FigureTable figures = new FigureTable();
  private int logs;

  private DatabaseBench(Extent extent, List<String> only, Path folder) {
    this.extent = extent;
    this.only = only;
    this.folder = folder;
  }

  /**
   * Runs the benchmark; {@code --json} for JSON, {@code --quick} for a rough answer, {@code
   * --only=SUBJECT,...} for some subjects of {@link TierSubject}, {@code reads}, {@code faults} and
   * {@code slow-server}.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> flags = List.of(arguments);
    List<String> known = new ArrayList<>();
    for (TierSubject subject : TierSubject.values()) {
      known.add(subject.toString());
    }
    known.addAll(List.of(READS, FAULTS, SLOW));
    Path folder = Files.createTempDirectory("terrace-bench-database");
    DatabaseBench bench =
        new DatabaseBench(
            flags.contains("--quick") ? Extent.quick() : Extent.full(),
            OnlyFlag.of(flags, known, known),
            folder);
    for (ServerKind kind : ServerKind.values()) {
      bench.measure(kind);
    }
    BenchReport report =
        BenchReport.of("database", bench.figures.rows(), new DatabaseGoals(bench.figures).judge());
    report.print(System.out, flags.contains("--json"));
    System.out.flush();
    System.err.println("Recovery logs and the controllers' words are in " + folder + ".");
    System.exit(report.conclude(System.err, OnlyFlag.isPart(flags)));
  }

  private void measure(ServerKind kind) throws InterruptedException {
    List<TierSubject> subjects = new ArrayList<>();
    for (TierSubject subject : TierSubject.values()) {
      if (only.contains(subject.toString()) && subject.isOn(kind)) {
        subjects.add(subject);
      }
    }
    String missing = kind.missing();
    if (!missing.isEmpty()) {
      subjects.forEach(subject -> figures.skip(subject.toString(), kind.toString(), RATE, missing));
      return;
    }
    if (!subjects.isEmpty()) {
      measureTiers(kind, subjects);
    }
    boolean isOwn = kind == ServerKind.POSTGRESQL || kind == ServerKind.MARIADB;
    if (isOwn && (only.contains(READS) || only.contains(FAULTS) || only.contains(SLOW))) {
      measureUnlimited(kind);
    }
  }

  private void measureTiers(ServerKind kind, List<TierSubject> subjects)
      throws InterruptedException {
    try (CpuLimits limits = CpuLimits.open();
        ServerFleet fleet =
            ServerFleet.limited(kind, kind == ServerKind.GALERA ? 2 : SERVERS, limits, CORES)) {
      limits.warning().ifPresent(System.err::println);
      for (int round = 1; round <= extent.rounds(); round++) {
        for (StatementMix mix : StatementMix.values()) {
          for (TierSubject subject : subjects) {
            System.err.printf(
                "%s, %s, %s, round %d of %d%n", kind, mix, subject, round, extent.rounds());
            measureTier(fleet, subject, mix, DatabaseGoals.level(kind, mix));
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      figures.skip("direct", kind.toString(), RATE, String.valueOf(e.getMessage()));
    }
  }

  private void measureTier(ServerFleet fleet, TierSubject subject, StatementMix mix, String level)
      throws InterruptedException {
    String name = subject.toString();
    try {
      fleet.reset();
      FleetContent.Effects before = FleetContent.effects(fleet, mix);
      TierLoad.LoadOutcome outcome;
      try (OpenTier tier =
          OpenTier.open(subject, fleet, nextLog(), folder.resolve("controllers.txt"))) {
        outcome =
            new TierLoad(tier, fleet, subject.replicas(), mix)
                .run(CLIENTS, extent.warm(), extent.measured());
      }
      addLoad(name, level, outcome);
      FleetContent.Effects after = FleetContent.effects(fleet, mix);
      long wrong = after.wrong(before, outcome.acknowledged(), 0);
      figures.add(name, level, "wrong-effects", (double) wrong);
      figures.add(name, level, "unequal-servers", FleetContent.unequal(fleet, subject.replicas()));
    } catch (IOException | SQLException | RuntimeException e) {
      System.err.println(name + " at " + level + ": " + e);
      figures.skip(name, level, RATE, String.valueOf(e.getMessage()));
    }
  }

  private void addLoad(String name, String level, TierLoad.LoadOutcome outcome) {
    figures.add(name, level, RATE, outcome.transactions() / outcome.seconds());
    addTimes(name, level, "read", outcome.reads());
    addTimes(name, level, "write", outcome.writes());
    figures.add(name, level, "aborts", (double) outcome.aborts());
    double microsOfASecond = 1e6 / Math.max(1, outcome.transactions());
    figures.add(name, level, "cpu-client-us", outcome.clientCpuSeconds() * microsOfASecond);
    figures.add(name, level, "cpu-controller-us", outcome.tierCpuSeconds() * microsOfASecond);
    figures.add(name, level, "cpu-databases-us", outcome.databaseCpuSeconds() * microsOfASecond);
  }

  private void addTimes(String name, String level, String prefix, Latencies times) {
    if (times.count() > 0) {
      figures.add(name, level, prefix + "-p50-us", times.micros(MEDIAN));
      figures.add(name, level, prefix + "-p99-us", times.micros(TAIL));
    }
  }

  private void measureUnlimited(ServerKind kind) throws InterruptedException {
    String level = DatabaseGoals.level(kind);
    try (ServerFleet fleet = ServerFleet.unlimited(kind, SERVERS)) {
      if (only.contains(READS)) {
        System.err.println(kind + ", reads");
        ReadCost.measure(
            fleet, nextLog(), level, extent.readBlocks(), extent.readsOfABlock(), figures);
      }
      if (only.contains(SLOW)) {
        new SlowServer(fleet, figures).measure(kind, extent, this::nextLog);
      }
      if (only.contains(FAULTS)) {
        System.err.println(kind + ", loss and return of a server");
        new ReplicaLosses(fleet, level, figures).measure(extent.behind(), nextLog());
      }
    } catch (IOException | SQLException | RuntimeException e) {
      System.err.println(level + ": " + e);
      figures.skip(ReplicaLosses.SUBJECT, level, "return-s", String.valueOf(e.getMessage()));
    }
  }

  private Path nextLog() {
    logs++;
    return folder.resolve("log-" + logs);
  }
}
