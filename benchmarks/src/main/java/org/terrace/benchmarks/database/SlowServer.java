package org.terrace.benchmarks.database;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import org.terrace.testing.DelayingRelay;

/**
 * Writes to three servers of which one is slow at everything: how long a client waits who waits for
 * all of them, and who waits for the first. Confined to one thread.
 */
final class SlowServer {
  /** The levels of both figures end so. */
  static final String LEVEL = " one slow";

  private static final Duration LATER = Duration.ofMillis(5);
  private static final int SERVERS = 3;
  private static final int CLIENTS = 4;
  private static final int MEDIAN = 50;
  private static final int TAIL = 99;

  private final ServerFleet fleet;
  private final FigureTable figures;

  SlowServer(ServerFleet fleet, FigureTable figures) {
    this.fleet = fleet;
    this.figures = figures;
  }

  /**
   * Measures both ways in turn.
   *
   * @param logs gives a place for each recovery log
   */
  void measure(ServerKind kind, Extent extent, Supplier<Path> logs)
      throws IOException, SQLException, InterruptedException {
    String slow = fleet.server(SERVERS - 1).place();
    try (DelayingRelay relay = DelayingRelay.to(slow, LATER)) {
      for (int round = 1; round <= extent.rounds(); round++) {
        for (String writes : new String[] {"wait-all", "wait-first"}) {
          System.err.printf(
              "%s, one slow server, %s, round %d of %d%n", kind, writes, round, extent.rounds());
          String url =
              fleet
                  .clusterUrl(
                      SERVERS, "scheduling=key&writes=%s&log=%s".formatted(writes, logs.get()))
                  .replace(slow, relay.place());
          measure(url, writes, kind + LEVEL, extent);
        }
      }
    }
  }

  private void measure(String url, String writes, String level, Extent extent)
      throws SQLException, InterruptedException {
    fleet.reset();
    FleetContent.Effects before = FleetContent.effects(fleet, StatementMix.BOARD);
    TierLoad.LoadOutcome outcome;
    try (OpenTier tier = OpenTier.inProcess(url)) {
      outcome =
          new TierLoad(tier, fleet, SERVERS, StatementMix.BOARD)
              .run(CLIENTS, extent.warm(), extent.measured());
    }
    figures.add(writes, level, "write-p50-us", outcome.writes().micros(MEDIAN));
    figures.add(writes, level, "write-p99-us", outcome.writes().micros(TAIL));
    figures.add(writes, level, "read-p50-us", outcome.reads().micros(MEDIAN));
    figures.add(writes, level, "aborts", (double) outcome.aborts());
    FleetContent.Effects after = FleetContent.effects(fleet, StatementMix.BOARD);
    long wrong = after.wrong(before, outcome.acknowledged(), 0);
    figures.add(writes, level, "wrong-effects", (double) wrong);
    figures.add(writes, level, "unequal-servers", FleetContent.unequal(fleet, SERVERS));
  }
}
