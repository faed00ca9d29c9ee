package org.terrace.cluster.core;

import java.util.List;

/**
 * An action to take for a cluster of databases. Effects for the same transaction at the same
 * replica are done one after the other, in the order in which they were given; so are appends.
 */
public sealed interface ClusterEffect {

  /** An action of one transaction at one replica. */
  sealed interface AtReplica extends ClusterEffect {
    /** The number of the transaction. */
    long transaction();

    /** The number of the replica. */
    int replica();
  }

  /** An answer to the client of a transaction. */
  sealed interface Answer extends ClusterEffect {
    /** The number of the transaction. */
    long transaction();
  }

  /**
   * The events that tell of an action that failed as it was taken, so that nobody waits for its
   * end: whoever was to act there is lost. Answers, which clients wait for, have none, nor has what
   * nothing follows.
   */
  default List<ClusterEvent> failure(String reason) {
    return switch (this) {
      case AtReplica part -> List.of(new ClusterEvent.ReplicaFailed(part.replica(), reason));
      case CatchUp catchUp -> List.of(new ClusterEvent.ReplicaFailed(catchUp.replica(), reason));
      case Join join -> List.of(new ClusterEvent.ReplicaFailed(join.replica(), reason));
      // It may have come as far as the log.
      case Append append -> List.of(new ClusterEvent.LogFailed(append.transaction(), reason, true));
      case RecordView view ->
          view.active().stream()
              .<ClusterEvent>map(replica -> new ClusterEvent.ReplicaFailed(replica, reason))
              .toList();
      case Answer _, GiveUp _, TakeOut _, Forget _ -> List.of();
    };
  }

  /** Execute a statement of a transaction at a replica, then say {@link ClusterEvent.Executed}. */
  record Execute(long transaction, int statement, int replica) implements AtReplica {}

  /**
   * Write the transaction's position at a replica, within the transaction, then say {@link
   * ClusterEvent.Prepared}.
   */
  record Prepare(long transaction, int replica, long position) implements AtReplica {}

  /** Write the transaction's record to the log, then say {@link ClusterEvent.Logged}. */
  record Append(long transaction, long position) implements ClusterEffect {}

  /** Commit at a replica, then say {@link ClusterEvent.Committed}. */
  record CommitAt(long transaction, int replica) implements AtReplica {}

  /** Undo at a replica, then say {@link ClusterEvent.RolledBack}. */
  record RollBackAt(long transaction, int replica) implements AtReplica {}

  /**
   * Do the whole transaction at a replica that has not seen any of it, with its position, commit,
   * then say {@link ClusterEvent.Committed}.
   */
  record Replay(long transaction, int replica) implements AtReplica {}

  /**
   * Tell the client that the last thing that it wanted is done, with a replica that did it.
   *
   * @param replica the replica; -1: none is left, or nothing had been done
   * @param record the number of the transaction's record in the log; 0: all active replicas have
   *     committed it, or it has none yet
   */
  record AnswerDone(long transaction, int replica, long record) implements Answer {}

  /**
   * Tell the client that its transaction is undone, or will be, at all replicas.
   *
   * @param sqlState the SQLState to tell, such as 40001
   */
  record AnswerAborted(long transaction, String sqlState, String reason) implements Answer {}

  /**
   * Tell the client that its transaction is undone, or will be, as it waited too long for a lock.
   *
   * @param what the lock that it waited for
   * @param holders the transactions that have it, or asked for it before
   */
  record AnswerWaited(long transaction, Lockable what, List<Long> holders) implements Answer {
    /** Copies the list. */
    public AnswerWaited {
      holders = List.copyOf(holders);
    }
  }

  /** Ask the servers to end the statement of a transaction that they are at. */
  record GiveUp(long transaction) implements ClusterEffect {}

  /** Forget a transaction: nothing more will be said of it. */
  record Forget(long transaction) implements ClusterEffect {}

  /**
   * Stop using a replica.
   *
   * @param diverged whether its data may be other than they should be, so that only a copy helps
   */
  record TakeOut(int replica, String reason, boolean diverged) implements ClusterEffect {}

  /**
   * Have all active replicas remember who is active, then say {@link ClusterEvent.ViewRecorded}.
   */
  record RecordView(long view, List<Integer> active) implements ClusterEffect {}

  /**
   * Let a replica that comes back apply the log up to this record, then say {@link
   * ClusterEvent.CaughtUp}.
   */
  record CatchUp(int replica, long logged) implements ClusterEffect {}

  /** Use a replica again. */
  record Join(int replica) implements ClusterEffect {}
}
