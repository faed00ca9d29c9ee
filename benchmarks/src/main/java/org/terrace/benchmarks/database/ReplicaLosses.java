package org.terrace.benchmarks.database;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.core.TimeSource;
import org.terrace.load.GapMeter;

/**
 * The loss and the return of one of three servers under reads and writes: how long no write was
 * done, and whether a read failed. The servers have no limits. For one use; confined to one thread
 * but for its clients.
 */
final class ReplicaLosses {
  /** The subject's name in the report. */
  static final String SUBJECT = "key-3";

  private static final int SERVERS = 3;
  private static final int VICTIM = 2;
  private static final int CLIENTS_OF_A_KIND = 2;
  private static final int WRITES_BETWEEN = 200;
  private static final Duration WARM = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final long LOOK_MILLIS = 10;
  private static final TimeSource TIME = TimeSource.system();

  private final ServerFleet fleet;
  private final String level;
  private final FigureTable figures;
  private final GapMeter gaps = new GapMeter();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong failedReads = new AtomicLong();
  private final CountDownLatch broken = new CountDownLatch(1);
  private volatile boolean ended;

  ReplicaLosses(ServerFleet fleet, String level, FigureTable figures) {
    this.fleet = fleet;
    this.level = level;
    this.figures = figures;
  }

  private final class Events implements ReplicaListener {
    @Override
    public void lost(String replica, String reason) {
      events.add("lost");
    }

    @Override
    public void returned(String replica) {
      events.add("returned");
    }
  }

  /**
   * Crashes a server, starts it again when it is so many writes behind, then stops it for a while.
   *
   * @param log where the recovery log is to be; nothing must be there
   */
  void measure(int behind, Path log) throws IOException, SQLException, InterruptedException {
    fleet.reset();
    FleetContent.Effects before = FleetContent.effects(fleet, StatementMix.HOT_ROWS);
    String url = fleet.clusterUrl(SERVERS, "scheduling=key&log=" + log);
    try (ClusterDataSource cluster = ClusterDataSource.open(url, MeasuredServer.DATABASE, "")) {
      cluster.listen(new Events());
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        try {
          for (int i = 1; i <= CLIENTS_OF_A_KIND; i++) {
            int client = i;
            threads.execute(() -> client(cluster, client, true));
            threads.execute(() -> client(cluster, CLIENTS_OF_A_KIND + client, false));
          }
          strike(behind);
        } finally {
          ended = true;
        }
      }
    }
    add("failed-reads", (double) failedReads.get());
    add("unequal-servers", FleetContent.unequal(fleet, SERVERS));
    FleetContent.Effects after = FleetContent.effects(fleet, StatementMix.HOT_ROWS);
    long wrong = after.wrong(before, acknowledged.get(), unknown.get());
    add("wrong-effects", (double) wrong);
  }

  private void strike(int behind) throws IOException, InterruptedException {
    MeasuredServer victim = fleet.server(VICTIM);
    rest(WARM);
    gaps.begin(TIME.elapsedNanos());
    rest(WARM);
    add("calm-write-gap-ms", gaps.longestMillis(TIME.elapsedNanos()));

    gaps.begin(TIME.elapsedNanos());
    victim.crash();
    awaitEvent("lost");
    awaitWrites(WRITES_BETWEEN);
    add("crash-write-gap-ms", gaps.longestMillis(TIME.elapsedNanos()));

    awaitWrites(behind);
    gaps.begin(TIME.elapsedNanos());
    victim.start();
    long readyNanos = TIME.elapsedNanos();
    awaitEvent("returned");
    add("return-s", (TIME.elapsedNanos() - readyNanos) / 1e9);
    awaitWrites(WRITES_BETWEEN);
    add("return-write-gap-ms", gaps.longestMillis(TIME.elapsedNanos()));

    gaps.begin(TIME.elapsedNanos());
    victim.suspend();
    awaitEvent("lost");
    awaitWrites(WRITES_BETWEEN);
    add("hang-write-gap-ms", gaps.longestMillis(TIME.elapsedNanos()));
    victim.resume();
    awaitEvent("returned");
    awaitWrites(WRITES_BETWEEN);
  }

  private void add(String metric, double value) {
    figures.add(SUBJECT, level, metric, value);
  }

  private void rest(Duration duration) throws IOException, InterruptedException {
    if (broken.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("a client ended by an error that no database gives");
    }
  }

  private void awaitEvent(String wanted) throws IOException, InterruptedException {
    String event = events.poll(LONGEST.toSeconds(), TimeUnit.SECONDS);
    if (!wanted.equals(event)) {
      throw new IOException("the server was not " + wanted + " but " + event);
    }
  }

  private void awaitWrites(long more) throws IOException, InterruptedException {
    long wanted = acknowledged.get() + more;
    long deadlineNanos = TIME.elapsedNanos() + LONGEST.toNanos();
    while (acknowledged.get() < wanted) {
      if (TIME.elapsedNanos() > deadlineNanos) {
        throw new IOException("%d writes were not done within %s".formatted(more, LONGEST));
      }
      rest(Duration.ofMillis(LOOK_MILLIS));
    }
  }

  private void client(ClusterDataSource cluster, int number, boolean writes) {
    try (MixSession session =
        new MixSession(cluster::getConnection, StatementMix.HOT_ROWS, number)) {
      while (!ended) {
        if (writes) {
          write(session);
        } else {
          read(session);
        }
      }
    } catch (SQLException | RuntimeException e) {
      System.err.println("a client ended: " + e);
      broken.countDown();
    }
  }

  private void write(MixSession session) {
    try {
      session.write();
      acknowledged.incrementAndGet();
      gaps.done(TIME.elapsedNanos());
    } catch (SQLException e) {
      if (!TierLoad.isAbort(e)) {
        unknown.incrementAndGet();
      }
    }
  }

  private void read(MixSession session) {
    try {
      if (session.read() == 0) {
        failedReads.incrementAndGet();
      }
    } catch (SQLException e) {
      System.err.println("a read failed: " + e);
      failedReads.incrementAndGet();
    }
  }
}
