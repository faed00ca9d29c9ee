package org.terrace.cluster.core;

import java.util.List;
import java.util.Map;
import org.terrace.cluster.core.StatementOutcome.Kind;
import org.terrace.cluster.core.WriteTransaction.Branch;
import org.terrace.cluster.core.WriteTransaction.Phase;

/**
 * The way of each writing transaction from its first statement to its end, as far as the answers of
 * the replicas allow. Who belongs to them, and whether writes are taken, is decided elsewhere.
 */
final class TransactionSteps {
  private final ClusterSettings settings;
  private final ActiveReplicas members;
  private final TransactionBook book;
  private final LogGate gate;
  private final ReplicaMembership membership;
  private long lastPosition;

  TransactionSteps(
      ClusterSettings settings,
      ActiveReplicas members,
      TransactionBook book,
      LogGate gate,
      ReplicaMembership membership,
      long lastPosition) {
    this.settings = settings;
    this.members = members;
    this.book = book;
    this.gate = gate;
    this.membership = membership;
    this.lastPosition = lastPosition;
  }

  /** Every transaction up to this position is at an end at all replicas. */
  long floor() {
    return book.floor(lastPosition);
  }

  void write(ClusterEvent.Write write) {
    long id = write.transaction();
    WriteTransaction transaction = book.find(id);
    if (transaction == null) {
      String refusal = membership.refusal();
      if (refusal != null) {
        book.effect(new ClusterEffect.AnswerAborted(id, SqlStates.READ_ONLY, refusal));
        return;
      }
      transaction = new WriteTransaction(id);
      for (int replica : members.active()) {
        transaction.branches.put(replica, new Branch(false));
      }
      book.add(transaction);
    } else if (transaction.aborted) {
      book.effect(
          new ClusterEffect.AnswerAborted(
              id, SqlStates.IN_FAILED_TRANSACTION, "the transaction is undone: roll back first"));
      return;
    }
    transaction.add(new OutcomeTally(), write.lasting());
    transaction.barrier |= write.barrier();
    transaction.phase = Phase.LOCKING;
    switch (book.locks().request(id, write.demands())) {
      case GRANTED -> execute(transaction);
      case WAITING -> {}
      case DEADLOCK -> deadlocked(transaction);
    }
  }

  void waitedTooLong(long id) {
    WriteTransaction transaction = book.find(id);
    if (transaction != null && transaction.phase == Phase.LOCKING) {
      LockTable.LockWait wait = book.locks().waitOf(id);
      abort(transaction, new ClusterEffect.AnswerWaited(id, wait.what(), wait.holders()));
    }
  }

  void cancelled(ClusterEvent.Cancelled cancelled) {
    long id = cancelled.transaction();
    WriteTransaction transaction = book.find(id);
    if (transaction == null || transaction.statements.size() - 1 != cancelled.statement()) {
      return;
    }
    boolean executes = transaction.phase == Phase.EXECUTING;
    if (executes) {
      book.effect(new ClusterEffect.GiveUp(id));
    }
    // What may stay is compared when all have come to its end. Of all else nothing counts now.
    if (transaction.phase == Phase.LOCKING || (executes && transaction.canBeUndone())) {
      abort(transaction, SqlStates.QUERY_CANCELED, "its statement was cancelled, or too slow");
    }
  }

  private void execute(WriteTransaction transaction) {
    transaction.phase = Phase.EXECUTING;
    if (isLost(transaction)) {
      return;
    }
    int statement = transaction.statements.size() - 1;
    for (int replica : transaction.voters()) {
      book.emit(
          transaction, replica, new ClusterEffect.Execute(transaction.id, statement, replica));
    }
  }

  void executed(ClusterEvent.Executed executed) {
    WriteTransaction transaction = book.find(executed.transaction());
    if (transaction != null) {
      OutcomeTally tally = transaction.statements.get(executed.statement());
      vote(transaction, tally, executed.replica(), executed.outcome());
    }
  }

  void commit(ClusterEvent.Commit commit) {
    long id = commit.transaction();
    WriteTransaction transaction = book.find(id);
    if (transaction == null) {
      throw new IllegalStateException("transaction " + id + " wants to commit and wrote nothing");
    }
    if (transaction.aborted) {
      book.effect(
          new ClusterEffect.AnswerAborted(
              id, SqlStates.SERIALIZATION_FAILURE, "the transaction had to be undone"));
      acknowledge(transaction);
      return;
    }
    transaction.seen = commit.seen();
    prepare(transaction);
  }

  private void prepare(WriteTransaction transaction) {
    long id = transaction.id;
    transaction.phase = Phase.PREPARING;
    if (isLost(transaction)) {
      return;
    }
    transaction.position = ++lastPosition;
    for (int replica : transaction.voters()) {
      book.emit(transaction, replica, new ClusterEffect.Prepare(id, replica, transaction.position));
    }
  }

  void prepared(ClusterEvent.Prepared prepared) {
    WriteTransaction transaction = book.find(prepared.transaction());
    if (transaction != null) {
      vote(transaction, transaction.preparation, prepared.replica(), prepared.outcome());
    }
  }

  private void vote(
      WriteTransaction transaction, OutcomeTally ballot, int replica, StatementOutcome outcome) {
    Branch branch = transaction.branches.get(replica);
    // One that was lost and is back gets the transaction as a whole: what it says of a part is
    // late.
    if (branch == null || branch.replayed) {
      return;
    }
    ballot.add(replica, outcome);
    if (ballot.decision().isEmpty()) {
      progress(transaction);
    } else if (!ballot.agrees(replica)) {
      if (!transaction.undone) {
        membership.dissent(replica, outcome);
      }
    } else if (ballot == transaction.preparation) {
      branch.prepared = true;
      book.commitAt(transaction, replica, branch);
    }
  }

  /** Goes as far as the answers allow. */
  void progress(WriteTransaction transaction) {
    switch (transaction.phase) {
      case EXECUTING, PREPARING -> count(transaction);
      case COMMITTING, UNDOING -> answerWhenDone(transaction);
      case OVER -> book.forgetWhenDone(transaction);
      case OPEN, LOCKING, HELD, LOGGING -> {}
    }
  }

  /** Undoes a transaction if nobody is left who has done any of it, which nobody would answer. */
  private boolean isLost(WriteTransaction transaction) {
    if (!transaction.voters().isEmpty()) {
      return false;
    }
    if (members.active().isEmpty()) {
      abort(transaction, SqlStates.CONNECTION_FAILURE, "no replica is left");
    } else {
      abort(
          transaction,
          SqlStates.SERIALIZATION_FAILURE,
          "every replica that had done what it wrote was lost since: try it again");
    }
    return true;
  }

  private void count(WriteTransaction transaction) {
    OutcomeTally ballot = transaction.ballot();
    List<Integer> voters = transaction.voters();
    if (isLost(transaction)) {
      return;
    }
    boolean enough = ballot.agreeing() >= transaction.needed(settings.strategy(), voters.size());
    if (!enough && ballot.size() < voters.size()) {
      return;
    }
    StatementOutcome surrender = ballot.surrender().orElse(null);
    // What stays at one is done at all: who gave up is taken out, and gets it from the log.
    boolean stays = transaction.isLasting() && ballot.isDoneSomewhere();
    if (surrender != null && !stays && transaction.left) {
      end(transaction);
      return;
    }
    if (surrender != null && !stays) {
      abort(
          transaction,
          SqlStates.SERIALIZATION_FAILURE,
          "a replica gave up (" + surrender.fingerprint() + "): try the transaction again");
      return;
    }
    StatementOutcome winner = ballot.decide(members.active());
    boolean preparing = transaction.phase == Phase.PREPARING;
    transaction.phase = preparing ? Phase.HELD : Phase.OPEN;
    Map<Integer, StatementOutcome> dissenters = ballot.dissenters();
    dissenters.forEach(membership::dissent);
    String refusal = dissenters.isEmpty() ? null : membership.refusal();
    if (refusal != null && transaction.canBeUndone()) {
      abort(transaction, SqlStates.READ_ONLY, refusal);
      return;
    }
    if (!preparing && transaction.left) {
      end(transaction);
    } else if (!preparing) {
      book.answer(transaction, voters.stream().filter(ballot::agrees).findFirst().orElseThrow());
    } else if (winner.kind() == Kind.FAILED) {
      abort(transaction, winner.fingerprint(), "the transaction breaks a rule at its commit");
    } else {
      voters.stream()
          .filter(ballot::agrees)
          .map(transaction.branches::get)
          .forEach(branch -> branch.prepared = true);
      gate.pass(transaction);
    }
  }

  void logged(long id) {
    WriteTransaction transaction = book.find(id);
    if (transaction == null) {
      return;
    }
    transaction.phase = Phase.COMMITTING;
    book.commits().decided(transaction);
    transaction.branches.forEach((replica, branch) -> {
      if (branch.replayed) {
        book.emit(transaction, replica, new ClusterEffect.Replay(id, replica));
      } else {
        book.commitAt(transaction, replica, branch);
      }
    });
    answerWhenDone(transaction);
  }

  void logFailed(ClusterEvent.LogFailed failed) {
    WriteTransaction transaction = book.find(failed.transaction());
    if (transaction != null) {
      transaction.mayRemain = failed.mayRemain();
      if (!failed.mayRemain()) {
        gate.takeBack(transaction);
      }
      abort(
          transaction,
          failed.mayRemain() ? SqlStates.OUTCOME_UNKNOWN : SqlStates.IO_ERROR,
          "the recovery log failed: " + failed.reason());
    }
  }

  void rollback(long id) {
    WriteTransaction transaction = book.find(id);
    if (transaction == null || transaction.aborted) {
      book.effect(new ClusterEffect.AnswerDone(id, -1, 0));
      if (transaction == null) {
        book.effect(new ClusterEffect.Forget(id));
      } else {
        acknowledge(transaction);
      }
      return;
    }
    if (transaction.mayStay()) {
      transaction.left = true;
      if (transaction.phase == Phase.OPEN) {
        end(transaction);
      }
      return;
    }
    undo(transaction);
    answerWhenDone(transaction);
  }

  /**
   * Ends a transaction that its client has left: what stays of it goes to the log, as if its client
   * wanted it committed, lest servers differ without anybody's knowledge.
   */
  private void end(WriteTransaction transaction) {
    if (transaction.remains()) {
      prepare(transaction);
    } else {
      undo(transaction);
      answerWhenDone(transaction);
    }
  }

  /** The client knows that its transaction is undone. */
  private void acknowledge(WriteTransaction transaction) {
    transaction.aborted = false;
    book.forgetWhenDone(transaction);
  }

  private void undo(WriteTransaction transaction) {
    transaction.phase = Phase.UNDOING;
    transaction.undone = true;
    for (int replica : transaction.voters()) {
      book.emit(transaction, replica, new ClusterEffect.RollBackAt(transaction.id, replica));
    }
    List<Integer> lacking = transaction.lacking();
    transaction.branches.values().removeIf(branch -> branch.replayed);
    lacking.forEach(membership::lacks);
    // It lets go of its locks when it is undone, and must not be given another until then.
    goOn(book.locks().abandon(transaction.id));
  }

  void abort(WriteTransaction transaction, String sqlState, String reason) {
    abort(transaction, new ClusterEffect.AnswerAborted(transaction.id, sqlState, reason));
  }

  private void abort(WriteTransaction transaction, ClusterEffect answer) {
    transaction.aborted = !transaction.isCommitAsked() && !transaction.left;
    transaction.told = true;
    book.effect(answer);
    undo(transaction);
    answerWhenDone(transaction);
  }

  private void deadlocked(WriteTransaction transaction) {
    abort(
        transaction,
        SqlStates.SERIALIZATION_FAILURE,
        "it and another transaction wait for each other: try it again");
  }

  void done(long id, int replica) {
    WriteTransaction transaction = book.find(id);
    Branch branch = transaction == null ? null : transaction.branches.get(replica);
    if (transaction == null || branch == null) {
      return;
    }
    branch.finished = true;
    boolean wasFull = book.isFull(replica, settings.maxBehind());
    book.commits().done(replica, transaction);
    progress(transaction);
    book.flush(replica);
    if (wasFull) {
      book.all().stream().filter(WriteTransaction::isEnding).forEach(this::progress);
    }
  }

  private void answerWhenDone(WriteTransaction transaction) {
    int branches = transaction.branches.size();
    int needed = Math.min(branches, transaction.needed(settings.strategy(), branches));
    if (transaction.finishedBranches() < needed
        || book.isHeldUp(transaction, settings.maxBehind())) {
      return;
    }
    transaction.phase = Phase.OVER;
    book.commits().answered(transaction);
    if (!transaction.told) {
      book.answer(transaction, transaction.anyReplica());
    }
    LockTable.Changes changes = book.locks().release(transaction.id);
    book.forgetWhenDone(transaction);
    goOn(changes);
  }

  /** Goes on with those who waited. */
  private void goOn(LockTable.Changes changes) {
    for (long granted : changes.granted()) {
      WriteTransaction next = book.find(granted);
      if (next != null) {
        execute(next);
      }
    }
    for (long victim : changes.deadlocked()) {
      WriteTransaction next = book.find(victim);
      if (next != null) {
        deadlocked(next);
      }
    }
  }
}
