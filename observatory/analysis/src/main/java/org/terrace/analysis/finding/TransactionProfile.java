package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that begin with one class of requests in the analysed stretch: how long they
 * take, where their time goes, what they call, and examples. Immutable.
 *
 * @param servers the servers at which they begin
 * @param requestClass the class of their first request
 * @param count how many there were
 * @param complete those of them to which no call without a parent could belong
 * @param completeMicros the mean time of complete ones, in microseconds; zero if there are none
 * @param failed those that reported an error or got no complete answer
 * @param latencyMicros the time of the first request of those that ended, in microseconds
 * @param timeShare their part of the time of all transactions, 0 to 1
 * @param tiers where the time of complete ones went: it adds up to their mean
 * @param calls the calls of complete ones as a tree in the order of a walk, the first request first
 * @param callsLeftOut nodes of that tree that are left out, those with the least time
 * @param examples chosen transactions
 */
public record TransactionProfile(
    List<String> servers,
    String requestClass,
    long count,
    long complete,
    double completeMicros,
    long failed,
    Findings.Latency latencyMicros,
    double timeShare,
    List<TierTime> tiers,
    List<CallNode> calls,
    long callsLeftOut,
    List<TransactionExample> examples) {

  /** Copies the lists. */
  public TransactionProfile {
    servers = List.copyOf(servers);
    tiers = List.copyOf(tiers);
    calls = List.copyOf(calls);
    examples = List.copyOf(examples);
  }

  /**
   * The time in which transactions waited for one tier: the stretches of their critical paths.
   *
   * @param tier the tier, or the server where no tier is known
   * @param micros the mean a transaction, in microseconds
   * @param low the lower end of its 95 % interval by batch means; null for too few transactions
   * @param high its upper end
   * @param share its part of the mean time of a transaction, 0 to 1
   */
  public record TierTime(
      String tier, double micros, @Nullable Double low, @Nullable Double high, double share) {}

  /**
   * A node of the aggregated call tree: the calls of one class that requests of the same class
   * made, which had been called in the same way.
   *
   * @param parent the place of the node that calls, in the list; -1 for the first request
   * @param servers the servers that were called, replicas of one tier together
   * @param requestClass the class of the calls; empty for what is gathered as other calls
   * @param calls how many there were
   * @param callsPerTransaction how many a transaction
   * @param presence the part of transactions that had any, 0 to 1
   * @param residenceMicros the mean time of a call, in microseconds
   * @param selfMicros the mean time a transaction in which such a call had no call of its own open
   * @param criticalShare the part of the transactions' time in which they waited for it, 0 to 1
   */
  public record CallNode(
      int parent,
      List<String> servers,
      String requestClass,
      long calls,
      double callsPerTransaction,
      double presence,
      double residenceMicros,
      double selfMicros,
      double criticalShare) {

    /** Copies the list. */
    public CallNode {
      servers = List.copyOf(servers);
    }
  }
}
