package org.terrace.cluster.jdbc.freshness;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.terrace.cluster.core.CommitProgress;
import org.terrace.cluster.core.FreshnessToken;
import org.terrace.cluster.core.SqlStates;

/**
 * The replicas that have what a session has seen, and the wait for one when none has. Thread-safe.
 */
public final class FreshReplicas {
  private final Supplier<List<Integer>> active;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Written under the lock; whoever has all that it knows of needs no lock to see so. */
  private volatile CommitProgress latest;

  /**
   * Replicas of which this is known.
   *
   * @param active says who is active at the moment
   */
  public FreshReplicas(CommitProgress first, Supplier<List<Integer>> active) {
    this.latest = first;
    this.active = active;
  }

  /** The progress of the replicas. */
  public CommitProgress progress() {
    return latest;
  }

  /** Notes how far they are, before anything more is committed anywhere. */
  public void progressed(CommitProgress next) {
    if (!next.equals(latest)) {
      lock.lock();
      try {
        latest = next;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Notes that others are active than before. */
  public void activeChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The active replicas that a session may read from; none: no replica is active.
   *
   * @throws SQLException when none had what the session has seen for so long
   */
  public List<Integer> allowed(FreshnessToken token, Duration limit) throws SQLException {
    List<Integer> allowed = now(token);
    if (allowed.isEmpty()) {
      await(limit, _ -> active.get().isEmpty() || !now(token).isEmpty());
      allowed = now(token);
    }
    return allowed;
  }

  /** Waits until a replica has what a session has seen, or is active no longer. */
  public void await(int replica, FreshnessToken token, Duration limit) throws SQLException {
    if (!token.allows(replica, latest)) {
      await(limit, now -> token.allows(replica, now) || !active.get().contains(replica));
    }
  }

  /** Waits until every replica has all that is decided; says whether they came to it. */
  public boolean awaitEven(Duration limit) {
    try {
      await(limit, CommitProgress::isEven);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private List<Integer> now(FreshnessToken token) {
    CommitProgress progress = latest;
    List<Integer> candidates = active.get();
    for (int candidate : candidates) {
      if (!token.allows(candidate, progress)) {
        return candidates.stream().filter(number -> token.allows(number, progress)).toList();
      }
    }
    return candidates;
  }

  private void await(Duration limit, Predicate<CommitProgress> enough) throws SQLException {
    lock.lock();
    try {
      long leftNanos = limit.toNanos();
      while (!enough.test(latest)) {
        if (leftNanos <= 0) {
          throw new SQLException(
              "No server that may be read from had what the session has seen for "
                  + limit
                  + ": try again.",
              SqlStates.LOCK_NOT_AVAILABLE);
        }
        leftNanos = changed.awaitNanos(leftNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException(
          "Interrupted before a server had what was seen.", SqlStates.QUERY_CANCELED, e);
    } finally {
      lock.unlock();
    }
  }
}
