package org.terrace.dashboard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The choices of whoever starts a dashboard. Immutable.
 *
 * @param directory the directory whose results are served
 * @param host the address or name to listen at
 * @param port the port; 0 for any that is free
 * @param token the file with the token that lets people in; empty for none
 */
public record DashboardOptions(Path directory, String host, int port, Optional<Path> token) {
  /** The address without a token. */
  public static final String LOOPBACK = "127.0.0.1";

  /** The port where none is named. */
  public static final int PORT = 7411;

  private static final int MOST = 65_535;

  /** A dashboard of a directory at the usual place, on loopback. */
  public static DashboardOptions of(Path directory) {
    return new DashboardOptions(directory, LOOPBACK, PORT, Optional.empty());
  }

  /**
   * The address to listen at.
   *
   * @throws TerraceException if it is none, or one beyond loopback without a token
   */
  InetSocketAddress address() {
    if (port < 0 || port > MOST) {
      throw refused("--port " + port + "; expected 0 to " + MOST);
    }
    try {
      // The name stays beside the address: the server is then known by it.
      InetAddress resolved = InetAddress.getByName(host);
      InetAddress named = InetAddress.getByAddress(host, resolved.getAddress());
      if (!resolved.isLoopbackAddress() && token.isEmpty()) {
        throw refused(
            "--host "
                + host
                + " is beyond loopback, where anybody may ask: give --token FILE. Make one with:"
                + " (umask 077; head -c 24 /dev/urandom | base64 >FILE)");
      }
      return new InetSocketAddress(named, port);
    } catch (UnknownHostException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--host " + host + ": this is no address of this machine, and no name that has one",
          e);
    }
  }

  private static TerraceException refused(String message) {
    return new TerraceException(ErrorCode.BAD_INPUT, message);
  }
}
