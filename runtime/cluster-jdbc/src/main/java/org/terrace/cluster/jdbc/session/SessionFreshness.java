package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import org.terrace.cluster.core.FreshnessToken;

/**
 * The memory of one session of what it wrote and saw, so that it never reads at a replica that
 * lacks some of it. Confined to one thread at a time.
 */
final class SessionFreshness {
  private final DatabaseCluster cluster;
  private FreshnessToken token = FreshnessToken.NONE;

  SessionFreshness(DatabaseCluster cluster) {
    this.cluster = cluster;
  }

  /** Chooses a replica for a read, which is counted as under way there. */
  int choose() throws SQLException {
    return cluster.chooseForRead(token);
  }

  /** Waits until a replica has what the session has seen, or is lost. */
  void await(int replica) throws SQLException {
    cluster.fresh().await(replica, token, cluster.configuration().lockWait());
  }

  /** A read at a replica is over. */
  void read(int replica) {
    token = token.afterRead(replica, cluster.fresh().progress());
  }

  /** A commit was answered, with the number of its record, as a replica was the first to do it. */
  void committed(long commit, int first) {
    token = token.afterCommit(commit, first, cluster.fresh().progress());
  }

  /** The session was told by others that they have committed, as it got a lock of theirs. */
  void toldOfAll() {
    token = token.afterAll(cluster.fresh().progress());
  }
}
