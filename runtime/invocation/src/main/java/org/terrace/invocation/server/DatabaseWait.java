package org.terrace.invocation.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.terrace.control.manager.StartNotice;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The wait of a replica that is being started for a database that is away: it listens nowhere and
 * is registered nowhere meanwhile, its managers are told that it waits, and so are people. What a
 * wait does not mend, such as a wrong password, ends it at once. Thread-safe.
 */
final class DatabaseWait {
  private static final long RETRY_MILLIS = 100;
  private static final long FIRST_TOLD_MILLIS = 1_000;
  private static final long TOLD_EVERY_MILLIS = 5_000;

  /** SQLSTATE: no connection can be made, or it broke. */
  private static final String CONNECTION_CLASS = "08";

  /** PostgreSQL's SQLSTATEs: starting or shutting down, and out of connections. */
  private static final Set<String> AWAY = Set.of("57P01", "57P02", "57P03", "53300");

  /** MariaDB's errors: out of connections, shutting down. */
  private static final Set<Integer> AWAY_NUMBERS = Set.of(1040, 1053);

  private final ServerOptions options;
  private final TimeSource time;
  private final Consumer<String> progress;

  /** Something that needs the database. */
  @FunctionalInterface
  interface Attempt<T> {
    T run() throws SQLException;
  }

  DatabaseWait(ServerOptions options, TimeSource time, Consumer<String> progress) {
    this.options = options;
    this.time = time;
    this.progress = progress;
  }

  /**
   * Returns once a connection can be had; at once if there is no database.
   *
   * @throws TerraceException if there is none within the patience, or never will be
   */
  void awaitConnection() {
    DataSource database = options.database();
    if (database != null) {
      boolean there =
          retry(() -> {
            try (Connection connection = database.getConnection()) {
              return !connection.isClosed();
            }
          });
      assert there : "a pool gives open connections";
    }
  }

  /**
   * The result of the first attempt that does not fail because the database is away. The patience
   * is looked at after each attempt, which may take as long as the pool waits for a connection.
   */
  <T> T retry(Attempt<T> attempt) {
    long start = time.elapsedNanos();
    AtomicReference<String> lastFailure = new AtomicReference<>("it has not answered yet");
    CountDownLatch over = new CountDownLatch(1);
    StartNotice notice =
        StartNotice.give(options.replica(), options.managers(), options.controlSecret());
    Thread.ofVirtual().name("database-wait").start(() -> tell(over, start, lastFailure, notice));
    try {
      while (true) {
        try {
          return attempt.run();
        } catch (SQLException | TerraceException failure) {
          long waited = time.elapsedNanos() - start;
          if (!isAway(failure) || waited >= options.databasePatience().toNanos()) {
            throw failed(failure, waited);
          }
          lastFailure.set(String.valueOf(failure.getMessage()));
        }
        pause();
      }
    } finally {
      over.countDown();
      notice.close();
    }
  }

  /**
   * Tells people, after a second for the first time. A database that accepts connections and then
   * says nothing may hold an attempt for ever: then the managers give the launch up after all.
   */
  private void tell(
      CountDownLatch over, long start, AtomicReference<String> lastFailure, StartNotice notice) {
    try {
      for (long wait = FIRST_TOLD_MILLIS;
          !over.await(wait, TimeUnit.MILLISECONDS);
          wait = TOLD_EVERY_MILLIS) {
        long waited = time.elapsedNanos() - start;
        if (waited >= options.databasePatience().toNanos()) {
          notice.close();
        }
        progress.accept(
            "Replica %s waits for its database, for %d s of at most %d so far: %s"
                .formatted(
                    options.replica(),
                    TimeUnit.NANOSECONDS.toSeconds(waited),
                    options.databasePatience().toSeconds(),
                    lastFailure.get()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Replica %s was interrupted while it waited for its database."
              .formatted(options.replica()),
          e);
    }
  }

  private TerraceException failed(Exception failure, long waitedNanos) {
    if (failure instanceof TerraceException already) {
      return already;
    }
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "Replica %s cannot reach its database, after %d s: %s. Start the database, or give another one."
            .formatted(
                options.replica(),
                TimeUnit.NANOSECONDS.toSeconds(waitedNanos),
                failure.getMessage()),
        failure);
  }

  /**
   * Whether a failure is one that ends when the database is there: the innermost word counts. A
   * pool whose attempts to connect have neither failed nor succeeded yet has no word but that it is
   * a matter of time.
   */
  static boolean isAway(Throwable failure) {
    SQLException innermost = null;
    boolean isTransient = false;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      isTransient |=
          each instanceof SQLTransientException || each instanceof SQLRecoverableException;
      if (each instanceof SQLException database && database.getSQLState() != null) {
        innermost = database;
      }
    }
    if (innermost == null) {
      return isTransient;
    }
    String state = String.valueOf(innermost.getSQLState());
    return state.startsWith(CONNECTION_CLASS)
        || AWAY.contains(state)
        || AWAY_NUMBERS.contains(innermost.getErrorCode());
  }
}
