package org.terrace.cluster.core;

import java.util.HashMap;
import java.util.Map;
import org.terrace.cluster.core.WriteTransaction.Branch;
import org.terrace.cluster.core.WriteTransaction.Phase;

/**
 * The admission of replicas that have done what the log has of the time they were out.
 *
 * <p>A replica does the log record by record, and the others write it side by side: it may do less
 * than they write in the same time, and would never come back. So it does the rest in rounds, and
 * the log waits for it during a round that begins no nearer to the end than an earlier one did.
 */
final class Returns {
  /** The records of a round: what a write waits for at most, once for each time the log waits. */
  static final int ROUND_RECORDS = 16;

  private final TransactionBook book;
  private final ActiveReplicas members;
  private final LogGate gate;

  /** The fewest records that each replica lacked when it asked. */
  private final Map<Integer, Long> fewest = new HashMap<>();

  Returns(TransactionBook book, ActiveReplicas members, LogGate gate) {
    this.book = book;
    this.members = members;
    this.gate = gate;
  }

  /**
   * Admits a replica, or sends it for more of the log, which is no more when another is to return
   * first, or what stays of a transaction is being left; says whether it was admitted.
   */
  boolean admit(ClusterEvent.CaughtUp caughtUp) {
    int replica = caughtUp.replica();
    if (members.active().contains(replica)) {
      return false;
    }
    long lacking = gate.lastLogged() - caughtUp.logged();
    if (lacking > 0) {
      sendForMore(replica, caughtUp.logged(), lacking);
      return false;
    }
    // What stays of one that is undone no log tells of: who returns is to see it at the others.
    boolean waits = book.all().stream().anyMatch(WriteTransaction::isBeingLeft);
    if (waits || !members.mayReturn(replica)) {
      book.effect(new ClusterEffect.CatchUp(replica, caughtUp.logged()));
      return false;
    }
    forget(replica);
    members.add(replica);
    book.commits().added(replica, gate.lastLogged());
    for (WriteTransaction transaction : book.all()) {
      if (transaction.isUndecided()) {
        transaction.branches.put(replica, new Branch(true));
      } else if (transaction.phase == Phase.LOGGING) {
        // It is there already, and must not be missed at others by who sees it there.
        book.commits().decided(transaction);
      }
    }
    book.effect(new ClusterEffect.Join(replica));
    return true;
  }

  private void sendForMore(int replica, long logged, long lacking) {
    Long before = fewest.get(replica);
    boolean nearer = before == null || lacking < before;
    if (nearer) {
      fewest.put(replica, lacking);
    }
    if (lacking <= ROUND_RECORDS || !nearer) {
      members.awaitReturn(replica);
    } else {
      members.awaitReturnNoLonger(replica);
    }
    long round = Math.min(lacking, ROUND_RECORDS);
    book.effect(new ClusterEffect.CatchUp(replica, logged + round));
  }

  /** Forgets how far a replica was that has failed, or is back. */
  void forget(int replica) {
    fewest.remove(replica);
  }
}
