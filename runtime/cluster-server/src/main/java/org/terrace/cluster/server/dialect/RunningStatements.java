package org.terrace.cluster.server.dialect;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.cluster.core.SqlStates;

/**
 * The real statements that execute one statement of a client now. A server forgets a cancel that
 * comes before the statement, so that it is repeated while the statement goes on. Thread-safe.
 */
public final class RunningStatements {
  private static final Logger LOG = System.getLogger(RunningStatements.class.getName());
  private static final long FIRST_REPEAT_MILLIS = 50;
  private static final long LAST_REPEAT_MILLIS = 1_600;
  private static final long END_WAITS_MILLIS = 1_000;

  private final long endWaitsMillis;
  private final Map<Statement, Execution> running = new ConcurrentHashMap<>();

  private final Set<RunningStatements> parts = ConcurrentHashMap.newKeySet();
  private volatile boolean left;
  private volatile boolean cancelled;
  private volatile Runnable atCancel = () -> {};
  private volatile Runnable atFailedTransaction = () -> {};
  private volatile Runnable atEnd = () -> {};

  /** One execution of a statement. */
  private static final class Execution {
    /** Held while the server is asked, lest the next statement be given up for this one. */
    private final ReentrantLock asking = new ReentrantLock();

    private final AtomicBoolean asked = new AtomicBoolean();
  }

  /** Statements of which none runs yet. */
  public RunningStatements() {
    this(END_WAITS_MILLIS);
  }

  /** Statements of which none runs yet; the end of one waits for so long for a request. */
  RunningStatements(long endWaitsMillis) {
    this.endWaitsMillis = endWaitsMillis;
  }

  /**
   * Counts a statement that is about to be executed.
   *
   * @throws SQLException when the client {@linkplain #leave has left}
   */
  public void begin(Statement statement) throws SQLException {
    running.put(statement, new Execution());
    if (left) {
      end(statement);
      throw new SQLException("The client waits for it no longer.", SqlStates.QUERY_CANCELED);
    }
  }

  /** Counts a statement no more, once no request to give it up is under way, or after a second. */
  public void end(Statement statement) {
    Execution execution = running.remove(statement);
    if (execution != null) {
      awaitRequest(execution);
    }
  }

  /** Waits whether its thread is interrupted or not, as the next statement is another client's. */
  private void awaitRequest(Execution execution) {
    boolean interrupted = Thread.interrupted();
    while (true) {
      try {
        if (execution.asking.tryLock(endWaitsMillis, TimeUnit.MILLISECONDS)) {
          execution.asking.unlock();
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes a call on a result, whose statement is counted meanwhile. */
  <T> T during(ResultSet rows, FetchPlace.Call<T> call) throws SQLException {
    Statement fetching = rows.getStatement();
    if (fetching == null) {
      return call.make();
    }
    begin(fetching);
    try {
      return call.make();
    } finally {
      end(fetching);
    }
  }

  /**
   * Sets what is done when the reading of a result has failed its transaction at its server, and
   * when that has undone it, or its client was interrupted at it.
   */
  public void atFailedReading(Runnable failedTransaction, Runnable end) {
    atFailedTransaction = failedTransaction;
    atEnd = end;
  }

  /** Notes that the transaction can only be undone of which a client was reading a result. */
  void readingEndsTransaction() {
    atEnd.run();
  }

  /**
   * Notes that the reading of a result failed. A result that is closed, or whose server is gone,
   * says nothing of its transaction.
   */
  public void readingFailed(ResultSet rows) {
    try {
      Statement reading = rows.getStatement();
      if (reading != null && FailedTransaction.isOn(reading.getConnection())) {
        atFailedTransaction.run();
      }
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "A result that failed belongs to no transaction any more", e);
    }
  }

  /** Counts others among these, until {@link #end(RunningStatements)}. */
  public void begin(RunningStatements part) {
    parts.add(part);
  }

  /** Counts others among these no more: their client has its answer. */
  public void end(RunningStatements part) {
    parts.remove(part);
  }

  /** Sets what {@link #cancel} does beside asking the servers. */
  public void atCancel(Runnable deed) {
    atCancel = deed;
  }

  /** Whether they were asked to give up, if nothing of them ran then either. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Asks the servers to give up. */
  public void cancel() throws SQLException {
    cancelled = true;
    atCancel.run();
    for (RunningStatements part : parts) {
      part.cancel();
    }
    for (Map.Entry<Statement, Execution> one : running.entrySet()) {
      giveUp(one.getKey(), one.getValue());
    }
  }

  /**
   * The client waits no longer: nothing is done at a cancel beside, and the servers are asked to
   * give up what still runs, if anything does, on a thread of its own.
   */
  public void answered() {
    atCancel = () -> {};
    Map<Statement, Execution> left = Map.copyOf(running);
    if (!left.isEmpty()) {
      Thread.startVirtualThread(() -> {
        for (Map.Entry<Statement, Execution> one : left.entrySet()) {
          try {
            giveUp(one.getKey(), one.getValue());
          } catch (SQLException e) {
            LOG.log(Level.DEBUG, "What nobody waits for could not be given up", e);
          }
        }
      });
    }
  }

  /** The client waits no longer, as after {@link #answered}, and nothing more is begun for it. */
  public void leave() {
    left = true;
    answered();
  }

  private void giveUp(Statement statement, Execution execution) throws SQLException {
    execution.asking.lock();
    try {
      if (running.get(statement) != execution) {
        return;
      }
      statement.cancel();
    } finally {
      execution.asking.unlock();
    }
    if (execution.asked.compareAndSet(false, true)) {
      repeat(statement, execution, FIRST_REPEAT_MILLIS);
    }
  }

  private void repeat(Statement statement, Execution execution, long afterMillis) {
    CompletableFuture.delayedExecutor(
            afterMillis, TimeUnit.MILLISECONDS, Thread::startVirtualThread)
        .execute(() -> {
          if (askAgain(statement, execution) && afterMillis < LAST_REPEAT_MILLIS) {
            repeat(statement, execution, 2 * afterMillis);
          }
        });
  }

  private boolean askAgain(Statement statement, Execution execution) {
    execution.asking.lock();
    try {
      if (running.get(statement) != execution) {
        return false;
      }
      RepeatedCancel.of(statement);
      return true;
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "A statement could not be asked again to end", e);
      return true;
    } finally {
      execution.asking.unlock();
    }
  }
}
