package org.terrace.benchmarks.database;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.BenchReport.Goal;

/**
 * The goals, which were set before anything was measured, and their verdicts. Confined to one
 * thread.
 */
final class DatabaseGoals {
  private static final String MISSING = "a figure is missing";

  private final FigureTable figures;
  private final List<Goal> goals = new ArrayList<>();

  DatabaseGoals(FigureTable figures) {
    this.figures = figures;
  }

  /** The level of a mix on a kind of server: what is comparable with what. */
  static String level(ServerKind kind, StatementMix mix) {
    // Galera is compared with clusters of servers of its own version alone.
    return (kind == ServerKind.GALERA ? ServerKind.DEBIAN_MARIADB : kind) + " " + mix;
  }

  /** The level of what is measured on servers without limits. */
  static String level(ServerKind kind) {
    return kind + " unlimited";
  }

  List<Goal> judge() {
    for (ServerKind kind : List.of(ServerKind.POSTGRESQL, ServerKind.MARIADB)) {
      String prefix = kind + "-";
      atLeast(
          prefix + "key-to-serial-board",
          keyTo(TierSubject.SERIAL_2, level(kind, StatementMix.BOARD)),
          1.6);
      String hot = level(kind, StatementMix.HOT_ROWS);
      atLeast(prefix + "key-to-serial-hot-rows", keyTo(TierSubject.SERIAL_2, hot), 3);
      atMost(prefix + "key-aborts-hot-rows", figures.median("key-2", hot, "aborts"), 0);
      String unlimited = level(kind);
      atMost(prefix + "read-overhead-us", of(unlimited, "key-2", "read-overhead-us"), 10);
      for (String metric : List.of("unequal-servers", "wrong-effects", "failed-reads")) {
        atMost(prefix + metric, figures.greatest(kind + " ", metric), 0);
      }
      atMost(prefix + "crash-write-gap-ms", lossOf(kind, "crash-write-gap-ms"), 100);
      atMost(prefix + "hang-write-gap-ms", lossOf(kind, "hang-write-gap-ms"), 2_000);
      atMost(prefix + "return-s", lossOf(kind, "return-s"), 5);
      atMost(prefix + "return-write-gap-ms", lossOf(kind, "return-write-gap-ms"), 100);
      atMost(prefix + "wait-first-to-wait-all", firstToAll(kind), 0.6);
    }
    String board = level(ServerKind.POSTGRESQL, StatementMix.BOARD);
    atLeast("key-to-pgpool-board", keyTo(TierSubject.PGPOOL_2, board), 1.2);
    String hotRows = level(ServerKind.GALERA, StatementMix.HOT_ROWS);
    atLeast("key-to-galera-hot-rows", keyTo(TierSubject.GALERA_2, hotRows), 1.4);
    goals.add(
        Goal.notJudged("controller-loss-ms", "<= 1000", "only one controller is supported so far"));
    goals.add(Goal.notJudged("nine-to-two-servers", ">= 0.8", "nine servers are not measured yet"));
    return goals;
  }

  private @Nullable Double keyTo(TierSubject other, String level) {
    Double key = of(level, "key-2", "transactions-per-second");
    Double others = of(level, other.toString(), "transactions-per-second");
    return key == null || others == null ? null : key / others;
  }

  private @Nullable Double firstToAll(ServerKind kind) {
    Double first = of(kind + SlowServer.LEVEL, "wait-first", "write-p50-us");
    Double all = of(kind + SlowServer.LEVEL, "wait-all", "write-p50-us");
    return first == null || all == null ? null : first / all;
  }

  private @Nullable Double lossOf(ServerKind kind, String metric) {
    return of(level(kind), ReplicaLosses.SUBJECT, metric);
  }

  private @Nullable Double of(String level, String subject, String metric) {
    return figures.median(subject, level, metric);
  }

  private void atLeast(String id, @Nullable Double value, double bound) {
    goals.add(
        value == null
            ? Goal.notJudged(id, ">= " + bound, MISSING)
            : Goal.atLeast(id, value, bound));
  }

  private void atMost(String id, @Nullable Double value, double bound) {
    goals.add(
        value == null ? Goal.notJudged(id, "<= " + bound, MISSING) : Goal.atMost(id, value, bound));
  }
}
