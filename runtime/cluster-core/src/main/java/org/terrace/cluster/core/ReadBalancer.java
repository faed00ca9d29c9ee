package org.terrace.cluster.core;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The choice of the replica that answers a read. Thread-safe and without locks; a choice costs the
 * number of replicas.
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
  private final AtomicIntegerArray pending;
  private final AtomicLong turn = new AtomicLong();

  /** A balancer over replicas with these weights, each at least 1. */
  public ReadBalancer(Policy policy, List<Integer> weights) {
    this.policy = policy;
    this.weights = List.copyOf(weights);
    this.pending = new AtomicIntegerArray(weights.size());
  }

  /** Chooses among the candidates, of which there must be one, and counts the read as under way. */
  public int choose(List<Integer> candidates) {
    int first = (int) Math.floorMod(turn.getAndIncrement(), (long) candidates.size());
    int best = candidates.get(first);
    if (policy != Policy.ROUND_ROBIN) {
      for (int i = 1; i < candidates.size(); i++) {
        int candidate = candidates.get((first + i) % candidates.size());
        if (isBetter(candidate, best)) {
          best = candidate;
        }
      }
    }
    pending.incrementAndGet(best);
    return best;
  }

  /** Notes that a read is over. */
  public void done(int replica) {
    pending.decrementAndGet(replica);
  }

  /** The number of reads that are under way at a replica. */
  public int pending(int replica) {
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
