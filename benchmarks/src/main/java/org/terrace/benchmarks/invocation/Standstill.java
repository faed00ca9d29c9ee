package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.control.ServiceReference;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * The measurement of updates under way whose primary is stopped while it holds their locks. Each
 * caller has a row of its own, which its calls change and keep locked for a millisecond, and always
 * a call under way; so whenever the primary is stopped it is inside transactions. Of each fault the
 * longest of the callers' calls counts, from the stop. Confined to one thread.
 */
final class Standstill {
  private static final long SETTLE_MILLIS = 2_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final TimeSource TIME = TimeSource.system();

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final List<Caller> callers = new ArrayList<>();

  /**
   * The figures.
   *
   * @param millis the longest call of each fault
   * @param wrong how many effects there are too many, or too few, for what the callers were told
   */
  record Figures(double[] millis, long wrong) {}

  private Standstill() {}

  static Figures measure(int faults, EffectsDatabase kind, Path folder, Path log)
      throws IOException, SQLException, InterruptedException {
    try (EffectsDatabase.Open database = kind.open();
        ManagedLots managed = new ManagedLots(folder, log, database.words())) {
      Standstill run = new Standstill();
      double[] millis = run.meet(faults, managed);
      return new Figures(millis, run.wrongEffects(database));
    }
  }

  private double[] meet(int faults, ManagedLots managed) throws IOException, InterruptedException {
    double[] millis = new double[faults];
    ServiceReference reference = managed.await(0);
    try (ServiceClient client =
        ServiceClient.open(ClientOptions.of(managed.naming()).withDeadline(DEADLINE))) {
      Lots lots = client.stub(Lots.class, "lots");
      try {
        for (int place = 0; place < EffectsDatabase.PLACES; place++) {
          callers.add(new Caller(lots, place));
        }
        for (int fault = 0; fault < faults; fault++) {
          TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
          long primary = primaryOf(lots, reference);
          millis[fault] = stop(primary) / 1e6;
          System.err.printf("standstill %.1f ms%n", millis[fault]);
          // The manager kills who gives no sign of life.
          reference = managed.await(reference.epoch() + 1);
        }
      } finally {
        for (Caller caller : callers) {
          caller.end();
        }
      }
    }
    return millis;
  }

  /** The process of the first replica listed: a call may have been answered by the other. */
  private static long primaryOf(Lots lots, ServiceReference reference) throws IOException {
    String primary = reference.endpoints().getFirst().replica();
    long end = TIME.elapsedNanos() + PATIENCE_NANOS;
    while (TIME.elapsedNanos() < end) {
      String[] answer = lots.who().split(" ", -1);
      if (answer[0].equals(primary)) {
        return Long.parseLong(answer[1]);
      }
    }
    throw new IOException("the primary answered no call");
  }

  private long stop(long primary) throws IOException, InterruptedException {
    ChildProcess.signal("STOP", primary);
    long stopped = TIME.elapsedNanos();
    long longest = 0;
    for (Caller caller : callers) {
      longest = Math.max(longest, caller.awaitEndAfter(stopped) - stopped);
    }
    return longest;
  }

  private long wrongEffects(EffectsDatabase.Open database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT sum(changes) FROM held")) {
      row.next();
      long effects = row.getLong(1);
      long few = acknowledged.get() - effects;
      long many = effects - acknowledged.get() - unknown.get();
      return Math.max(0, Math.max(few, many));
    }
  }

  /** A caller that always has a call under way. */
  private final class Caller {
    private final Queue<Long> ends = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean ended;

    Caller(Lots lots, long place) {
      thread = Thread.ofPlatform().daemon().start(() -> run(lots, place));
    }

    private void run(Lots lots, long place) {
      while (!ended) {
        try {
          lots.hold(place);
          acknowledged.incrementAndGet();
        } catch (InvocationException e) {
          unknown.incrementAndGet();
        }
        ends.add(TIME.elapsedNanos());
      }
    }

    long awaitEndAfter(long nanos) throws IOException, InterruptedException {
      long limit = TIME.elapsedNanos() + PATIENCE_NANOS;
      while (TIME.elapsedNanos() < limit) {
        for (Long end = ends.poll(); end != null; end = ends.poll()) {
          if (end > nanos) {
            return end;
          }
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
      throw new IOException("a call did not end after its primary was stopped");
    }

    void end() throws InterruptedException {
      ended = true;
      thread.join();
    }
  }
}
