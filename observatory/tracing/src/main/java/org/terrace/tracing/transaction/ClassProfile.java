package org.terrace.tracing.transaction;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;

/**
 * The transactions that begin with one class of requests. Times are in microseconds. Immutable.
 *
 * @param servers the servers at which they begin
 * @param requestClass the class of their first request
 * @param count how many there were
 * @param complete those of them to which no call without a parent could belong
 * @param completeMicros the mean time of complete ones; zero if there are none
 * @param failed those that reported an error or got no complete answer
 * @param times the time of the first requests that ended
 * @param timeShare their part of the time of all transactions, 0 to 1
 * @param tiers where the time of complete ones went, the greatest part first
 * @param calls the calls of complete ones as a tree in the order of a walk
 * @param callsLeftOut nodes of the tree that are left out
 * @param examples chosen transactions
 */
public record ClassProfile(
    List<String> servers,
    String requestClass,
    long count,
    long complete,
    double completeMicros,
    long failed,
    Times times,
    double timeShare,
    List<TierTime> tiers,
    List<Call> calls,
    int callsLeftOut,
    List<Example> examples) {

  /** Copies the lists. */
  public ClassProfile {
    servers = List.copyOf(servers);
    tiers = List.copyOf(tiers);
    calls = List.copyOf(calls);
    examples = List.copyOf(examples);
  }

  /** A distribution of times, in microseconds, exact. */
  public record Times(double mean, double p50, double p99, double p999, double max) {}

  /**
   * The time in which transactions waited for one tier.
   *
   * @param tier the tier, or the server where no tier is known
   * @param micros the mean a transaction
   * @param low the lower end of its 95 % interval; null for too few transactions
   * @param high its upper end
   * @param share its part of the mean time of a transaction, 0 to 1
   */
  public record TierTime(
      String tier, double micros, @Nullable Double low, @Nullable Double high, double share) {}

  /**
   * A node of the aggregated call tree.
   *
   * @param parent the place of the calling node in the list; -1 for the first request
   * @param servers the servers that were called
   * @param requestClass the class of the calls; empty for what is gathered as other calls
   * @param calls how many there were
   * @param callsPerTransaction how many a transaction
   * @param presence the part of transactions that had any, 0 to 1
   * @param residenceMicros the mean time of a call
   * @param selfMicros the mean time a transaction in which no call of such a call was open
   * @param criticalShare the part of the transactions' time in which they waited for it, 0 to 1
   */
  public record Call(
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
    public Call {
      servers = List.copyOf(servers);
    }
  }

  /** The reason for which a transaction was chosen. */
  public enum Choice {
    /** The slowest of those with a known call; the slowest of all where none has one. */
    SLOWEST,
    /** The slowest complete one, where the slowest is not complete. */
    SLOWEST_COMPLETE,
    /** A complete one of median length; of all where none is complete. */
    TYPICAL,
    /** The longest that failed. */
    FAILED
  }

  /**
   * One transaction.
   *
   * @param choice why it was chosen
   * @param startNanos its begin, in nanoseconds since the Unix epoch
   * @param micros its length
   * @param outcome how its first request ended
   * @param complete whether no call without a parent could belong to it
   * @param firstFrame its first packet; null where packets have no numbers
   * @param lastFrame its last packet
   * @param displayFilter the filter with which Wireshark shows its packets; null where packets have
   *     no numbers
   * @param spansLeftOut requests that are left out, the shortest
   * @param spans its requests in the order of a walk
   */
  public record Example(
      Choice choice,
      long startNanos,
      double micros,
      Outcome outcome,
      boolean complete,
      @Nullable Long firstFrame,
      @Nullable Long lastFrame,
      @Nullable String displayFilter,
      int spansLeftOut,
      List<ExampleSpan> spans) {

    /** Copies the list. */
    public Example {
      spans = List.copyOf(spans);
    }
  }

  /**
   * A request of an example.
   *
   * @param parent the place of its caller in the list; -1 for the first request
   * @param server the server that answered it
   * @param requestClass its class
   * @param startMicros its arrival after the begin of the transaction
   * @param micros its time between arrival and departure
   * @param selfMicros the part of that in which none of its own calls was open
   * @param criticalMicros the part of that in which the transaction waited for it
   * @param confidence the probability that its place is right, 0 to 1
   * @param source what tells its place
   * @param outcome how it ended
   * @param firstFrame its first packet; null where packets have no numbers
   * @param lastFrame the last packet of its answer
   */
  public record ExampleSpan(
      int parent,
      String server,
      String requestClass,
      double startMicros,
      double micros,
      double selfMicros,
      double criticalMicros,
      double confidence,
      String source,
      Outcome outcome,
      @Nullable Long firstFrame,
      @Nullable Long lastFrame) {}
}
