package org.terrace.cluster.jdbc.core;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.core.StatementOutcome.Kind;
import org.terrace.cluster.jdbc.core.WriteTransaction.Branch;
import org.terrace.cluster.jdbc.core.WriteTransaction.Phase;

/**
 * The order of writes, the comparison of their outcomes, the decision to commit, and who is active.
 *
 * <p>Every statement goes to all active replicas under locks that are held to the end of the
 * transaction. A commit has four steps: each replica writes the transaction's position in its own
 * copy, the record goes to the log, each replica commits, the client is told. A record in the log
 * decides: a replica that is lost after that is given the transaction when it returns. Who answers
 * otherwise than most is taken out, and survivors remember that before anything more is logged.
 *
 * <p>A pure state machine, confined to one thread at a time. A step costs the number of replicas
 * and of book.locks().
 */
public final class ClusterCore {
  private final ClusterSettings settings;
  private final ActiveReplicas members;
  private final TransactionBook book = new TransactionBook();
  private final LogGate gate;
  private final Returns returns;
  private long lastPosition;
  private @Nullable String newOwner;

  /** Whether a replica was taken out and its transactions have not gone on since. */
  private boolean unsettled;

  /**
   * A cluster without transactions.
   *
   * @param active the numbers of the replicas that take part from the beginning
   * @param lastPosition the highest position that any replica or the log knows
   * @param lastLogged the number of records in the log
   */
  public ClusterCore(
      ClusterSettings settings,
      List<Integer> active,
      long view,
      long lastPosition,
      long lastLogged) {
    this.settings = settings;
    this.members = new ActiveReplicas(active, view);
    this.lastPosition = lastPosition;
    this.gate = new LogGate(book, members, lastLogged);
    this.returns = new Returns(book, members, gate);
  }

  /** The active replicas, those that have been so for longest first. */
  public List<Integer> active() {
    return members.active();
  }

  /** Takes an event and says what is to be done, in this order. */
  public List<ClusterEffect> step(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.Write write -> write(write);
      case ClusterEvent.Executed executed -> executed(executed);
      case ClusterEvent.Commit commit -> commit(commit.transaction());
      case ClusterEvent.Prepared prepared -> prepared(prepared);
      case ClusterEvent.Logged logged -> logged(logged.transaction());
      case ClusterEvent.LogFailed failed -> logFailed(failed);
      case ClusterEvent.Committed committed -> done(committed.transaction(), committed.replica());
      case ClusterEvent.Rollback rollback -> rollback(rollback.transaction());
      case ClusterEvent.RolledBack undone -> done(undone.transaction(), undone.replica());
      case ClusterEvent.ReplicaFailed failed -> takeOut(failed.replica(), failed.reason(), false);
      case ClusterEvent.ViewRecorded recorded -> members.recorded(recorded.view());
      case ClusterEvent.CaughtUp caughtUp -> caughtUp(caughtUp);
      case ClusterEvent.Fenced fenced -> fenced(fenced.owner());
    }
    settle();
    return book.drain();
  }

  private void write(ClusterEvent.Write write) {
    long id = write.transaction();
    WriteTransaction transaction = book.find(id);
    if (transaction == null) {
      String refusal = refusal();
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
    transaction.statements.add(new OutcomeTally());
    transaction.phase = Phase.LOCKING;
    switch (book.locks().request(id, write.demands())) {
      case GRANTED -> execute(transaction);
      case WAITING -> {}
      case DEADLOCK -> deadlocked(transaction);
    }
  }

  private @Nullable String refusal() {
    if (newOwner != null) {
      return "the cluster belongs to " + newOwner;
    }
    return members.active().size() >= settings.minimumActive()
        ? null
        : "only %d of at least %d replicas are left: writes are refused until one is back"
            .formatted(members.active().size(), settings.minimumActive());
  }

  private void execute(WriteTransaction transaction) {
    transaction.phase = Phase.EXECUTING;
    int statement = transaction.statements.size() - 1;
    for (int replica : transaction.voters()) {
      book.emit(
          transaction, replica, new ClusterEffect.Execute(transaction.id, statement, replica));
    }
  }

  private void executed(ClusterEvent.Executed executed) {
    WriteTransaction transaction = book.find(executed.transaction());
    if (transaction != null) {
      OutcomeTally tally = transaction.statements.get(executed.statement());
      vote(transaction, tally, executed.replica(), executed.outcome());
    }
  }

  private void commit(long id) {
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
    transaction.phase = Phase.PREPARING;
    transaction.position = ++lastPosition;
    for (int replica : transaction.voters()) {
      book.emit(transaction, replica, new ClusterEffect.Prepare(id, replica, transaction.position));
    }
  }

  private void prepared(ClusterEvent.Prepared prepared) {
    WriteTransaction transaction = book.find(prepared.transaction());
    if (transaction != null) {
      vote(transaction, transaction.preparation, prepared.replica(), prepared.outcome());
    }
  }

  private void vote(
      WriteTransaction transaction, OutcomeTally ballot, int replica, StatementOutcome outcome) {
    Branch branch = transaction.branches.get(replica);
    if (branch == null) {
      return;
    }
    ballot.add(replica, outcome);
    if (ballot.decision().isEmpty()) {
      progress(transaction);
    } else if (!ballot.agrees(replica)) {
      if (!transaction.undone) {
        dissent(replica, outcome);
      }
    } else if (ballot == transaction.preparation) {
      branch.prepared = true;
      book.commitAt(transaction, replica, branch);
    }
  }

  private void dissent(int replica, StatementOutcome outcome) {
    boolean gaveUp = outcome.kind() == Kind.GAVE_UP;
    String what = gaveUp ? "gave up a write that others did: " : "answered otherwise than others: ";
    takeOut(replica, what + outcome.fingerprint(), !gaveUp);
  }

  /** Goes as far as the answers allow. */
  private void progress(WriteTransaction transaction) {
    switch (transaction.phase) {
      case EXECUTING, PREPARING -> count(transaction);
      case COMMITTING, UNDOING -> answerWhenDone(transaction);
      case OVER -> book.forgetWhenDone(transaction);
      case OPEN, LOCKING, HELD, LOGGING -> {}
    }
  }

  private void count(WriteTransaction transaction) {
    OutcomeTally ballot = transaction.ballot();
    List<Integer> voters = transaction.voters();
    if (voters.isEmpty()) {
      abort(transaction, SqlStates.CONNECTION_FAILURE, "no replica is left");
      return;
    }
    if (ballot.size() < settings.strategy().needed(voters.size())) {
      return;
    }
    StatementOutcome surrender = ballot.surrender().orElse(null);
    if (surrender != null) {
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
    dissenters.forEach(this::dissent);
    String refusal = dissenters.isEmpty() ? null : refusal();
    if (refusal != null) {
      abort(transaction, SqlStates.READ_ONLY, refusal);
      return;
    }
    if (!preparing) {
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

  private void logged(long id) {
    WriteTransaction transaction = book.find(id);
    if (transaction == null) {
      return;
    }
    transaction.phase = Phase.COMMITTING;
    transaction.branches.forEach((replica, branch) -> {
      if (branch.replayed) {
        book.emit(transaction, replica, new ClusterEffect.Replay(id, replica));
      } else {
        book.commitAt(transaction, replica, branch);
      }
    });
    answerWhenDone(transaction);
  }

  private void logFailed(ClusterEvent.LogFailed failed) {
    WriteTransaction transaction = book.find(failed.transaction());
    if (transaction != null) {
      abort(transaction, SqlStates.IO_ERROR, "the recovery log failed: " + failed.reason());
    }
  }

  private void rollback(long id) {
    WriteTransaction transaction = book.find(id);
    if (transaction == null || transaction.aborted) {
      book.effect(new ClusterEffect.AnswerDone(id, -1));
      if (transaction == null) {
        book.effect(new ClusterEffect.Forget(id));
      } else {
        acknowledge(transaction);
      }
      return;
    }
    undo(transaction);
    answerWhenDone(transaction);
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
    transaction.branches.values().removeIf(branch -> branch.replayed);
  }

  private void abort(WriteTransaction transaction, String sqlState, String reason) {
    transaction.aborted = true;
    transaction.told = true;
    book.effect(new ClusterEffect.AnswerAborted(transaction.id, sqlState, reason));
    undo(transaction);
    answerWhenDone(transaction);
  }

  private void deadlocked(WriteTransaction transaction) {
    abort(
        transaction,
        SqlStates.SERIALIZATION_FAILURE,
        "it and another transaction wait for each other: try it again");
  }

  private void done(long id, int replica) {
    WriteTransaction transaction = book.find(id);
    Branch branch = transaction == null ? null : transaction.branches.get(replica);
    if (transaction == null || branch == null) {
      return;
    }
    branch.finished = true;
    progress(transaction);
    book.flush(replica);
  }

  private void answerWhenDone(WriteTransaction transaction) {
    int branches = transaction.branches.size();
    if (transaction.finishedBranches() < Math.min(branches, settings.strategy().needed(branches))) {
      return;
    }
    transaction.phase = Phase.OVER;
    if (!transaction.told) {
      book.answer(transaction, transaction.anyReplica());
    }
    LockTable.Changes changes = book.locks().release(transaction.id);
    book.forgetWhenDone(transaction);
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

  /**
   * Takes a replica out of everything at once; what follows for the transactions, {@link #settle}
   * does. One that went on before its successors had let go of the replica would let them begin
   * there, where it is itself unfinished.
   */
  private void takeOut(int replica, String reason, boolean diverged) {
    if (members.remove(replica)) {
      book.effect(new ClusterEffect.TakeOut(replica, reason, diverged));
      recordView();
      book.all().forEach(transaction -> transaction.leave(replica));
      unsettled = true;
    }
  }

  /** Goes as far as is possible without those taken out, which may take out others. */
  private void settle() {
    while (unsettled) {
      unsettled = false;
      String refusal = refusal();
      for (WriteTransaction transaction : book.all()) {
        if (!book.contains(transaction)) {
          continue;
        }
        if (refusal != null && transaction.isUndecided()) {
          abort(transaction, SqlStates.READ_ONLY, refusal);
        } else {
          progress(transaction);
        }
      }
    }
    gate.open();
  }

  private void recordView() {
    if (!members.active().isEmpty()) {
      book.effect(new ClusterEffect.RecordView(members.nextView(), members.active()));
    }
  }

  private void caughtUp(ClusterEvent.CaughtUp caughtUp) {
    if (returns.admit(caughtUp)) {
      recordView();
    }
  }

  private void fenced(String owner) {
    newOwner = owner;
    for (WriteTransaction transaction : book.all()) {
      if (transaction.isUndecided()) {
        abort(transaction, SqlStates.READ_ONLY, "the cluster belongs to " + owner);
      }
    }
  }
}
