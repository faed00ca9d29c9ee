package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/**
 * The execution of calls so that each takes effect once, however often its request arrives, at
 * however many replicas: the reply is stored in the transaction of the effects, under the request's
 * identity.
 *
 * <p>The key is inserted before the work. The unique index makes a concurrent copy of the request,
 * here or at another replica, wait for the end of the first: if that commits, the copy finds the
 * stored reply; if it is rolled back, the copy does the work. So no request takes effect twice and
 * no reply is looked for before it can be there. A refusal rolls the work back and is then stored
 * alone.
 *
 * <p>A service with a primary is fenced: the supplier of the epoch says in which this replica is
 * the primary, and a transaction of an earlier epoch than the database's cannot commit ({@link
 * PrimaryEpoch}).
 *
 * <p>Thread-safe. Each call holds one connection of the pool. Works at every isolation level; at
 * READ COMMITTED, PostgreSQL's default, without locking more than the key.
 *
 * <p>Source: Lee, Park, Kejriwal, Matsushita, Ousterhout, "Implementing linearizability at large
 * scale and low latency", 2015 (completion records stored with the update); Object Management
 * Group, "Fault tolerant CORBA", 2001 (request retention).
 */
public final class RetainedExecution implements Execution {
  /** The epoch of a service that has none: every replica may execute. */
  public static final long UNFENCED = -1;

  /** The most attempts at a transaction that the database sacrifices to others. */
  static final int MAXIMUM_ATTEMPTS = 20;

  /** The time in which a connection on which a read failed must show that it lives. */
  private static final int VALIDATION_SECONDS = 5;

  private final DataSource dataSource;
  private final RetentionOptions options;
  private final LongSupplier epoch;
  private final Dialect dialect;
  private final ReplyCollector collector;
  private final StandstillWatch standstill;
  private final SessionMark mark;
  private final RetentionCounters counters = new RetentionCounters();
  private final RetentionCounters warmUps = new RetentionCounters();
  private final AtomicLong epochSeen = new AtomicLong();

  private RetainedExecution(
      DataSource dataSource,
      RetentionOptions options,
      LongSupplier epoch,
      Peers peers,
      Dialect dialect) {
    this.dataSource = dataSource;
    this.options = options;
    this.epoch = epoch;
    this.dialect = dialect;
    this.mark = SessionMark.of(peers.self());
    this.standstill = new StandstillWatch(dataSource, dialect, peers, TimeSource.system());
    this.collector = new ReplyCollector(dataSource, dialect, options, TimeSource.system());
  }

  /**
   * The execution of a service over its database, whose tables are created if they are missing.
   *
   * @param dataSource a pool; each call takes one connection
   * @param epoch the epoch in which this replica believes to be the primary; 0 if it was told none
   *     yet, which is the epoch before all others; {@link #UNFENCED} for a service whose replicas
   *     may all execute
   * @throws TerraceException if the database cannot be reached or is of another kind
   */
  public static RetainedExecution open(
      DataSource dataSource, RetentionOptions options, LongSupplier epoch) {
    return open(dataSource, options, epoch, Peers.none());
  }

  /**
   * The execution of a service one of whose other replicas may stop while it holds locks.
   *
   * @param peers the replica and the others of the service: those transactions of silent ones that
   *     stand still in the way of calls here are ended
   * @throws TerraceException if the database cannot be reached or is of another kind
   */
  public static RetainedExecution open(
      DataSource dataSource, RetentionOptions options, LongSupplier epoch, Peers peers) {
    RetentionSchema.create(dataSource);
    try (Connection connection = dataSource.getConnection()) {
      RetainedExecution execution =
          new RetainedExecution(dataSource, options, epoch, peers, Dialect.of(connection));
      execution.collector.start();
      ForgottenCommits.tell(connection, execution.dialect);
      return execution;
    } catch (SQLException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot connect to the database: " + e.getMessage(), e);
    }
  }

  /**
   * Executes an update, or returns the reply it had before.
   *
   * @return the work's own reply or the retained one, of which a withdrawal is one; {@link
   *     Status#NOT_PRIMARY} if the service's epoch is over; {@link Status#REJECTED} for another
   *     payload under a known identity, and for a request that the client has acknowledged; {@link
   *     Status#FORGOTTEN} if the client's lease is over; {@link Status#ROLLED_BACK} if the work
   *     threw; {@link Status#UNAVAILABLE} if the database was not there; {@link Status#IN_DOUBT} if
   *     it broke off while committing, or if the work committed by itself before it had ended
   */
  @Override
  public CallReply execute(CallRequest request, Executable work) {
    collector.observe(request);
    return carry(request, work, counters, false);
  }

  @Override
  public boolean retainsKeys() {
    return true;
  }

  private CallReply carry(
      CallRequest request, Executable work, RetentionCounters counted, boolean isWarmUp) {
    byte[] fingerprint = Fingerprint.of(request);
    CallReply refusal = null;
    for (int attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      Step step = step(request, fingerprint, work, refusal, isWarmUp);
      counted.count(step);
      switch (step) {
        case Step.Last last -> {
          return last.reply();
        }
        case Step.Refused refused -> refusal = refused.refusal();
        case Step.Again _ -> refusal = null;
      }
    }
    return CallReply.saying(
        Status.UNAVAILABLE,
        "Request %s was rolled back %d times for the sake of other transactions: it was not executed; it may be sent again."
            .formatted(request.identity(), MAXIMUM_ATTEMPTS));
  }

  /**
   * Executes a read: nothing is retained, and what it wrote against its word is rolled back.
   *
   * @return the work's own reply, {@link Status#ROLLED_BACK} if it threw, or {@link
   *     Status#UNAVAILABLE}
   */
  @Override
  public CallReply read(CallRequest request, Executable work) {
    collector.observe(request);
    boolean lives = false;
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        return work.run(connection);
      } catch (Throwable e) {
        lives = connection.isValid(VALIDATION_SECONDS);
        throw e;
      } finally {
        connection.rollback();
      }
    } catch (Throwable e) {
      interruptIfSo(e);
      return CallReply.saying(
          isUnavailable(e, lives) ? Status.UNAVAILABLE : Status.ROLLED_BACK,
          "Read %s failed (%s).".formatted(request.identity(), e));
    }
  }

  /**
   * Goes the way of {@link #execute} to its end, for a client that is registered nowhere, and rolls
   * back.
   */
  @Override
  public CallReply warmUp(CallRequest request, Executable work) {
    return carry(request, work, warmUps, true);
  }

  @Override
  public void renewLease(long client) {
    collector.renew(client);
  }

  @Override
  public long epochSeen() {
    return epochSeen.get();
  }

  @Override
  public OptionalLong databaseAnsweredNanos() {
    return OptionalLong.of(standstill.answeredNanos());
  }

  /** The counts of all that has happened so far. */
  public RetentionCounts counts() {
    return counters.counts(collector);
  }

  /** Ends the collection of replies; calls under way go on. */
  @Override
  public void close() {
    standstill.close();
    collector.close();
  }

  private Step step(
      CallRequest request,
      byte[] fingerprint,
      Executable work,
      @Nullable CallReply refusal,
      boolean isWarmUp) {
    long believed = epoch.getAsLong();
    CallTransaction transaction =
        new CallTransaction(
            dialect,
            options,
            request,
            fingerprint,
            believed == UNFENCED ? OptionalLong.empty() : OptionalLong.of(believed),
            seen -> epochSeen.accumulateAndGet(seen, Math::max),
            mark);
    Step step = null;
    Throwable thrown = null;
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      standstill.begin(transaction);
      try {
        step =
            isWarmUp
                ? transaction.warmUp(connection, work)
                : transaction.run(connection, work, refusal);
        standstill.answered();
      } catch (Throwable e) {
        thrown = e;
        step = transaction.failed(connection, e);
      } finally {
        standstill.end(transaction);
      }
    } catch (Throwable e) {
      // A connection that cannot be given back changes nothing of what was committed.
      if (step == null) {
        step = transaction.failed(e);
      }
    }
    interruptIfSo(thrown);
    return step;
  }

  /** Whether a read failed for want of the database, and not by the method's own making. */
  private boolean isUnavailable(Throwable exception, boolean lives) {
    SQLException database = Dialect.databaseException(exception);
    if (database == null) {
      return false;
    }
    return switch (dialect.failure(database)) {
      case BROKEN -> !lives;
      case UNAVAILABLE, CONFLICT -> true;
      case FENCED, STALE, ROLLED_BACK -> false;
    };
  }

  private static void interruptIfSo(@Nullable Throwable exception) {
    if (exception instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }
}
