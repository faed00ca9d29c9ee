package org.terrace.observation;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
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
  private static final Pattern NETWORK = Pattern.compile("(vxlan|geneve|gre)(\\d{1,10})");
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
    int zone = host.indexOf('%');
    String network = zone < 0 ? "" : network(host.substring(zone + 1));
    String digits = zone < 0 ? host : host.substring(0, zone);
    if (IPV4.matcher(digits).matches()) {
      return Optional.of(network + "ip.addr == " + digits + " && tcp.port == " + port);
    }
    return IPV6.matcher(digits).matches()
        ? Optional.of(network + "ipv6.addr == " + digits + " && tcp.port == " + port)
        : Optional.empty();
  }

  /** The condition of a tunnel's network, such as {@code vxlan42}; empty if it has no field. */
  private static String network(String name) {
    Matcher network = NETWORK.matcher(name);
    if (!network.matches()) {
      return "";
    }
    String field = network.group(1).equals("gre") ? "gre.key" : network.group(1) + ".vni";
    return field + " == " + network.group(2) + " && ";
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
