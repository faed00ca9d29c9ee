package org.terrace.benchmarks.invocation;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.terrace.core.Percentiles;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;

/**
 * The floor of a crash in flight: the time from the kill of a process that has nothing of Terrace
 * but the same flags, heap and pool until somebody who waits for it goes on. {@code CrashFloor
 * KILLS LOG [DATABASE-URL USER]} prints a line for each figure.
 *
 * <p>Without a database that is the end of a read from a socket that the process held: the kernel
 * closes it when it has freed the process's memory. With one it is the commit of a transaction that
 * waited for a row which the process had locked: the database notices the end of its connections
 * and rolls back.
 */
public final class CrashFloor {
  private static final String HOLD = "HOLD";
  private static final int OWN_WORDS = 2;
  private static final int WARM_EXCHANGES = 3_000;
  private static final int WARM_TRANSACTIONS = 500;
  private static final int SETTLE_MILLIS = 400;
  private static final int WAIT_MILLIS = 50;
  private static final int PLACE_HELD = 0;
  private static final int PLACE_WARMED = 1;
  private static final int MEDIAN = 50;
  private static final byte[] BYTES = new byte[Long.BYTES];
  private static final TimeSource TIME = TimeSource.system();

  private CrashFloor() {}

  /** Measures, or is the process that is killed. */
  public static void main(String[] arguments) throws Exception {
    List<String> database = List.of(arguments).subList(OWN_WORDS, arguments.length);
    Path log = Path.of(arguments[1]);
    if (arguments[0].equals(HOLD)) {
      hold(database);
      return;
    }
    double[] millis = new double[Integer.parseInt(arguments[0])];
    for (int kill = 0; kill < millis.length; kill++) {
      millis[kill] = (database.isEmpty() ? ofSocket(log) : ofLock(log, database)) / 1e6;
      TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    }
    Arrays.sort(millis);
    System.out.println("p50 " + Percentiles.ofSorted(millis, MEDIAN));
    System.out.println("max " + millis[millis.length - 1]);
    System.exit(0);
  }

  private static long ofSocket(Path log) throws Exception {
    String[] words = {Subject.SOCKET_ECHO.toString(), "floor"};
    try (ChildProcess server = Jvm.start(EchoServer.class, log, words)) {
      List<String> ready = server.awaitReady();
      try (SocketEcho client =
          SocketEcho.connect(EchoServer.HOST, Integer.parseInt(ready.get(2)))) {
        for (int i = 0; i < WARM_EXCHANGES; i++) {
          client.exchange(BYTES);
        }
        return killWhile(server, () -> end(client));
      }
    }
  }

  /** The moment at which the other end of the connection has gone. */
  private static long end(SocketEcho client) {
    try {
      byte[] unasked = client.receive();
      throw new IllegalStateException(unasked.length + " bytes that nobody asked for");
    } catch (IOException gone) {
      return TIME.elapsedNanos();
    }
  }

  private static long ofLock(Path log, List<String> database) throws Exception {
    String[] words = {HOLD, log.toString(), database.getFirst(), database.getLast()};
    try (ChildProcess holder = Jvm.start(CrashFloor.class, log, words);
        Connection waiting =
            DriverManager.getConnection(database.getFirst(), database.getLast(), null)) {
      List<String> ready = holder.awaitReady();
      assert ready.isEmpty() : "it has nothing to tell";
      waiting.setAutoCommit(false);
      for (int i = 0; i < WARM_TRANSACTIONS; i++) {
        change(waiting, PLACE_WARMED);
        waiting.commit();
      }
      return killWhile(
          holder,
          () -> {
            change(waiting, PLACE_HELD);
            waiting.commit();
            return TIME.elapsedNanos();
          });
    }
  }

  /** The time from the kill until somebody goes on who waits for the process. */
  private static long killWhile(ChildProcess process, Callable<Long> waiting) throws Exception {
    FutureTask<Long> goesOn = new FutureTask<>(waiting);
    Thread waiter = Thread.ofPlatform().start(goesOn);
    TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
    long start = TIME.elapsedNanos();
    process.kill();
    waiter.join();
    return goesOn.get() - start;
  }

  private static void hold(List<String> database) throws Exception {
    try (HikariDataSource pool = LotsServer.pool(database.getFirst(), database.getLast())) {
      for (int i = 0; i < WARM_TRANSACTIONS; i++) {
        try (Connection connection = pool.getConnection()) {
          change(connection, PLACE_WARMED);
        }
      }
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        change(connection, PLACE_HELD);
        System.out.println("ready");
        new CountDownLatch(1).await();
      }
    }
  }

  private static void change(Connection connection, int place) throws SQLException {
    try (PreparedStatement change =
        connection.prepareStatement("UPDATE held SET changes = changes + 1 WHERE place = ?")) {
      change.setInt(1, place);
      change.executeUpdate();
    }
  }
}
