package org.terrace.wire.file;

import java.util.Map;

/**
 * The description of a capture that stands ahead of the packets of a pcapng file. Immutable.
 *
 * @param hardware the machine that captures
 * @param operatingSystem its operating system
 * @param interfaceName the network interface that the packets are of
 * @param linkType its link-layer type, as in pcap's list
 * @param snapLength the bytes kept of a packet at most
 * @param filter the filter in the language of tcpdump, or empty
 * @param names names of servers by their numeric addresses
 */
public record PcapngHeader(
    String hardware,
    String operatingSystem,
    String interfaceName,
    int linkType,
    int snapLength,
    String filter,
    Map<String, String> names) {
  /** Copies the names. */
  public PcapngHeader {
    names = Map.copyOf(names);
  }
}
