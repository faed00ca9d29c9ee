package org.terrace.testing.tiers;

/**
 * The shape of a service and of the traffic on it. Immutable.
 *
 * @param clients the clients, each of which waits for its answer and thinks before it asks again
 * @param requests the requests of all clients together
 * @param thinkMicros the mean of their thinking, of an exponential distribution
 * @param pool the use of connections
 * @param kinds whether requests have kinds that tell who calls whom: pages, parts, statements
 * @param gaps the distribution of work
 * @param single whether a request makes one call at most, and everything passes one processor
 * @param parallel the share of the application's requests that call three times at once
 * @param cached the share of the application's requests that are answered from its memory
 * @param handedOver the share of them that start a call which outlives them: nobody waits for it
 * @param lost the share of all requests that the observer did not see
 * @param background the share of calls that no request caused
 * @param identified the share of transactions whose bytes name them at every server
 * @param valued whether the number of what a client asks for stands in its request, in those of the
 *     application and in the statements for it; other calls carry numbers of their own
 * @param offsetNanos how far the clock of the database is ahead of the others
 */
public record TrafficShape(
    int clients,
    int requests,
    double thinkMicros,
    Pool pool,
    boolean kinds,
    GapDistribution gaps,
    boolean single,
    double parallel,
    double cached,
    double handedOver,
    double lost,
    double background,
    double identified,
    boolean valued,
    long offsetNanos) {

  /** The use of connections. */
  public enum Pool {
    /** A call takes any free connection. */
    EACH_CALL,
    /** A request keeps its connection from its first call to its end. */
    EACH_REQUEST
  }

  /** Traffic of 3,000 requests without kinds, without losses, with bimodal work. */
  public static TrafficShape of(int clients, Pool pool) {
    return new TrafficShape(
        clients,
        3_000,
        400,
        pool,
        false,
        GapDistribution.BIMODAL,
        false,
        0,
        0,
        0,
        0,
        0,
        0,
        false,
        0);
  }

  /** The same with kinds. */
  public TrafficShape withKinds() {
    return copy(requests, thinkMicros, true, gaps, single);
  }

  /** The same with so many requests. */
  public TrafficShape withRequests(int count) {
    return copy(count, thinkMicros, kinds, gaps, single);
  }

  /** The same with another mean of thinking. */
  public TrafficShape withThinking(double micros) {
    return copy(requests, micros, kinds, gaps, single);
  }

  /** The same with another distribution of work. */
  public TrafficShape withGaps(GapDistribution other) {
    return copy(requests, thinkMicros, kinds, other, single);
  }

  /** The same with one call for each request, in the order in which the requests came. */
  public TrafficShape inOrder() {
    return copy(requests, thinkMicros, kinds, GapDistribution.CONSTANT, true);
  }

  private TrafficShape copy(
      int count, double micros, boolean withKinds, GapDistribution work, boolean ordered) {
    return new TrafficShape(
        clients,
        count,
        micros,
        pool,
        withKinds,
        work,
        ordered,
        parallel,
        cached,
        handedOver,
        lost,
        background,
        identified,
        valued,
        offsetNanos);
  }

  /** The same with shares of parallel calls, of answers from memory, and of calls handed over. */
  public TrafficShape withCalls(double inParallel, double fromMemory, double outliving) {
    return new TrafficShape(
        clients,
        requests,
        thinkMicros,
        pool,
        kinds,
        gaps,
        single,
        inParallel,
        fromMemory,
        outliving,
        lost,
        background,
        identified,
        valued,
        offsetNanos);
  }

  /** The same with a share of requests lost, and of calls that no request caused. */
  public TrafficShape withLoss(double share, double own) {
    return new TrafficShape(
        clients,
        requests,
        thinkMicros,
        pool,
        kinds,
        gaps,
        single,
        parallel,
        cached,
        handedOver,
        share,
        own,
        identified,
        valued,
        offsetNanos);
  }

  /** The same with a share of transactions that are named, and a clock that is ahead. */
  public TrafficShape withIdentifiers(double share, long aheadNanos) {
    return new TrafficShape(
        clients,
        requests,
        thinkMicros,
        pool,
        kinds,
        gaps,
        single,
        parallel,
        cached,
        handedOver,
        lost,
        background,
        share,
        valued,
        aheadNanos);
  }

  /** The same with the numbers of what clients ask for in the bytes. */
  public TrafficShape withValues() {
    return new TrafficShape(
        clients,
        requests,
        thinkMicros,
        pool,
        kinds,
        gaps,
        single,
        parallel,
        cached,
        handedOver,
        lost,
        background,
        identified,
        true,
        offsetNanos);
  }
}
