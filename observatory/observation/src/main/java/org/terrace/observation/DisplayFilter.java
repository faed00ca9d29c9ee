package org.terrace.observation;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The display filters with which Wireshark and tshark show the packets of a finding. Only numbers
 * and IP addresses become part of a filter, so that no name that was observed can change its
 * meaning. Stateless.
 */
public final class DisplayFilter {
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final Pattern PORT = Pattern.compile("\\d{1,5}");
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private DisplayFilter() {}

  /** The packets from one frame to another, both included. */
  public static String frames(long first, long last) {
    return first == last
        ? "frame.number == " + first
        : "frame.number >= " + first + " && frame.number <= " + last;
  }

  /** The packets between two moments, in nanoseconds since the Unix epoch. */
  public static String times(long startNanos, long endNanos) {
    return "frame.time_epoch >= "
        + seconds(startNanos)
        + " && frame.time_epoch <= "
        + seconds(endNanos);
  }

  private static String seconds(long nanos) {
    return String.format(
        Locale.ROOT,
        "%d.%09d",
        Math.floorDiv(nanos, NANOS_PER_SECOND),
        Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  /**
   * The packets to and from any of some addresses, {@code host:port}; empty if none of them is an
   * IP address.
   */
  public static Optional<String> addresses(List<String> addresses) {
    List<String> terms =
        addresses.stream()
            .map(DisplayFilter::address)
            .flatMap(Optional::stream)
            .distinct()
            .sorted()
            .toList();
    return switch (terms.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(terms.getFirst());
      default -> Optional.of(terms.stream().collect(Collectors.joining(") || (", "((", "))")));
    };
  }

  private static Optional<String> address(String address) {
    String host = Server.host(address);
    String port = port(address);
    if (!PORT.matcher(port).matches()) {
      return Optional.empty();
    }
    if (IPV4.matcher(host).matches()) {
      return Optional.of("ip.addr == " + host + " && tcp.port == " + port);
    }
    return IPV6.matcher(host).matches()
        ? Optional.of("ipv6.addr == " + host + " && tcp.port == " + port)
        : Optional.empty();
  }

  private static String port(String address) {
    return address.substring(address.lastIndexOf(':') + 1);
  }

  /**
   * The packets of some connections, told apart by the ports of their clients; empty if no
   * connection tells one.
   */
  public static Optional<String> connections(Collection<ObservedConnection> connections) {
    TreeSet<Integer> ports = new TreeSet<>();
    for (ObservedConnection each : connections) {
      String port = port(each.clientAddress());
      if (PORT.matcher(port).matches()) {
        ports.add(Integer.parseInt(port));
      }
    }
    return switch (ports.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of("tcp.port == " + ports.first());
      default ->
          Optional.of(
              ports.stream()
                  .map(String::valueOf)
                  .collect(Collectors.joining(", ", "tcp.port in {", "}")));
    };
  }
}
