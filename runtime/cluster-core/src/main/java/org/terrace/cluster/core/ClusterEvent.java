package org.terrace.cluster.core;

import java.util.List;

/** An occurrence in a cluster of databases. Transactions are named by numbers. */
public sealed interface ClusterEvent {

  /**
   * A client wants its next statement done at every replica, under these locks.
   *
   * @param barrier whether it is answered, and its transaction is, when all replicas have done it,
   *     whatever the strategy
   * @param lasting whether what a replica has done of it stays, whatever becomes of the transaction
   */
  record Write(long transaction, List<LockDemand> demands, boolean barrier, boolean lasting)
      implements ClusterEvent {
    /** A statement that is answered as the strategy says, and can be undone. */
    public Write(long transaction, List<LockDemand> demands) {
      this(transaction, demands, false, false);
    }
  }

  /** A replica has come to the end of a statement; they are numbered from 0. */
  record Executed(long transaction, int statement, int replica, StatementOutcome outcome)
      implements ClusterEvent {}

  /**
   * A client's statement was given as long for its locks as any is. It means nothing to one that
   * has them.
   */
  record WaitedTooLong(long transaction) implements ClusterEvent {}

  /**
   * A client's statement is to be given up. It means nothing to one of which it has been decided
   * what came of it: a server that is still at it would differ from those that have done it.
   */
  record Cancelled(long transaction, int statement) implements ClusterEvent {}

  /**
   * A client wants its transaction committed.
   *
   * @param seen the number of the record up to which its session may have read commits; each
   *     replica does those before this one. 0: none
   */
  record Commit(long transaction, long seen) implements ClusterEvent {
    /** A commit of a session that has read nothing. */
    public Commit(long transaction) {
      this(transaction, 0);
    }
  }

  /** A replica has, or has not, written the transaction's number, its last step before commit. */
  record Prepared(long transaction, int replica, StatementOutcome outcome)
      implements ClusterEvent {}

  /** The transaction's record is in the log for good, or there is no log. */
  record Logged(long transaction) implements ClusterEvent {}

  /**
   * The transaction's record cannot be written to the log.
   *
   * @param mayRemain whether it may be there nevertheless, for whoever opens the log next
   */
  record LogFailed(long transaction, String reason, boolean mayRemain) implements ClusterEvent {}

  /** A replica has committed a transaction, by its own branch or by replay. */
  record Committed(long transaction, int replica) implements ClusterEvent {}

  /**
   * A client wants its transaction undone, or leaves it. One that has done what stays is committed
   * instead, also if that turns out only when servers that are at it have come to its end.
   */
  record Rollback(long transaction) implements ClusterEvent {}

  /** A replica has undone a transaction. */
  record RolledBack(long transaction, int replica) implements ClusterEvent {}

  /** A replica does not answer, or its connection broke. */
  record ReplicaFailed(int replica, String reason) implements ClusterEvent {}

  /**
   * A replica remembers that it is not to be gone on with: it was removed, or its data are not to
   * be trusted. No other process goes on with it alone, and nobody waits for its return.
   */
  record ReplicaExcluded(int replica) implements ClusterEvent {}

  /** All active replicas know the view. */
  record ViewRecorded(long view) implements ClusterEvent {}

  /** A replica that comes back has applied the records of the log up to this one. */
  record CaughtUp(int replica, long logged) implements ClusterEvent {}

  /** The cluster is owned by another process now. */
  record Fenced(String owner) implements ClusterEvent {}
}
