package org.terrace.groups.service;

import java.net.InetSocketAddress;

/**
 * One replica of a service, as its process last said. Immutable.
 *
 * @param service the service's name, 1 to {@value #NAME_LENGTH_MAX} characters
 * @param replica the name of the member that runs it
 * @param address where the service listens
 * @param load how busy it is: 0 for idle, 1 for as much as it can do, above 1 for more
 */
public record Offer(String service, String replica, InetSocketAddress address, double load) {
  /** Longest name of a service. */
  public static final int NAME_LENGTH_MAX = 200;

  /** Checks name and load. */
  public Offer {
    if (service.isEmpty() || service.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a service's name has 1 to " + NAME_LENGTH_MAX + " characters: '" + service + "'");
    }
    if (!(load >= 0) || Double.isInfinite(load)) {
      throw new IllegalArgumentException("a load is 0 or more, got " + load);
    }
  }
}
