package org.terrace.invocation;

/**
 * The parts of fail-over, each of which can be turned off to see its worth. With none, a client
 * asks the naming service for the primary; if the primary it names does not work twice, it waits
 * five seconds and asks again; and the server opens a database connection for each client's session
 * when it restores it. Immutable.
 *
 * <p>Source: Lawrance, Aggarwal, Jamal, Kim, Sinha, "Latency analysis" of Park'n Park (Carnegie
 * Mellon University, 2006), whose six improvements these are, in its order.
 *
 * @param promptNotice a waiting client is told of a new primary at once
 * @param otherReplicas the client itself turns to another replica of the reference
 * @param warmConnections connections to all replicas are opened, warmed and checked beforehand, and
 *     references refreshed in the background
 * @param databasePool the server keeps a pool of database connections
 * @param loadBalancing clients and their reads are spread over the replicas
 * @param trustedIdentity the server believes a restored client's identity without asking the
 *     database
 */
public record FailOverOptions(
    boolean promptNotice,
    boolean otherReplicas,
    boolean warmConnections,
    boolean databasePool,
    boolean loadBalancing,
    boolean trustedIdentity) {

  /** All parts off. */
  public static FailOverOptions none() {
    return new FailOverOptions(false, false, false, false, false, false);
  }

  /** All parts on. */
  public static FailOverOptions all() {
    return new FailOverOptions(true, true, true, true, true, true);
  }

  /** These options with prompt notice on or off. */
  public FailOverOptions withPromptNotice(boolean on) {
    return new FailOverOptions(
        on, otherReplicas, warmConnections, databasePool, loadBalancing, trustedIdentity);
  }

  /** These options with the client's own choice of other replicas on or off. */
  public FailOverOptions withOtherReplicas(boolean on) {
    return new FailOverOptions(
        promptNotice, on, warmConnections, databasePool, loadBalancing, trustedIdentity);
  }

  /** These options with warm connections on or off. */
  public FailOverOptions withWarmConnections(boolean on) {
    return new FailOverOptions(
        promptNotice, otherReplicas, on, databasePool, loadBalancing, trustedIdentity);
  }

  /** These options with a pool of database connections on or off. */
  public FailOverOptions withDatabasePool(boolean on) {
    return new FailOverOptions(
        promptNotice, otherReplicas, warmConnections, on, loadBalancing, trustedIdentity);
  }

  /** These options with load balancing on or off. */
  public FailOverOptions withLoadBalancing(boolean on) {
    return new FailOverOptions(
        promptNotice, otherReplicas, warmConnections, databasePool, on, trustedIdentity);
  }

  /** These options with trusted identities on or off. */
  public FailOverOptions withTrustedIdentity(boolean on) {
    return new FailOverOptions(
        promptNotice, otherReplicas, warmConnections, databasePool, loadBalancing, on);
  }
}
