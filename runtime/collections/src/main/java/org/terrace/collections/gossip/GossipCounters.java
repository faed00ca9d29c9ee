package org.terrace.collections.gossip;

/**
 * Counts of what anti-entropy has done so far. Changed by the holder of the replica's lock alone.
 */
public final class GossipCounters {
  long rounds;
  long postponed;
  long dropped;
  long resent;
  long silentDivergences;

  /**
   * The counts at one moment. Immutable.
   *
   * @param rounds rounds begun
   * @param postponed messages that had to wait for a later round
   * @param dropped messages that waited and were dropped, since too many did
   * @param resent updates sent again
   * @param silentDivergences times that replicas with the same updates differed
   */
  public record Counts(
      long rounds, long postponed, long dropped, long resent, long silentDivergences) {}

  Counts now() {
    return new Counts(rounds, postponed, dropped, resent, silentDivergences);
  }
}
