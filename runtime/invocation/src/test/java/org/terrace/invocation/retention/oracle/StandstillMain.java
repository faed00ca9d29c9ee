package org.terrace.invocation.retention.oracle;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.manager.Processes;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.testing.Await;

/**
 * Prints how long the updates under way take when their primary is stopped inside its transactions,
 * over naming, a manager and a database: {@code StandstillMain postgresql|mariadb [faults]}. The
 * callers have an account and a call under way each, so that the primary holds locks whenever it is
 * stopped; of each fault the longest of them counts.
 */
final class StandstillMain {
  private static final int FAULTS_DEFAULT = 20;
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long NANOS_PER_MICRO = 1_000;

  private StandstillMain() {}

  /** Runs the faults. */
  public static void main(String[] arguments) throws Exception {
    int faults = arguments.length > 1 ? Integer.parseInt(arguments[1]) : FAULTS_DEFAULT;
    Path folder = Files.createTempDirectory("terrace-standstill");
    try (TestDatabase database =
            arguments[0].equals("mariadb") ? MariaDbDatabase.start() : PostgresDatabase.start();
        HikariDataSource pool = database.pool(2)) {
      DatabaseAccounts.create(pool);
      long[] micros;
      try (ControlPlane plane = new ControlPlane(folder)) {
        String names = plane.startNaming(1);
        plane.startManagers(
            names,
            1,
            OracleReplica.SERVICE,
            ManagedReplica.class,
            List.of(database.url(), database.user(), Planted.NOTHING.name()),
            List.of("--archives", "none"));
        micros = measure(plane.processes(), names, faults, pool);
      }
      Arrays.sort(micros);
      System.out.printf(
          "%s, stopped inside transactions: p50 %d us, max %d us of %d faults%n",
          arguments[0], micros[faults / 2], micros[faults - 1], faults);
    }
  }

  private static long[] measure(
      Processes processes, String names, int faults, HikariDataSource pool) throws Exception {
    List<Caller> callers = new ArrayList<>();
    long[] micros = new long[faults];
    try (ServiceClient client =
        ServiceClient.open(ClientOptions.of(NamingClient.open(names)).withDeadline(LIMIT))) {
      ManagedFaults.awaitReplicas(processes);
      Accounts accounts = client.stub(Accounts.class, OracleReplica.SERVICE);
      for (int i = 0; i < DatabaseAccounts.ACCOUNTS; i++) {
        callers.add(new Caller(accounts, i));
      }
      for (int fault = 0; fault < faults; fault++) {
        ManagedFaults.awaitReplicas(processes);
        ManagedFaults.pause(SETTLE);
        micros[fault] = meet(processes, callers) / NANOS_PER_MICRO;
        System.out.printf("fault %d: %d us%n", fault + 1, micros[fault]);
      }
      long acknowledged = 0;
      for (Caller caller : callers) {
        acknowledged += caller.end();
      }
      System.out.printf("%d acknowledged, %d effects%n", acknowledged, effects(pool));
    }
    return micros;
  }

  /** The longest of the calls under way at a stop, from the stop. */
  private static long meet(Processes processes, List<Caller> callers) throws Exception {
    long primary = ManagedFaults.awaitReplica(processes, "primary").pid();
    ManagedFaults.signal("STOP", primary);
    long stopped = TimeSource.system().elapsedNanos();
    long longest = 0;
    for (Caller caller : callers) {
      if (!Await.until(LIMIT, () -> caller.endAfter(stopped) != 0)) {
        throw new IllegalStateException("a call was not over " + LIMIT + " after the stop");
      }
      longest = Math.max(longest, caller.endAfter(stopped) - stopped);
    }
    ManagedFaults.signal("CONT", primary);
    return longest;
  }

  private static long effects(HikariDataSource pool) throws Exception {
    try (var connection = pool.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM effect")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** One that always has a call under way. */
  private static final class Caller {
    private final Queue<Long> ends = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean ended;
    private long acknowledged;

    Caller(Accounts accounts, int account) {
      thread = Thread.ofPlatform().start(() -> run(accounts, account));
    }

    private void run(Accounts accounts, int account) {
      for (long call = 1; !ended; call++) {
        try {
          long balance = accounts.add(account, 1, account, call);
          assert balance > 0;
        } catch (BusinessException refusal) {
          throw new AssertionError(refusal);
        }
        acknowledged++;
        ends.add(TimeSource.system().elapsedNanos());
      }
    }

    /** The time at which the first call after the given time ended; 0 if none has. */
    long endAfter(long nanos) {
      while (!ends.isEmpty() && ends.element() <= nanos) {
        ends.remove();
      }
      Long first = ends.peek();
      return first == null ? 0 : first;
    }

    long end() throws InterruptedException {
      ended = true;
      thread.join();
      return acknowledged;
    }
  }
}
