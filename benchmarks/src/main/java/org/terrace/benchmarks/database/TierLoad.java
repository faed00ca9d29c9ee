package org.terrace.benchmarks.database;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;
import org.terrace.load.Latencies;

/**
 * A closed load on one subject: clients that ask for a transaction as soon as the last one is done.
 * For one use; confined to one thread but for its clients.
 */
final class TierLoad {
  private static final TimeSource TIME = TimeSource.system();

  /** The states of transactions that were undone and may be tried again. */
  private static final Set<String> ABORTS = Set.of("40001", "40P01", "55P03");

  private enum LoadPhase {
    WARM,
    MEASURED,
    ENDED
  }

  /**
   * The result of a load.
   *
   * @param seconds how long it was measured
   * @param reads times of those that were begun and done meanwhile
   * @param acknowledged all transactions that wrote and were acknowledged, also before
   * @param aborts all that were undone for another's sake, also before
   * @param clientCpuSeconds processor time of this process, with the cluster if that is in it
   * @param databaseCpuSeconds processor time of the servers
   * @param tierCpuSeconds processor time of what is between, if it is a process of its own
   */
  record LoadOutcome(
      double seconds,
      Latencies reads,
      Latencies writes,
      long acknowledged,
      long aborts,
      double clientCpuSeconds,
      double databaseCpuSeconds,
      double tierCpuSeconds) {
    /** The number of transactions that were done while it was measured. */
    int transactions() {
      return reads.count() + writes.count();
    }
  }

  private record ClientTally(Latencies reads, Latencies writes, long acknowledged, long aborts) {}

  private record Cpu(double client, double databases, double tier) {}

  private final OpenTier tier;
  private final ServerFleet fleet;
  private final int replicas;
  private final StatementMix mix;
  private final CountDownLatch failed = new CountDownLatch(1);
  private volatile LoadPhase phase = LoadPhase.WARM;

  TierLoad(OpenTier tier, ServerFleet fleet, int replicas, StatementMix mix) {
    this.tier = tier;
    this.fleet = fleet;
    this.replicas = replicas;
    this.mix = mix;
  }

  /** Whether an error only says that a transaction was undone and may be tried again. */
  static boolean isAbort(SQLException e) {
    return e.getSQLState() != null && ABORTS.contains(e.getSQLState());
  }

  /**
   * Runs clients, and measures after a while.
   *
   * @throws SQLException when a client got an error that is no abort
   */
  LoadOutcome run(int clients, Duration warm, Duration measured)
      throws SQLException, InterruptedException {
    List<Future<ClientTally>> tallies = new ArrayList<>();
    Cpu before;
    Cpu after;
    long startNanos;
    long endNanos;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 1; i <= clients; i++) {
          int client = i;
          tallies.add(threads.submit(() -> client(client)));
        }
        watch(warm);
        before = cpu();
        startNanos = TIME.elapsedNanos();
        phase = LoadPhase.MEASURED;
        watch(measured);
        endNanos = TIME.elapsedNanos();
        after = cpu();
      } finally {
        phase = LoadPhase.ENDED;
      }
    }
    return outcome(tallies, (endNanos - startNanos) / 1e9, before, after);
  }

  /** Waits, but not for clients of whom one has failed. */
  private void watch(Duration duration) throws InterruptedException {
    if (failed.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
      phase = LoadPhase.ENDED;
    }
  }

  private Cpu cpu() {
    double own =
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    return new Cpu(own, fleet.cpuSeconds(replicas), tier.cpuSeconds());
  }

  private ClientTally client(int number) throws SQLException {
    Latencies reads = new Latencies();
    Latencies writes = new Latencies();
    long acknowledged = 0;
    long aborts = 0;
    try (MixSession session = new MixSession(tier, mix, number)) {
      while (phase != LoadPhase.ENDED) {
        boolean isMeasured = phase == LoadPhase.MEASURED;
        boolean isWrite = session.isNextWrite();
        long startNanos = TIME.elapsedNanos();
        try {
          if (isWrite) {
            session.write();
            acknowledged++;
          } else if (session.read() == 0) {
            throw new SQLException("a story that is there was not found");
          }
        } catch (SQLException e) {
          if (!isAbort(e)) {
            throw e;
          }
          aborts++;
          continue;
        }
        if (isMeasured && phase == LoadPhase.MEASURED) {
          (isWrite ? writes : reads).add(TIME.elapsedNanos() - startNanos);
        }
      }
    } catch (SQLException | RuntimeException e) {
      failed.countDown();
      throw e;
    }
    return new ClientTally(reads, writes, acknowledged, aborts);
  }

  private static LoadOutcome outcome(
      List<Future<ClientTally>> futures, double seconds, Cpu before, Cpu after)
      throws SQLException, InterruptedException {
    List<ClientTally> tallies = new ArrayList<>();
    for (Future<ClientTally> future : futures) {
      try {
        tallies.add(future.get());
      } catch (ExecutionException e) {
        throw new SQLException("a client failed: " + e.getCause(), e);
      }
    }
    return new LoadOutcome(
        seconds,
        Latencies.merge(tallies.stream().map(ClientTally::reads).toList()),
        Latencies.merge(tallies.stream().map(ClientTally::writes).toList()),
        tallies.stream().mapToLong(ClientTally::acknowledged).sum(),
        tallies.stream().mapToLong(ClientTally::aborts).sum(),
        after.client() - before.client(),
        after.databases() - before.databases(),
        after.tier() - before.tier());
  }
}
