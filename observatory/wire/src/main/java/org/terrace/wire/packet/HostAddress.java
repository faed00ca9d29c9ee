package org.terrace.wire.packet;

/**
 * The address of a host: IPv6, or IPv4 mapped into it, in one of the networks that a capture shows.
 * Immutable.
 *
 * @param high the first eight bytes in network order
 * @param low the last eight bytes in network order
 * @param network the name of the network where several have this address, such as {@code vxlan42};
 *     empty for the first of them
 */
public record HostAddress(long high, long low, String network) {
  private static final long IPV4_PREFIX = 0xffffL << 32;
  private static final int GROUPS = 8;

  /** An address of the only network that has it, or of the first. */
  public HostAddress(long high, long low) {
    this(high, low, "");
  }

  /** An IPv4 address. */
  public static HostAddress ofIpv4(int address) {
    return new HostAddress(0, ipv4Low(address));
  }

  /** The low half of a mapped IPv4 address. */
  static long ipv4Low(int address) {
    return IPV4_PREFIX | (address & 0xffff_ffffL);
  }

  /** Whether this is a mapped IPv4 address. */
  public boolean isIpv4() {
    return high == 0 && low >>> 32 == 0xffffL;
  }

  /** The usual text of an endpoint at this host: {@code 127.0.2.1:8080} or {@code [::1]:8080}. */
  public String withPort(int port) {
    return isIpv4() ? this + ":" + port : "[" + this + "]:" + port;
  }

  /**
   * The usual text of the address; IPv6 as in RFC 5952. A network stands behind it as a zone does
   * (RFC 4007): {@code 10.0.0.1%vxlan42}.
   */
  @Override
  public String toString() {
    return network.isEmpty() ? digits() : digits() + "%" + network;
  }

  private String digits() {
    if (isIpv4()) {
      return (low >>> 24 & 0xff)
          + "."
          + (low >>> 16 & 0xff)
          + "."
          + (low >>> 8 & 0xff)
          + "."
          + (low & 0xff);
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = (int) ((i < 4 ? high : low) >>> (48 - 16 * (i & 3))) & 0xffff;
    }
    return text(groups);
  }

  private static String text(int[] groups) {
    int bestStart = -1;
    int bestLength = 1;
    for (int start = 0; start < GROUPS; start++) {
      int end = start;
      while (end < GROUPS && groups[end] == 0) {
        end++;
      }
      if (end - start > bestLength) {
        bestStart = start;
        bestLength = end - start;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == bestStart) {
        text.append("::");
        i += bestLength - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
