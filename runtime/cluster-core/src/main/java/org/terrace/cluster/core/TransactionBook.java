package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.WriteTransaction.Branch;
import org.terrace.cluster.core.WriteTransaction.Phase;

/**
 * The transactions that write, their locks, and what is to be done for them at each replica, where
 * a transaction waits for its predecessors.
 */
final class TransactionBook {
  private final LockTable locks = new LockTable();
  private final Map<Long, WriteTransaction> transactions = new LinkedHashMap<>();
  private final DecidedCommits commits;
  private List<ClusterEffect> effects = new ArrayList<>();

  private long lastEndedRecord;
  private long lastEnded;

  /**
   * A book without transactions.
   *
   * @param lastEnded the position of the last record of before; 0: there is none
   */
  TransactionBook(DecidedCommits commits, long lastEnded) {
    this.commits = commits;
    this.lastEnded = lastEnded;
  }

  /** The position of the last record of the log whose transaction is at an end everywhere. */
  long lastEnded() {
    return lastEnded;
  }

  DecidedCommits commits() {
    return commits;
  }

  LockTable locks() {
    return locks;
  }

  @Nullable WriteTransaction find(long id) {
    return transactions.get(id);
  }

  boolean contains(WriteTransaction transaction) {
    return transactions.containsKey(transaction.id);
  }

  void add(WriteTransaction transaction) {
    transactions.put(transaction.id, transaction);
  }

  Collection<WriteTransaction> all() {
    return new ArrayList<>(transactions.values());
  }

  /** Takes what is to be done, and begins anew. */
  List<ClusterEffect> drain() {
    List<ClusterEffect> drained = effects;
    effects = new ArrayList<>();
    return drained;
  }

  /** The position up to which every transaction is at an end, of those up to the last. */
  long floor(long lastPosition) {
    return transactions.values().stream()
            .mapToLong(transaction -> transaction.position)
            .filter(position -> position > 0)
            .min()
            .orElse(lastPosition + 1)
        - 1;
  }

  /** Whether a replica is as far behind as it may be. */
  boolean isFull(int replica, int maxBehind) {
    return commits.behind(replica) >= maxBehind;
  }

  /** Whether a transaction waits for a replica that is too far behind to be left behind further. */
  boolean isHeldUp(WriteTransaction transaction, int maxBehind) {
    return transaction.branches.entrySet().stream()
        .anyMatch(branch -> !branch.getValue().finished && isFull(branch.getKey(), maxBehind));
  }

  void effect(ClusterEffect effect) {
    effects.add(effect);
  }

  void answer(WriteTransaction transaction, int replica) {
    long record = transaction.isFinishedEverywhere() ? 0 : transaction.record;
    effect(new ClusterEffect.AnswerDone(transaction.id, replica, record));
  }

  void emit(WriteTransaction transaction, int replica, ClusterEffect effect) {
    Branch branch = transaction.branches.get(replica);
    if (branch != null) {
      branch.pending.add(effect);
      flush(transaction, replica, branch);
    }
  }

  void flush(int replica) {
    for (WriteTransaction transaction : transactions.values()) {
      Branch branch = transaction.branches.get(replica);
      if (branch != null && !branch.pending.isEmpty()) {
        flush(transaction, replica, branch);
      }
    }
  }

  private void flush(WriteTransaction transaction, int replica, Branch branch) {
    for (long id : locks.predecessors(transaction.id)) {
      WriteTransaction predecessor = transactions.get(id);
      Branch theirs = predecessor == null ? null : predecessor.branches.get(replica);
      if (theirs != null && !theirs.finished) {
        return;
      }
    }
    boolean commits = branch.pending.stream().anyMatch(TransactionBook::isCommit);
    // Who reads both at this replica must not find it without what its session had read elsewhere.
    long seen = Math.min(transaction.seen, transaction.record - 1);
    if (commits && this.commits.lacks(replica, seen)) {
      return;
    }
    if (commits) {
      this.commits.committing(replica, transaction.record);
    }
    effects.addAll(branch.pending);
    branch.pending.clear();
  }

  private static boolean isCommit(ClusterEffect effect) {
    return effect instanceof ClusterEffect.CommitAt || effect instanceof ClusterEffect.Replay;
  }

  void commitAt(WriteTransaction transaction, int replica, Branch branch) {
    // A replica may prepare late what is undone because the log refused it.
    boolean decided =
        !transaction.undone
            && (transaction.phase == Phase.COMMITTING || transaction.phase == Phase.OVER);
    if (decided && branch.prepared && !branch.committing) {
      branch.committing = true;
      emit(transaction, replica, new ClusterEffect.CommitAt(transaction.id, replica));
    }
  }

  void forgetWhenDone(WriteTransaction transaction) {
    if (transactions.containsKey(transaction.id)
        && transaction.phase == Phase.OVER
        && transaction.isFinishedEverywhere()) {
      locks.finish(transaction.id);
      if (!transaction.aborted && !transaction.mayRemain) {
        transactions.remove(transaction.id);
        if (!transaction.undone && transaction.record > lastEndedRecord) {
          lastEndedRecord = transaction.record;
          lastEnded = transaction.position;
        }
        effect(new ClusterEffect.Forget(transaction.id));
      }
    }
  }
}
