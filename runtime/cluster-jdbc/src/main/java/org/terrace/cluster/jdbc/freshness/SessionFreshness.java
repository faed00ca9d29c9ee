package org.terrace.cluster.jdbc.freshness;

import java.sql.SQLException;
import java.time.Duration;
import org.terrace.cluster.core.FreshnessToken;

/**
 * The memory of one session of what it wrote and saw, so that it never reads at a replica that
 * lacks some of it. Confined to one thread at a time.
 */
public final class SessionFreshness {
  private final FreshReplicas replicas;
  private final Duration longest;
  private FreshnessToken token = FreshnessToken.NONE;

  /**
   * A session that has seen nothing.
   *
   * @param longest how long it waits for a replica
   */
  public SessionFreshness(FreshReplicas replicas, Duration longest) {
    this.replicas = replicas;
    this.longest = longest;
  }

  /** The least that it may read. */
  public FreshnessToken token() {
    return token;
  }

  /**
   * Waits until a replica has what the session has seen, or is lost.
   *
   * @throws SQLException when that takes too long
   */
  public void await(int replica) throws SQLException {
    replicas.await(replica, token, longest);
  }

  /** Notes that a read at a replica is over. */
  public void read(int replica) {
    token = token.afterRead(replica, replicas.progress());
  }

  /**
   * Notes that a commit was answered.
   *
   * @param commit the number of its record; 0: all have done it
   * @param first a replica that has done it
   */
  public void committed(long commit, int first) {
    token = token.afterCommit(commit, first, replicas.progress());
  }

  /** Notes that it was told what another session has seen, by that one's number of a record. */
  public void seenByOther(long decided) {
    token = token.afterOther(decided);
  }

  /** Notes that others told it that they have committed, as it got a lock of theirs. */
  public void toldOfAll() {
    token = token.afterAll(replicas.progress());
  }
}
