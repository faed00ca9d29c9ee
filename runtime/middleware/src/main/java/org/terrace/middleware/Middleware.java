package org.terrace.middleware;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A way to carry calls from a client to a replica: the default transport, CORBA, EJB, gRPC.
 *
 * <p>Found by {@link java.util.ServiceLoader} under its {@link #name()}. It carries frames and
 * knows nothing of identities, retained replies or fail-over, which are the same over all of them.
 * Thread-safe.
 */
public interface Middleware {

  /** The name in a {@link Endpoint}, for example {@code terrace}. */
  String name();

  /**
   * Listens for calls.
   *
   * @param address where; port 0 lets the system choose
   * @throws IOException if the address is taken or the middleware cannot start
   */
  Listener listen(InetSocketAddress address, CallHandler handler) throws IOException;

  /**
   * Opens a channel to a replica.
   *
   * @throws IOException if there was no connection within the timeout; no call was sent
   */
  CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException;

  /**
   * Sees whether a replica accepts connections and answers, by a connection that is closed again.
   *
   * @throws IOException if it did not accept one in that time
   * @throws CallFailedException if it did not answer in that time
   */
  default void check(Endpoint endpoint, Duration timeout) throws IOException, CallFailedException {
    try (CallChannel channel = connect(endpoint, timeout)) {
      channel.check(timeout);
    }
  }

  /** Whether what it carries is encrypted on its way. */
  default boolean isEncrypted() {
    return false;
  }

  /** The largest body of a reply that can be carried, in bytes. */
  default int replyBytesMax() {
    return Integer.MAX_VALUE;
  }
}
