package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The choice of the replica that answers a read. Thread-safe; a choice costs the number of
 * replicas.
 */
public final class ReadBalancer {
  /** The ways to choose. */
  public enum Policy {
    /** The one with the fewest reads under way; among equals, in turn. */
    LEAST_PENDING,
    /** Each in turn. */
    ROUND_ROBIN,
    /** The one with the fewest reads under way for its weight; among equals, in turn. */
    WEIGHTED
  }

  private final Policy policy;
  private final List<Integer> weights;
  private final List<Integer> pending;
  private long turn;

  /** A balancer over replicas with these weights, each at least 1. */
  public ReadBalancer(Policy policy, List<Integer> weights) {
    this.policy = policy;
    this.weights = new ArrayList<>(weights);
    this.pending = new ArrayList<>(Collections.nCopies(weights.size(), 0));
  }

  /** Adds a replica, whose number is the next one. */
  public synchronized void add(int weight) {
    weights.add(weight);
    pending.add(0);
  }

  /** Chooses among the candidates, of which there must be one, and counts the read as under way. */
  public synchronized int choose(List<Integer> candidates) {
    int first = (int) Math.floorMod(turn++, (long) candidates.size());
    int best = candidates.get(first);
    if (policy != Policy.ROUND_ROBIN) {
      for (int i = 1; i < candidates.size(); i++) {
        int candidate = candidates.get((first + i) % candidates.size());
        if (isBetter(candidate, best)) {
          best = candidate;
        }
      }
    }
    pending.set(best, pending.get(best) + 1);
    return best;
  }

  /** Notes that a read is over. */
  public synchronized void done(int replica) {
    pending.set(replica, pending.get(replica) - 1);
  }

  /** The number of reads that are under way at a replica. */
  public synchronized int pending(int replica) {
    return pending.get(replica);
  }

  private boolean isBetter(int candidate, int best) {
    if (policy == Policy.LEAST_PENDING) {
      return pending.get(candidate) < pending.get(best);
    }
    long candidateLoad = (pending.get(candidate) + 1L) * weights.get(best);
    return candidateLoad < (pending.get(best) + 1L) * weights.get(candidate);
  }
}
