package org.terrace.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.load.page.SourcePorts;

/** Checks, before the first connection, that this process may open as many as the plan needs. */
final class MachineLimits {
  /** Descriptors that the process uses besides its connections. */
  private static final int OWN_DESCRIPTORS = 100;

  private static final double USABLE_PORTS = 0.6;

  /** The ports that RFC 6335 sets aside, for systems that do not tell. */
  private static final PortRange DYNAMIC_PORTS = new PortRange(49_152, 65_535);

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path PORT_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final String OPEN_FILES = "Max open files";

  private MachineLimits() {}

  /**
   * The ports of the plan's source addresses, once descriptors and ports are known to suffice.
   *
   * @param start a number that decides which ports come first
   */
  static List<SourcePorts> check(LoadPlan plan, long start) {
    checkDescriptors(plan.model().users(), maximumOpenFiles());
    PortRange range = portRange();
    List<SourcePorts> sources = new ArrayList<>();
    for (InetAddress address : addresses(plan.sourceAddresses())) {
      sources.add(new SourcePorts(address, range.lowest, range.highest, start));
    }
    checkPorts(plan.model().users(), Math.max(1, sources.size()), range.usable());
    return sources;
  }

  /** The ports that the kernel gives to outgoing connections. */
  private record PortRange(int lowest, int highest) {
    /** Ports for users: the others rest after the connections of ended sessions. */
    int usable() {
      return (int) ((highest - lowest + 1) * USABLE_PORTS);
    }
  }

  static void checkDescriptors(int users, long limit) {
    long needed = (long) users + OWN_DESCRIPTORS;
    if (needed > limit) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          users
              + " users need "
              + needed
              + " file descriptors, but this process may open "
              + limit
              + "; raise the limit (ulimit -n "
              + needed
              + ", or nofile in /etc/security/limits.conf) or ask for fewer users.");
    }
  }

  static void checkPorts(int users, int addresses, int portsEach) {
    if (users > (long) addresses * portsEach) {
      int needed = (users + portsEach - 1) / portsEach;
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          users
              + " users need as many ports, but "
              + addresses
              + " source address(es) have "
              + portsEach
              + " to use each; give "
              + needed
              + " source addresses, for example 127.0.9.1 to 127.0.9."
              + needed
              + ".");
    }
  }

  private static List<InetAddress> addresses(List<String> names) {
    List<InetAddress> addresses = new ArrayList<>();
    for (String name : names) {
      try {
        addresses.add(InetAddress.ofLiteral(name));
      } catch (IllegalArgumentException e) {
        throw LoadPlan.invalid("sourceAddresses", name, "an IP address of this machine");
      }
    }
    return addresses;
  }

  private static long maximumOpenFiles() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(OPEN_FILES)) {
          String soft = line.substring(OPEN_FILES.length()).strip().split("\\s+", 2)[0];
          return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
        }
      }
    } catch (IOException e) {
      return Long.MAX_VALUE; // not Linux: what happens will be counted as local failures
    }
    return Long.MAX_VALUE;
  }

  private static PortRange portRange() {
    try (InputStream in = Files.newInputStream(PORT_RANGE)) {
      byte[] line = new byte[64]; // in one read: such a file gives its whole content to the first
      int length = Math.max(0, in.read(line));
      String text = new String(line, 0, length, StandardCharsets.US_ASCII).strip();
      int space = text.replace('\t', ' ').indexOf(' ');
      return new PortRange(
          Integer.parseInt(text.substring(0, space)),
          Integer.parseInt(text.substring(space).strip()));
    } catch (IOException e) {
      return DYNAMIC_PORTS;
    }
  }
}
