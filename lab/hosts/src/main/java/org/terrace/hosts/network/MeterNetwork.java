package org.terrace.hosts.network;

import java.net.InetAddress;
import java.util.Optional;

/**
 * The part of an experiment's loopback network from which servers are asked for their metrics. A
 * capture leaves it out, so that whoever asks is taken for no user. Stateless.
 */
public final class MeterNetwork {
  private static final String PREFIX = ".6.0/24";
  private static final String ADDRESS = ".6.1";

  private MeterNetwork() {}

  /**
   * The network of the readers' packets, as a capture leaves them out.
   *
   * @param network the first two octets of the experiment's loopback addresses
   */
  public static String prefix(String network) {
    return network + PREFIX;
  }

  /**
   * The address from which a server on loopback is asked; empty for others, who are asked within
   * their host, where nothing is captured.
   */
  public static Optional<String> addressTowards(String server, String network) {
    return InetAddress.ofLiteral(server).isLoopbackAddress()
        ? Optional.of(network + ADDRESS)
        : Optional.empty();
  }
}
