package org.terrace.hosts;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A capture as a host is asked for it. Immutable.
 *
 * @param device the network interface, or the address of the host whose interface is meant
 * @param file the file on the host
 * @param networks the networks of which packets are kept, such as {@code 127.0.1.0/24}
 * @param leftOut the networks of which none is, such as that from which metrics are asked for
 * @param names the servers' names by address, written into the file
 * @param snapLength the most bytes kept of a packet
 */
public record CapturePlan(
    String device,
    Path file,
    List<String> networks,
    List<String> leftOut,
    Map<String, String> names,
    int snapLength) {
  /** Copies the collections. */
  public CapturePlan {
    networks = List.copyOf(networks);
    leftOut = List.copyOf(leftOut);
    names = Map.copyOf(names);
  }
}
