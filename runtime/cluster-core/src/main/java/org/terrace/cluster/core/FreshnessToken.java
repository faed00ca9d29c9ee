package org.terrace.cluster.core;

/**
 * The least that a session may read: what it wrote, and what it saw. Immutable.
 *
 * @param decided the record of the log up to which commits may have been seen; 0: none
 * @param replica a replica that has all of them, whatever else it lacks; {@link #ANYWHERE}: none is
 *     known
 */
public record FreshnessToken(long decided, int replica) {
  /** No replica in particular. */
  public static final int ANYWHERE = -1;

  /** A session that has seen nothing. */
  public static final FreshnessToken NONE = new FreshnessToken(0, ANYWHERE);

  /** Whether a replica has all that the session has seen. */
  public boolean allows(int candidate, CommitProgress progress) {
    return candidate == replica || progress.firstLacking(candidate) > decided;
  }

  /**
   * The token after a read at a replica that it allowed.
   *
   * @param after how far the replicas were when the read was over
   */
  public FreshnessToken afterRead(int at, CommitProgress after) {
    return new FreshnessToken(Math.max(decided, after.newest(at)), at);
  }

  /**
   * The token after a commit that a replica was the first to do.
   *
   * @param commit the number of the commit's record; 0: all active replicas have done it
   * @param after how far the replicas were when the client was told
   */
  public FreshnessToken afterCommit(long commit, int first, CommitProgress after) {
    return commit == 0
        ? this
        : new FreshnessToken(Math.max(decided, commit), allows(first, after) ? first : ANYWHERE);
  }

  /**
   * The token of who was told by another session what that has seen.
   *
   * @param theirs that session's number of a record
   */
  public FreshnessToken afterOther(long theirs) {
    return theirs <= decided ? this : new FreshnessToken(theirs, ANYWHERE);
  }

  /** The token of who was told of everything that is decided, such as by a lock with a name. */
  public FreshnessToken afterAll(CommitProgress progress) {
    return new FreshnessToken(Math.max(decided, progress.decided()), ANYWHERE);
  }
}
