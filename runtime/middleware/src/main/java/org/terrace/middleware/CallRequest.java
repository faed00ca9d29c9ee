package org.terrace.middleware;

import java.util.Objects;
import org.terrace.core.RequestIdentity;

/**
 * A call on its way: what every middleware carries.
 *
 * @param kind who answers it: the service, or the server itself
 * @param service the service's name
 * @param method the method's name and signature, as the service's interface registers it; empty
 *     unless the kind is {@link Kind#SERVICE}
 * @param identity the client, and the number of its request
 * @param firstIncomplete the lowest sequence the client may still send again: replies retained for
 *     lower ones can go (Lee et al., "Implementing linearizability at large scale and low latency",
 *     2015, section 3); {@link #NONE_ACKNOWLEDGED} for a call under a key of its caller's
 * @param remainingNanos the time its caller still waits when it is sent, in nanoseconds
 * @param replyWanted whether this replica's reply is waited for
 * @param arguments the encoded arguments
 */
public record CallRequest(
    Kind kind,
    String service,
    String method,
    RequestIdentity identity,
    long firstIncomplete,
    long remainingNanos,
    boolean replyWanted,
    byte[] arguments) {

  /** The lowest sequence of who never acknowledges a reply: whoever has the key may ask again. */
  public static final long NONE_ACKNOWLEDGED = 0;

  private static final byte[] NO_BYTES = {};

  /** The party that answers a call. */
  public enum Kind {
    /** The service, by a method of its own. */
    SERVICE,
    /** The server, which creates or restores the session of the client. */
    RESTORE_SESSION,
    /** The server, which says how the service's replica is: one byte, 1 if it misses updates. */
    PROBE_HEALTH,
    /**
     * The server, which takes the whole way of a call of the service without its methods and
     * without effects; the sequence chooses the method whose codecs are used.
     */
    WARM_UP,
    /** The server, which lets every service of its own know that the client is there. */
    RENEW_LEASE,
    /**
     * The service, which gives the reply that it retains for a call under a key, or withdraws the
     * key if there is none; it runs none.
     */
    RETAINED
  }

  /** A call of a service's method. */
  public CallRequest(
      String service,
      String method,
      RequestIdentity identity,
      long firstIncomplete,
      long remainingNanos,
      boolean replyWanted,
      byte[] arguments) {
    this(
        Kind.SERVICE,
        service,
        method,
        identity,
        firstIncomplete,
        remainingNanos,
        replyWanted,
        arguments);
  }

  /** A call that the server answers itself, about a service; empty for all of them. */
  public static CallRequest control(
      Kind kind, String service, RequestIdentity identity, long remainingNanos) {
    return new CallRequest(
        kind, service, "", identity, identity.sequence(), remainingNanos, true, NO_BYTES);
  }

  /** Whether its caller gave it a key. */
  public boolean isKeyed() {
    return firstIncomplete == NONE_ACKNOWLEDGED;
  }

  /** The same with another time that its caller still waits. */
  public CallRequest withRemaining(long newRemainingNanos) {
    return new CallRequest(
        kind,
        service,
        method,
        identity,
        firstIncomplete,
        newRemainingNanos,
        replyWanted,
        arguments);
  }

  /** Refuses absent parts. */
  public CallRequest {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(service);
    Objects.requireNonNull(method);
    Objects.requireNonNull(identity);
    Objects.requireNonNull(arguments);
  }
}
