package org.terrace.cluster.core;

import java.util.ArrayDeque;
import java.util.Deque;
import org.terrace.cluster.core.WriteTransaction.Phase;

/** The order in which transactions go to the log, and the halt while the replicas settle. */
final class LogGate {
  private final TransactionBook book;
  private final ActiveReplicas members;
  private final Deque<WriteTransaction> held = new ArrayDeque<>();
  private long lastLogged;

  LogGate(TransactionBook book, ActiveReplicas members, long lastLogged) {
    this.book = book;
    this.members = members;
    this.lastLogged = lastLogged;
  }

  /** The number of records that have been given to the log. */
  long lastLogged() {
    return lastLogged;
  }

  /** Lets a transaction pass, now or when the replicas have settled. */
  void pass(WriteTransaction transaction) {
    held.add(transaction);
    open();
  }

  /** Takes back the number of a record that the log has not taken: those behind it move up. */
  void takeBack(WriteTransaction refused) {
    for (WriteTransaction other : book.all()) {
      if (other.phase == Phase.LOGGING && other.record > refused.record) {
        other.record--;
      }
    }
    refused.record = 0;
    lastLogged--;
  }

  /** Lets those pass that were held, unless the replicas have not settled. */
  void open() {
    while (!held.isEmpty() && !members.isSettling()) {
      WriteTransaction transaction = held.remove();
      if (transaction.phase == Phase.HELD) {
        transaction.phase = Phase.LOGGING;
        transaction.record = ++lastLogged;
        book.effect(new ClusterEffect.Append(transaction.id, transaction.position));
      }
    }
  }
}
