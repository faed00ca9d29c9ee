package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.middleware.CallRequest;

/**
 * Deletes the replies that no client can ask for again: those below what the client has
 * acknowledged, and all those of a client whose lease is over.
 *
 * <p>It works beside the calls, on a thread and in transactions of its own, so that a call pays
 * nothing for it. First the watermark is raised, then the replies below it are deleted: a late copy
 * that finds no key finds the watermark. A lease that is over raises the watermark to the highest
 * number there is, and the row stays for ever, because without it the client's oldest requests
 * would look new.
 *
 * <p>A lease ends by the database's clock, but only under the eyes of a collector that has watched
 * for a whole lease without a break: after an outage of all replicas each client has a full lease
 * to come back.
 *
 * <p>Source: Lee, Park, Kejriwal, Matsushita, Ousterhout, "Implementing linearizability at large
 * scale and low latency", 2015, sections 3.2 and 4.3 (acknowledgements, leases).
 */
final class ReplyCollector implements AutoCloseable {
  /**
   * The most clients that are followed between two collections; those beyond come in the next one.
   */
  static final int MAXIMUM_CLIENTS = 100_000;

  /** The most clients whose watermarks one transaction raises. */
  private static final int BATCH = 500;

  /** The most replies that one transaction deletes. */
  static final int DELETED_MAX = 1_000;

  /** A collector that was away for this share of a lease has not watched. */
  private static final int WATCH_BREAKS_LEASE_SHARE = 4;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final RetentionOptions options;
  private final TimeSource time;
  private final Map<Long, Long> watermarks = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final LongAdder collected = new LongAdder();
  private final LongAdder expiredClients = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Thread thread;
  private long watchedSinceNanos;
  private long lastTickNanos;

  /** The replies that are still to be deleted, by client. */
  private final Map<Long, Dialect.OldReplies> toClear = new LinkedHashMap<>();

  /** The client at which the look at all with replies goes on; null between two such looks. */
  private @Nullable Long sweepFrom = Long.MIN_VALUE;

  private long sweptNanos;
  private boolean failureTold;

  ReplyCollector(
      DataSource dataSource, Dialect dialect, RetentionOptions options, TimeSource time) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.options = options;
    this.time = time;
    this.watchedSinceNanos = time.elapsedNanos();
    this.lastTickNanos = watchedSinceNanos;
    this.thread = Thread.ofVirtual().name("terrace-reply-collector").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Notes that a client is alive and what it has acknowledged. */
  void observe(CallRequest request) {
    long client = request.identity().client();
    long acknowledged = Math.min(request.firstIncomplete(), request.identity().sequence());
    Long known = watermarks.get(client);
    if (known != null ? known < acknowledged : watermarks.size() < MAXIMUM_CLIENTS) {
      watermarks.merge(client, acknowledged, Math::max);
    }
  }

  /** Notes that a client is alive. */
  void renew(long client) {
    if (watermarks.size() < MAXIMUM_CLIENTS) {
      watermarks.putIfAbsent(client, 0L);
    }
  }

  /** Replies deleted so far. */
  long collected() {
    return collected.sum();
  }

  /** Clients whose leases this collector has ended. */
  long expiredClients() {
    return expiredClients.sum();
  }

  /** Collections that the database cut short; each is made up for by a later one. */
  long failures() {
    return failures.sum();
  }

  /** Ends the thread; does nothing the second time. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!closed.await(options.collectionInterval().toNanos(), TimeUnit.NANOSECONDS)) {
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          collect(connection);
        } catch (SQLException e) {
          failures.increment();
        } catch (RuntimeException | Error e) {
          failed(e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A pool or a driver may throw anything; the next collection makes up for this one. */
  private void failed(Throwable unexpected) {
    if (!failureTold) {
      failureTold = true;
      System.err.println("the collection of replies failed, and is tried again and again:");
      unexpected.printStackTrace();
    }
    failures.increment();
  }

  private void collect(Connection connection) throws SQLException {
    try {
      // All collectors lock clients in one order, so that they wait for each other in no circle.
      List<Long> clients = watermarks.keySet().stream().sorted().toList();
      for (int from = 0; from < clients.size(); from += BATCH) {
        acknowledge(connection, clients.subList(from, Math.min(from + BATCH, clients.size())));
      }
      if (hasWatchedForALease()) {
        List<Watermark> expired = dialect.expire(connection, BATCH);
        connection.commit();
        expiredClients.add(expired.size());
        expired.forEach(this::clearLater);
      }
      clear(connection);
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    }
  }

  /** Writes what clients have told, who may tell it again meanwhile; keeps it if that fails. */
  private void acknowledge(Connection connection, List<Long> clients) throws SQLException {
    List<Watermark> taken =
        clients.stream()
            .map(one -> new Watermark(one, Objects.requireNonNull(watermarks.remove(one))))
            .toList();
    List<Watermark> left = taken;
    try {
      dialect.acknowledge(connection, taken, options.lease());
      connection.commit();
      left = List.of();
    } finally {
      left.forEach(one -> watermarks.merge(one.client(), one.firstIncomplete(), Math::max));
    }
    taken.forEach(this::clearLater);
  }

  /**
   * Deletes for as long as a collection may take, in transactions that stay small however many
   * replies there are; the next collection goes on. Leases are renewed before.
   */
  private void clear(Connection connection) throws SQLException {
    long endNanos = time.elapsedNanos() + options.collectionInterval().toNanos();
    while (!toClear.isEmpty() || isSweepDue()) {
      if (toClear.isEmpty()) {
        nextToSweep(connection).forEach(this::clearLater);
      }
      List<Dialect.OldReplies> batch = toClear.values().stream().limit(BATCH).toList();
      List<Watermark> deleted = dialect.delete(connection, batch, DELETED_MAX);
      connection.commit();
      collected.add(deleted.size());
      if (deleted.size() < DELETED_MAX) {
        batch.forEach(done -> toClear.remove(done.client()));
      } else {
        deleted.forEach(last -> clearLater(last.client(), last.firstIncomplete() + 1, 0));
      }
      if (time.elapsedNanos() - endNanos >= 0 || closed.getCount() == 0) {
        return;
      }
    }
  }

  private void clearLater(Watermark below) {
    clearLater(below.client(), Long.MIN_VALUE, below.firstIncomplete());
  }

  private void clearLater(long client, long from, long below) {
    toClear.merge(
        client,
        new Dialect.OldReplies(client, from, below),
        (old, now) ->
            new Dialect.OldReplies(
                client, Math.max(old.from(), from), Math.max(old.below(), below)));
  }

  /** Looks once a lease at what collectors left that ended before they were done. */
  private boolean isSweepDue() {
    if (sweepFrom == null && time.elapsedNanos() - sweptNanos >= options.lease().toNanos()) {
      sweepFrom = Long.MIN_VALUE;
    }
    return sweepFrom != null;
  }

  private List<Watermark> nextToSweep(Connection connection) throws SQLException {
    List<Watermark> clients =
        dialect.watermarks(connection, Objects.requireNonNull(sweepFrom), BATCH);
    connection.commit(); // a deletion chooses the isolation of its transaction before that begins
    boolean isLast = clients.size() < BATCH || clients.getLast().client() == Long.MAX_VALUE;
    sweepFrom = isLast ? null : clients.getLast().client() + 1;
    sweptNanos = time.elapsedNanos();
    return clients;
  }

  private boolean hasWatchedForALease() {
    long nowNanos = time.elapsedNanos();
    long leaseNanos = options.lease().toNanos();
    if (nowNanos - lastTickNanos
        > options.collectionInterval().toNanos() + leaseNanos / WATCH_BREAKS_LEASE_SHARE) {
      watchedSinceNanos = nowNanos;
    }
    lastTickNanos = nowNanos;
    return nowNanos - watchedSinceNanos >= leaseNanos;
  }
}
