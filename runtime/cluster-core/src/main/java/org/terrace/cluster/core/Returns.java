package org.terrace.cluster.core;

import org.terrace.cluster.core.WriteTransaction.Branch;

/** The return of a replica that was away: it is admitted once it has what the log holds. */
final class Returns {
  /** How many records a returning replica may be behind for the log to wait for it. */
  private static final int HOLD_RECORDS_MAX = 16;

  private final TransactionBook book;
  private final ActiveReplicas members;
  private final LogGate gate;

  Returns(TransactionBook book, ActiveReplicas members, LogGate gate) {
    this.book = book;
    this.members = members;
    this.gate = gate;
  }

  /** Admits a replica, or sends it for the rest of the log; says whether it was admitted. */
  boolean admit(ClusterEvent.CaughtUp caughtUp) {
    int replica = caughtUp.replica();
    if (members.active().contains(replica)) {
      return false;
    }
    if (caughtUp.logged() < gate.lastLogged()) {
      if (gate.lastLogged() - caughtUp.logged() <= HOLD_RECORDS_MAX) {
        members.awaitReturn(replica);
      }
      book.effect(new ClusterEffect.CatchUp(replica, gate.lastLogged()));
      return false;
    }
    members.add(replica);
    for (WriteTransaction transaction : book.all()) {
      if (transaction.isUndecided()) {
        transaction.branches.put(replica, new Branch(true));
      }
    }
    book.effect(new ClusterEffect.Join(replica));
    return true;
  }
}
