package org.terrace.cluster.core;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The progress of each active replica with the transactions that are decided, by the numbers of
 * their records in the log. Immutable.
 *
 * @param decided the last that may be visible anywhere
 * @param replicas each active replica's own
 */
public record CommitProgress(long decided, Map<Integer, AtReplica> replicas) {
  /**
   * The state of one replica.
   *
   * @param firstLacking the first decided transaction that it has not done; {@link Long#MAX_VALUE}:
   *     it has all
   * @param newest the last that may be visible there
   */
  public record AtReplica(long firstLacking, long newest) {}

  private static final AtReplica UNKNOWN = new AtReplica(1, 0);

  /** Copies the map. */
  public CommitProgress {
    replicas = Collections.unmodifiableMap(new TreeMap<>(replicas));
  }

  /** The first decided transaction that a replica has not done; 1 when it is not active. */
  public long firstLacking(int replica) {
    return replicas.getOrDefault(replica, UNKNOWN).firstLacking();
  }

  /** The last decided transaction that may be visible at a replica. */
  long newest(int replica) {
    AtReplica at = replicas.get(replica);
    return at == null ? decided : at.newest();
  }

  /** Whether every replica has done all that is decided. */
  public boolean isEven() {
    return replicas.values().stream().allMatch(at -> at.firstLacking() == Long.MAX_VALUE);
  }
}
