package org.terrace.cluster.core;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The transactions that are decided and not done yet at each active replica. */
final class DecidedCommits {
  private static final class AtReplica {
    /** The records of decided transactions that it has not done. */
    private final NavigableSet<Long> lacking = new TreeSet<>();

    /** The transactions whose clients have their last answer, and that it is still at work on. */
    private final Set<Long> behind = new HashSet<>();

    private long newest;

    AtReplica(long newest) {
      this.newest = newest;
    }
  }

  private final Map<Integer, AtReplica> replicas = new TreeMap<>();
  private long decided;
  private @Nullable CommitProgress latest;

  DecidedCommits(List<Integer> active, long lastLogged) {
    this.decided = lastLogged;
    active.forEach(replica -> replicas.put(replica, new AtReplica(lastLogged)));
  }

  /** A transaction's record is in the log. */
  void decided(WriteTransaction transaction) {
    decided = Math.max(decided, transaction.record);
    latest = null;
    for (int replica : transaction.branches.keySet()) {
      AtReplica at = replicas.get(replica);
      if (at != null) {
        at.lacking.add(transaction.record);
      }
    }
  }

  /** Whether a replica has yet to do a decided transaction with a record up to a number. */
  boolean lacks(int replica, long upTo) {
    AtReplica at = replicas.get(replica);
    return at != null && !at.lacking.isEmpty() && at.lacking.getFirst() <= upTo;
  }

  /** A replica is about to commit a decided transaction. */
  void committing(int replica, long commit) {
    AtReplica at = replicas.get(replica);
    if (at != null && commit > at.newest) {
      at.newest = commit;
      latest = null;
    }
  }

  /** A transaction is at its end at a replica. */
  void done(int replica, WriteTransaction transaction) {
    AtReplica at = replicas.get(replica);
    if (at != null) {
      at.behind.remove(transaction.id);
      if (at.lacking.remove(transaction.record)) {
        latest = null;
      }
    }
  }

  /** A transaction's client has its last answer. */
  void answered(WriteTransaction transaction) {
    transaction.branches.forEach((replica, branch) -> {
      AtReplica at = replicas.get(replica);
      if (at != null && !branch.finished) {
        at.behind.add(transaction.id);
      }
    });
  }

  /** The number of transactions a replica is at work on whose clients have their last answer. */
  int behind(int replica) {
    AtReplica at = replicas.get(replica);
    return at == null ? 0 : at.behind.size();
  }

  void removed(int replica) {
    replicas.remove(replica);
    latest = null;
  }

  /** A replica has done all that the log has. */
  void added(int replica, long lastLogged) {
    replicas.put(replica, new AtReplica(Math.max(lastLogged, decided)));
    latest = null;
  }

  CommitProgress progress() {
    CommitProgress known = latest;
    if (known == null) {
      Map<Integer, CommitProgress.AtReplica> all = new HashMap<>();
      replicas.forEach((replica, at) ->
          all.put(
              replica,
              new CommitProgress.AtReplica(
                  at.lacking.isEmpty() ? Long.MAX_VALUE : at.lacking.getFirst(), at.newest)));
      known = new CommitProgress(decided, all);
      latest = known;
    }
    return known;
  }
}
