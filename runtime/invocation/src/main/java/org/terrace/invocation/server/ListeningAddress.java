package org.terrace.invocation.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.terrace.core.ErrorCode;
import org.terrace.core.HostLookup;
import org.terrace.core.TerraceException;

/** The address at which a replica listens, which is the one that others are told to connect to. */
final class ListeningAddress {
  private ListeningAddress() {}

  /**
   * Sees that others can connect to it, and that what they say there is as safe as what the
   * managers say.
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
    if (!host.isLoopbackAddress()
        && options.controlSecret().isSet()
        && !options.middleware().isEncrypted()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "Replica %s will not take calls at %s in the clear, while its managers are talked to with a secret: give a middleware that encrypts, such as new TerraceMiddleware(TransportOptions.defaults().withTls(...)), with ServerOptions.withMiddleware."
              .formatted(options.replica(), address));
    }
  }
}
