package org.terrace.capture;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The source, filter and destination of a capture. Immutable; {@link #to} gives the defaults, the
 * {@code with} methods change one of them.
 *
 * @param interfaceName the network interface, {@code lo} by default
 * @param output the pcapng file, overwritten when it exists
 * @param ringBytes memory of the kernel's ring, {@value #MINIMUM_RING_BYTES} to {@value
 *     #MAXIMUM_RING_BYTES}; {@value #DEFAULT_RING_BYTES} by default
 * @param snapLength the most bytes kept of a packet, {@value #MINIMUM_SNAP_LENGTH} to {@value
 *     #MAXIMUM_SNAP_LENGTH}; everything by default
 * @param names server names by address literal, written into the file as name resolutions
 * @param filter the packets to keep
 * @param method how to take them
 */
public record CaptureOptions(
    String interfaceName,
    Path output,
    int ringBytes,
    int snapLength,
    Map<String, String> names,
    CaptureFilter filter,
    CaptureMethod method) {
  /** The smallest ring: two blocks of which each holds the largest loopback packet. */
  public static final int MINIMUM_RING_BYTES = 256 << 10;

  /** The ring of a capture that asks for nothing else. */
  public static final int DEFAULT_RING_BYTES = 64 << 20;

  /** The largest ring. */
  public static final int MAXIMUM_RING_BYTES = 1 << 30;

  /** The smallest snap length: the headers of link, network and transport. */
  public static final int MINIMUM_SNAP_LENGTH = 64;

  /** The largest snap length, which cuts nothing. */
  public static final int MAXIMUM_SNAP_LENGTH = 262_144;

  /** The most names of a capture. */
  public static final int MAXIMUM_NAMES = 10_000;

  /** Checks the ranges and copies the names. */
  public CaptureOptions {
    inRange("ring size", ringBytes, MINIMUM_RING_BYTES, MAXIMUM_RING_BYTES);
    inRange("snap length", snapLength, MINIMUM_SNAP_LENGTH, MAXIMUM_SNAP_LENGTH);
    inRange("number of server names", names.size(), 0, MAXIMUM_NAMES);
    names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
    names.keySet().forEach(CaptureOptions::requireLiteral);
  }

  /** The defaults: everything on {@code lo}, into the given file. */
  public static CaptureOptions to(Path output) {
    return new CaptureOptions(
        "lo",
        output,
        DEFAULT_RING_BYTES,
        MAXIMUM_SNAP_LENGTH,
        Map.of(),
        CaptureFilter.everything(),
        CaptureMethod.AUTOMATIC);
  }

  /** The same options on another interface. */
  public CaptureOptions withInterface(String name) {
    return new CaptureOptions(name, output, ringBytes, snapLength, names, filter, method);
  }

  /** The same options with a ring of another size, in bytes. */
  public CaptureOptions withRingBytes(int bytes) {
    return new CaptureOptions(interfaceName, output, bytes, snapLength, names, filter, method);
  }

  /** The same options with another snap length, in bytes. */
  public CaptureOptions withSnapLength(int bytes) {
    return new CaptureOptions(interfaceName, output, ringBytes, bytes, names, filter, method);
  }

  /** The same options with other server names by address. */
  public CaptureOptions withNames(Map<String, String> addressToName) {
    return new CaptureOptions(
        interfaceName, output, ringBytes, snapLength, addressToName, filter, method);
  }

  /** The same options with another filter. */
  public CaptureOptions withFilter(CaptureFilter packets) {
    return new CaptureOptions(interfaceName, output, ringBytes, snapLength, names, packets, method);
  }

  /** The same options with another method. */
  public CaptureOptions withMethod(CaptureMethod way) {
    return new CaptureOptions(interfaceName, output, ringBytes, snapLength, names, filter, way);
  }

  private static void inRange(String what, int value, int minimum, int maximum) {
    if (value < minimum || value > maximum) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "capture: %s %d is out of range: expected %d to %d"
              .formatted(what, value, minimum, maximum));
    }
  }

  private static void requireLiteral(String address) {
    try {
      InetAddress.ofLiteral(address);
    } catch (IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "capture: '%s' cannot be given a name: expected an IPv4 or IPv6 address"
              .formatted(address),
          e);
    }
  }
}
