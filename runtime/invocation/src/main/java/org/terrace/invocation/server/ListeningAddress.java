package org.terrace.invocation.server;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.terrace.core.ErrorCode;
import org.terrace.core.HostLookup;
import org.terrace.core.TerraceException;

/** The address at which a replica listens, which is the one that others are told to connect to. */
final class ListeningAddress {
  private ListeningAddress() {}

  /** Made at the first message alone. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(ListeningAddress.class.getName());
  }

  /**
   * Sees that others can connect to it, and that what they say there is as safe as what the
   * managers say. Where neither is safe, a warning says so.
   *
   * @throws TerraceException if not
   */
  static void check(ServerOptions options) {
    InetSocketAddress address = HostLookup.first(options.address());
    InetAddress host = address.getAddress();
    if (host == null) {
      return; // Listening fails, and says so.
    }
    if (host.isAnyLocalAddress()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "Replica %s cannot listen at %s, which is no address that clients can be told to connect to: give one address or name of this machine with ServerOptions.withAddress."
              .formatted(options.replica(), address));
    }
    if (host.isLoopbackAddress() || options.middleware().isEncrypted()) {
      return;
    }
    if (options.controlSecret().isSet()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "Replica %s will not take calls at %s in the clear, while its managers are talked to with a secret: give a middleware that encrypts, such as new TerraceMiddleware(TransportOptions.defaults().withTls(...)), with ServerOptions.withMiddleware."
              .formatted(options.replica(), address));
    }
    Log.LOG.log(
        Level.WARNING,
        "Replica %s takes calls at %s in the clear, from whoever reaches that address: give a middleware that encrypts with ServerOptions.withMiddleware, or an address of loopback."
            .formatted(options.replica(), address));
  }
}
