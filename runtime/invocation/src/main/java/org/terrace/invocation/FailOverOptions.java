package org.terrace.invocation;

/**
 * Which of six improvements of fail-over are on: each a switch of its own, so that a study can show
 * what each is worth. With none, a client asks the naming service for the primary; if the primary
 * it names does not work twice, it waits five seconds and asks again; and the server opens a
 * database connection for each client's session when it restores it.
 *
 * <p>Source: Lawrance, Aggarwal, Jamal, Kim, Sinha, "Latency analysis" of Park'n Park (Carnegie
 * Mellon University, 2006), whose order this is.
 *
 * @param promptNotice 1: a waiting client is told of a new primary at once
 * @param otherReplicas 2: the client itself turns to another replica of the reference
 * @param warmConnections 3: connections to all replicas are opened, warmed and checked beforehand,
 *     and references refreshed in the background
 * @param databasePool 4: the server keeps a pool of database connections
 * @param loadBalancing 5: clients and their reads are spread over the replicas
 * @param trustedIdentity 6: the server believes a restored client's identity without asking the
 *     database
 */
public record FailOverOptions(
    boolean promptNotice,
    boolean otherReplicas,
    boolean warmConnections,
    boolean databasePool,
    boolean loadBalancing,
    boolean trustedIdentity) {
  /** How many improvements there are. */
  public static final int IMPROVEMENTS = 6;

  /** None of the improvements. */
  public static FailOverOptions baseline() {
    return through(0);
  }

  /** All of the improvements. */
  public static FailOverOptions all() {
    return through(IMPROVEMENTS);
  }

  /** The first so many improvements, 0 to 6. */
  public static FailOverOptions through(int improvements) {
    if (improvements < 0 || improvements > IMPROVEMENTS) {
      throw new IllegalArgumentException(
          "There are 0 to " + IMPROVEMENTS + " improvements, not " + improvements + ".");
    }
    return new FailOverOptions(
        improvements >= 1,
        improvements >= 2,
        improvements >= 3,
        improvements >= 4,
        improvements >= 5,
        improvements >= 6);
  }
}
