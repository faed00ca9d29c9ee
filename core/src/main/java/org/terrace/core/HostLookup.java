package org.terrace.core;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A look-up of the addresses that a host's name has now, for whoever connects again and again: a
 * name may have none yet, and other ones later. Stateless and thread-safe.
 */
public final class HostLookup {
  private HostLookup() {}

  /**
   * The addresses to connect to, at least one: those that the name has now, in the system's order,
   * then the one that it had when the argument was made. A literal is its own address, IPv4 or
   * IPv6. May block for as long as the system's resolver does.
   *
   * @throws UnknownHostException if the name has no address now and had none before
   */
  public static List<InetSocketAddress> addresses(InetSocketAddress wanted)
      throws UnknownHostException {
    Set<InetSocketAddress> found = new LinkedHashSet<>();
    try {
      for (InetAddress one : InetAddress.getAllByName(wanted.getHostString())) {
        found.add(new InetSocketAddress(one, wanted.getPort()));
      }
    } catch (UnknownHostException e) {
      if (wanted.isUnresolved()) {
        throw new UnknownHostException(
            "the name '" + wanted.getHostString() + "' has no address now");
      }
    }
    if (!wanted.isUnresolved()) {
      found.add(wanted);
    }
    return List.copyOf(found);
  }

  /** The first of {@link #addresses}, to listen at, or the argument if there is none. */
  public static InetSocketAddress first(InetSocketAddress wanted) {
    try {
      return wanted.isUnresolved() ? addresses(wanted).getFirst() : wanted;
    } catch (UnknownHostException e) {
      return wanted;
    }
  }
}
