package org.terrace.capture;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The choice of packets that a capture keeps: those with either end in one of the networks and,
 * when ports are named, a TCP or UDP port of either end among them, but for those with an end in a
 * network that is left out. An empty list does not restrict. Immutable.
 *
 * <p>The filter runs in the kernel: what it refuses costs no copy and no place in the ring.
 *
 * @param networks at most {@value #MAXIMUM_NETWORKS}
 * @param ports at most {@value #MAXIMUM_PORTS}, each 1 to 65535
 * @param leftOut at most {@value #MAXIMUM_NETWORKS} networks of which no packet is kept
 */
public record CaptureFilter(
    List<AddressPrefix> networks, List<Integer> ports, List<AddressPrefix> leftOut) {
  /** The most networks of a filter. */
  public static final int MAXIMUM_NETWORKS = 32;

  /** The most ports of a filter. */
  public static final int MAXIMUM_PORTS = 64;

  private static final int MAXIMUM_PORT = 65535;

  /** Checks the bounds and copies the lists. */
  public CaptureFilter {
    networks = List.copyOf(networks);
    ports = List.copyOf(ports);
    leftOut = List.copyOf(leftOut);
    if (Math.max(networks.size(), leftOut.size()) > MAXIMUM_NETWORKS
        || ports.size() > MAXIMUM_PORTS) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "a capture filter holds at most %d networks and %d ports, not %d and %d: use wider networks"
              .formatted(
                  MAXIMUM_NETWORKS,
                  MAXIMUM_PORTS,
                  Math.max(networks.size(), leftOut.size()),
                  ports.size()));
    }
    for (int port : ports) {
      if (port < 1 || port > MAXIMUM_PORT) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT, "port %d is out of range: expected 1 to 65535".formatted(port));
      }
    }
  }

  /** A filter that leaves out no network. */
  public CaptureFilter(List<AddressPrefix> networks, List<Integer> ports) {
    this(networks, ports, List.of());
  }

  /** The filter that keeps every packet. */
  public static CaptureFilter everything() {
    return new CaptureFilter(List.of(), List.of());
  }

  /** The filter that keeps the packets of the given networks, such as {@code 127.0.0.0/16}. */
  public static CaptureFilter networks(String... networks) {
    return new CaptureFilter(Arrays.stream(networks).map(AddressPrefix::parse).toList(), List.of());
  }

  /** The same filter without the packets that have an end in the given networks. */
  public CaptureFilter without(String... others) {
    return new CaptureFilter(
        networks, ports, Arrays.stream(others).map(AddressPrefix::parse).toList());
  }

  /** The same filter in the language of {@code tcpdump}; empty when it keeps everything. */
  public String expression() {
    String kept = keptExpression();
    if (leftOut.isEmpty()) {
      return kept;
    }
    String others = "not (" + nets(leftOut) + ")";
    return kept.isEmpty() ? others : others + " and (" + kept + ")";
  }

  private static String nets(List<AddressPrefix> networks) {
    return networks.stream().map(network -> "net " + network).collect(Collectors.joining(" or "));
  }

  private String keptExpression() {
    String addresses = nets(networks);
    String endpoints =
        ports.stream().map(port -> "port " + port).collect(Collectors.joining(" or "));
    if (addresses.isEmpty() || endpoints.isEmpty()) {
      return addresses + endpoints;
    }
    return "(" + addresses + ") and (" + endpoints + ")";
  }
}
