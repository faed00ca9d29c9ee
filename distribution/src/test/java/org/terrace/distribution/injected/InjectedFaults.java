package org.terrace.distribution.injected;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ShortCommand;

/** Faults that are put into the servers of a {@link ForeignShop}, one after the other. */
final class InjectedFaults {
  private static final int EACH = 5;

  /** The number of faults that a run injects. */
  static final int STOPS = 4 * EACH;

  private static final Duration LEAST_GAP = Duration.ofMillis(900);
  private static final Duration SPREAD = Duration.ofMillis(500);

  /** The time before the first and behind the last fault, in which nothing is known of them. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  /**
   * A stretch in which a server stood still.
   *
   * @param server the name of the server
   * @param startNanos its start at the latest, since the Unix epoch
   * @param endNanos its end at the earliest
   */
  record Stop(String server, long startNanos, long endNanos) {
    boolean overlaps(long fromNanos, long toNanos) {
      return startNanos < toNanos && fromNanos < endNanos;
    }
  }

  private final ForeignShop shop;
  private final RandomGenerator random;
  private final List<Stop> stops = new ArrayList<>();

  InjectedFaults(ForeignShop shop, RandomGenerator random) {
    this.shop = shop;
    this.random = random;
  }

  /** Injects some of each kind in random order and gives what was done. */
  List<Stop> run() throws Exception {
    List<String> order =
        new ArrayList<>(
            Stream.of(
                    ForeignShop.NGINX, ForeignShop.SHOP, ForeignShop.POSTGRES, ForeignShop.MARIADB)
                .flatMap(server -> Collections.nCopies(EACH, server).stream())
                .toList());
    Collections.shuffle(order, java.util.Random.from(random));
    park(QUIET.toNanos());
    for (String server : order) {
      park(LEAST_GAP.toNanos() + random.nextLong(SPREAD.toNanos()));
      long millis = random.nextLong(120, 240);
      switch (server) {
        case ForeignShop.NGINX -> stop(millis);
        case ForeignShop.SHOP -> collect();
        case ForeignShop.POSTGRES -> lockInPostgres(millis);
        default -> lockInMariaDb(millis);
      }
    }
    park(QUIET.toNanos());
    return List.copyOf(stops);
  }

  /** The stops of nginx as a table that its operator would keep. */
  Path tableOfNginx(Path file) throws IOException {
    StringBuilder table = new StringBuilder("node,kind,startNanos,endNanos\n");
    for (Stop stop : stops) {
      if (stop.server().equals(ForeignShop.NGINX)) {
        table.append(
            String.format(
                Locale.ROOT,
                "%s,stopped-by-operator,%d,%d%n",
                stop.server(),
                stop.startNanos(),
                stop.endNanos()));
      }
    }
    return Files.writeString(file, table);
  }

  private void stop(long millis) throws IOException, InterruptedException {
    List<String> processes = shop.processesOfNginx();
    signal("-STOP", processes);
    long start = now();
    try {
      park(millis * 1_000_000);
    } finally {
      stops.add(new Stop(ForeignShop.NGINX, start, now()));
      signal("-CONT", processes);
    }
  }

  private static void signal(String signal, List<String> processes)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("kill", signal));
    words.addAll(processes);
    ShortCommand.Result result = ShortCommand.of(words).run();
    if (!result.isSuccess()) {
      throw new IOException(String.join(" ", words) + ": " + result.failure());
    }
  }

  private void collect() throws Exception {
    long start = now();
    shop.collectGarbage();
    stops.add(new Stop(ForeignShop.SHOP, start, now()));
  }

  private void lockInPostgres(long millis) throws SQLException {
    try (Connection connection = shop.postgres();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE item IN ACCESS EXCLUSIVE MODE");
      long start = now();
      statement.execute("SELECT pg_sleep(%s)".formatted(millis / 1e3));
      stops.add(new Stop(ForeignShop.POSTGRES, start, now()));
      connection.commit();
    }
  }

  private void lockInMariaDb(long millis) throws SQLException {
    try (Connection connection = shop.mariaDb();
        Statement statement = connection.createStatement()) {
      statement.execute("LOCK TABLES review WRITE");
      long start = now();
      statement.execute("SELECT SLEEP(%s)".formatted(millis / 1e3));
      stops.add(new Stop(ForeignShop.MARIADB, start, now()));
      statement.execute("UNLOCK TABLES");
    }
  }

  private static long now() {
    return TimeSource.system().epochNanos();
  }

  private static void park(long nanos) {
    long until = TimeSource.system().elapsedNanos() + nanos;
    for (long left = nanos; left > 0; left = until - TimeSource.system().elapsedNanos()) {
      LockSupport.parkNanos(left);
    }
  }
}
