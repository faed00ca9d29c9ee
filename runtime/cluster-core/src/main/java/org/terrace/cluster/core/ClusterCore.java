package org.terrace.cluster.core;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.StatementOutcome.Kind;

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
  private final TransactionBook book;
  private final LogGate gate;
  private final Returns returns;
  private final TransactionSteps transactions;
  private @Nullable String newOwner;

  /** Whether a replica was taken out and its transactions have not gone on since. */
  private boolean unsettled;

  /**
   * A cluster without transactions.
   *
   * @param active the numbers of the replicas that take part from the beginning
   * @param lastPosition the highest position that any replica or the log knows
   * @param lastLogged the number of records in the log
   * @param lastRecord the position of the last of them; 0: there is none
   */
  public ClusterCore(
      ClusterSettings settings,
      List<Integer> active,
      long view,
      long lastPosition,
      long lastLogged,
      long lastRecord) {
    this.settings = settings;
    this.members = new ActiveReplicas(active, view);
    this.book = new TransactionBook(new DecidedCommits(active, lastLogged), lastRecord);
    this.gate = new LogGate(book, members, lastLogged);
    this.returns = new Returns(book, members, gate);
    this.transactions =
        new TransactionSteps(
            settings,
            members,
            book,
            gate,
            new ReplicaMembership() {
              @Override
              public void dissent(int replica, StatementOutcome outcome) {
                ClusterCore.this.dissent(replica, outcome);
              }

              @Override
              public void lacks(int replica) {
                takeOut(replica, "it lacks a definition that stays though it was undone", false);
              }

              @Override
              public @Nullable String refusal() {
                return ClusterCore.this.refusal();
              }
            },
            lastPosition);
  }

  /** The active replicas, those that have been so for longest first. */
  public List<Integer> active() {
    return members.active();
  }

  /** The replica that was active last, while none is. */
  public int lastActive() {
    return members.lastActive();
  }

  /** The progress of the active replicas with what is decided. */
  public CommitProgress progress() {
    return book.commits().progress();
  }

  /**
   * The position up to which every transaction is at an end at a replica, and the last record that
   * is. Of one that is not active nothing is known: the others go on without it.
   */
  public Optional<RememberedPositions> floorAt(int replica) {
    return members.active().contains(replica)
        ? Optional.of(new RememberedPositions(transactions.floor(), book.lastEnded()))
        : Optional.empty();
  }

  /** The number of transactions that wait for a lock that another has. */
  public int lockWaiters() {
    return book.locks().waiters();
  }

  /** The number of transactions that hold locks or wait for one. */
  public int lockUsers() {
    return book.locks().users();
  }

  /**
   * The number of transactions whose clients have their last answer, and that the active replica
   * that is behind most is still at work on.
   */
  public int behind() {
    return members.active().stream().mapToInt(book.commits()::behind).max().orElse(0);
  }

  /** The transactions that are not at an end, without those whose record may remain in the log. */
  List<Long> unfinished() {
    return book.all().stream()
        .filter(transaction -> !transaction.mayRemain)
        .map(transaction -> transaction.id)
        .toList();
  }

  /** Takes an event and says what is to be done, in this order. */
  public List<ClusterEffect> step(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.Write write -> transactions.write(write);
      case ClusterEvent.Executed executed -> transactions.executed(executed);
      case ClusterEvent.WaitedTooLong waited -> transactions.waitedTooLong(waited.transaction());
      case ClusterEvent.Cancelled cancelled -> transactions.cancelled(cancelled);
      case ClusterEvent.Commit commit -> transactions.commit(commit);
      case ClusterEvent.Prepared prepared -> transactions.prepared(prepared);
      case ClusterEvent.Logged logged -> transactions.logged(logged.transaction());
      case ClusterEvent.LogFailed failed -> transactions.logFailed(failed);
      case ClusterEvent.Committed committed ->
          transactions.done(committed.transaction(), committed.replica());
      case ClusterEvent.Rollback rollback -> transactions.rollback(rollback.transaction());
      case ClusterEvent.RolledBack undone ->
          transactions.done(undone.transaction(), undone.replica());
      case ClusterEvent.ReplicaFailed failed -> takeOut(failed.replica(), failed.reason(), false);
      case ClusterEvent.ReplicaExcluded excluded -> members.exclude(excluded.replica());
      case ClusterEvent.ViewRecorded recorded -> members.recorded(recorded.view());
      case ClusterEvent.CaughtUp caughtUp -> caughtUp(caughtUp);
      case ClusterEvent.Fenced fenced -> fenced(fenced.owner());
    }
    settle();
    return book.drain();
  }

  private @Nullable String refusal() {
    if (newOwner != null) {
      return "the cluster belongs to " + newOwner;
    }
    int left = members.active().size();
    if (left >= settings.minimumActive()) {
      return null;
    }
    return left == 0
        ? "no replica is left: writes are refused until the one that was active last is back"
        : "only %d of at least %d replicas are left: writes are refused until one is back"
            .formatted(left, settings.minimumActive());
  }

  private void dissent(int replica, StatementOutcome outcome) {
    boolean gaveUp = outcome.kind() == Kind.GAVE_UP;
    String what = gaveUp ? "gave up a write that others did: " : "answered otherwise than others: ";
    takeOut(replica, what + outcome.fingerprint(), !gaveUp);
  }

  /**
   * Takes a replica out of everything at once; what follows for the transactions, {@link #settle}
   * does. One that went on before its successors had let go of the replica would let them begin
   * there, where it is itself unfinished.
   */
  private void takeOut(int replica, String reason, boolean diverged) {
    returns.forget(replica);
    if (members.remove(replica)) {
      book.effect(new ClusterEffect.TakeOut(replica, reason, diverged));
      recordView();
      book.all().forEach(transaction -> transaction.leave(replica));
      book.commits().removed(replica);
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
        boolean stops =
            transaction.isUndecided() && (transaction.canBeUndone() || members.active().isEmpty());
        if (refusal != null && stops) {
          transactions.abort(transaction, SqlStates.READ_ONLY, refusal);
        } else {
          transactions.progress(transaction);
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
        transactions.abort(transaction, SqlStates.READ_ONLY, "the cluster belongs to " + owner);
      }
    }
  }
}
