package org.terrace.experiment.load;

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

/** Checks, before the first connection, that this process may open as many as the plan needs. */
final class MachineLimits {
  /** Descriptors that the process uses besides its connections. */
  private static final int OWN_DESCRIPTORS = 100;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path PORT_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final String OPEN_FILES = "Max open files";

  private MachineLimits() {}

  /** The plan's source addresses, once descriptors and ports are known to suffice. */
  static List<InetAddress> check(LoadPlan plan) {
    checkDescriptors(plan.model().users(), maximumOpenFiles());
    List<InetAddress> sources = addresses(plan.sourceAddresses());
    checkPorts(plan.model().users(), Math.max(1, sources.size()), portsOfOneAddress());
    return sources;
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
              + " each; give "
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

  private static int portsOfOneAddress() {
    try (InputStream in = Files.newInputStream(PORT_RANGE)) {
      byte[] line = new byte[64]; // in one read: such a file gives its whole content to the first
      int length = Math.max(0, in.read(line));
      String text = new String(line, 0, length, StandardCharsets.US_ASCII).strip();
      int space = text.replace('\t', ' ').indexOf(' ');
      return Integer.parseInt(text.substring(space).strip())
          - Integer.parseInt(text.substring(0, space))
          + 1;
    } catch (IOException e) {
      return Integer.MAX_VALUE; // not Linux: what happens will be counted as local failures
    }
  }
}
