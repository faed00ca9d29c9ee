package org.terrace.core;

/**
 * The one name of a request, given by the client that made it: the client, and the number of the
 * request among the client's.
 *
 * <p>The same identity is the key of a retained reply, annotates the soft state that the request
 * changed, is the request-retention identity on CORBA, and is the ground truth that tracing is
 * scored against. A request that is sent again keeps its identity. Immutable and thread-safe.
 *
 * @param client the client, a number drawn at random once for each incarnation of a client
 * @param sequence the request's place among the requests of its client, from 1
 */
public record RequestIdentity(long client, long sequence) {
  /** The number of places that a client has. */
  public static final int PLACES = 4_096;

  /** Refuses a sequence below one. */
  public RequestIdentity {
    if (sequence < 1) {
      throw new IllegalArgumentException("A sequence begins at 1, not at " + sequence + ".");
    }
  }

  /**
   * The request's place, 0 to {@link #PLACES} - 1: soft state remembers the last request at each
   * place of a client, so a client keeps a request's place free until it is over.
   */
  public int place() {
    return (int) (sequence % PLACES);
  }

  /** The form in logs and tables: the client in hexadecimal, a slash, the sequence. */
  @Override
  public String toString() {
    return Long.toHexString(client) + "/" + sequence;
  }
}
