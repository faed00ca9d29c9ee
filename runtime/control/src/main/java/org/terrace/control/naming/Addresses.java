package org.terrace.control.naming;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A parser of addresses that a user wrote. Stateless and thread-safe. */
public final class Addresses {
  private static final int PORT_MAX = 65_535;

  private Addresses() {}

  /**
   * The addresses in {@code host:port,host:port}; none in an empty text.
   *
   * @param flag where they were written, for the message of an error
   * @throws TerraceException if one is no address
   */
  public static List<InetSocketAddress> parse(String flag, String text) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (!part.isBlank()) {
        addresses.add(parseOne(flag, part.strip()));
      }
    }
    return addresses;
  }

  /**
   * The address in {@code host:port}.
   *
   * @throws TerraceException if it is none
   */
  public static InetSocketAddress parseOne(String flag, String text) {
    int colon = text.lastIndexOf(':');
    int port = -1;
    try {
      port = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      port = -1;
    }
    if (colon < 1 || port < 0 || port > PORT_MAX) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          flag + " has '" + text + "': expected host:port, for example 127.0.0.1:7400");
    }
    return new InetSocketAddress(text.substring(0, colon), port);
  }

  /** The form that {@link #parseOne} reads. */
  public static String format(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }
}
