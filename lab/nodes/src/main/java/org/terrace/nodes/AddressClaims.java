package org.terrace.nodes;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The claims of one run to addresses of this network, of which another run's packets would be taken
 * for its own. A claim is a socket that is bound to one port of the address and never listens: the
 * kernel gives it to one process at a time, whoever its user is, and takes it back at the process's
 * end. Thread-safe.
 */
public final class AddressClaims implements AutoCloseable {
  /** A port that no server has, below those that the kernel gives to clients. */
  static final int PORT = 28_387;

  private final Map<String, Socket> claims = new HashMap<>();
  private boolean closed;

  /**
   * Claims an address until the end; again is the same as once.
   *
   * @throws TerraceException if another run has it, or this machine does not have the address
   */
  public synchronized void claim(String address) {
    if (closed || claims.containsKey(address)) {
      return;
    }
    Socket claim = new Socket();
    try {
      claim.bind(new InetSocketAddress(InetAddress.ofLiteral(address), PORT));
      claims.put(address, claim);
    } catch (IOException | IllegalArgumentException e) {
      closeQuietly(claim);
      boolean taken =
          e instanceof BindException
              && String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("in use");
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          taken
              ? "the address %s has another run of Terrace (its mark, port %d there, is taken), and each would take packets of the other for its own; wait for its end, or choose other addresses ('network: 127.7' in the specification, 'address' in the hosts file)"
                  .formatted(address, PORT)
              : "the address %s cannot be claimed for this run: %s"
                  .formatted(address, e.getMessage()),
          e);
    }
  }

  private static void closeQuietly(Socket claim) {
    try {
      claim.close();
    } catch (IOException e) {
      assert e != null; // the kernel has it back in any case
    }
  }

  /** Gives all back. */
  @Override
  public synchronized void close() {
    closed = true;
    claims.values().forEach(AddressClaims::closeQuietly);
    claims.clear();
  }
}
