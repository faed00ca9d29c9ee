package org.terrace.capture;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A network interface as the kernel describes it. Immutable.
 *
 * @param name its name
 * @param index its number, 1 or more
 * @param up whether it carries packets
 * @param loopback whether what it sends it also receives
 * @param linkType the pcap link type of its packets
 */
record NetworkInterfaceFacts(String name, int index, boolean up, boolean loopback, int linkType) {
  static final int LINK_ETHERNET = 1;
  static final int LINK_RAW_IP = 101;

  private static final int FAMILY_IPV4 = 2;
  private static final int DATAGRAM = 2;
  private static final long GET_FLAGS = 0x8913;
  private static final long SET_FLAGS = 0x8914;
  private static final long GET_HARDWARE = 0x8927;
  private static final short FLAG_UP = 1;
  private static final short FLAG_LOOPBACK = 8;
  private static final int REQUEST_BYTES = 40;
  private static final int NAME_BYTES = 16;
  private static final int HARDWARE_ETHERNET = 1;
  private static final int HARDWARE_LOOPBACK = 772;
  private static final int HARDWARE_NONE = 0xfffe;

  /** The length of the link header in bytes. */
  int linkBytes() {
    return linkType == LINK_ETHERNET ? 14 : 0;
  }

  /**
   * Asks the kernel.
   *
   * @throws TerraceException when there is no such interface or its packets are of an unknown kind
   */
  static NetworkInterfaceFacts of(String name) {
    int index = name.length() < NAME_BYTES ? LinuxCalls.interfaceIndex(name) : -1;
    if (index < 0) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "capture: there is no network interface '%s': expected one of %s"
              .formatted(name, present()));
    }
    try (Arena arena = Arena.ofConfined()) {
      short flags = ask(arena, name, GET_FLAGS);
      int hardware = Short.toUnsignedInt(ask(arena, name, GET_HARDWARE));
      return new NetworkInterfaceFacts(
          name,
          index,
          (flags & FLAG_UP) != 0,
          (flags & FLAG_LOOPBACK) != 0,
          linkType(name, hardware));
    }
  }

  /**
   * Brings an interface up; harmless when it is.
   *
   * @throws TerraceException when this process may not (it needs CAP_NET_ADMIN in its network
   *     namespace)
   */
  static void bringUp(String name) {
    try (Arena arena = Arena.ofConfined()) {
      short flags = ask(arena, name, GET_FLAGS);
      if ((flags & FLAG_UP) != 0) {
        return;
      }
      MemorySegment request = request(arena, name);
      request.set(JAVA_SHORT, NAME_BYTES, (short) (flags | FLAG_UP));
      int result = control(SET_FLAGS, request);
      if (result < 0) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "the network interface %s is down and cannot be brought up (error %d): run 'sudo ip link set %s up'"
                .formatted(name, -result, name));
      }
    }
  }

  private static short ask(Arena arena, String name, long question) {
    MemorySegment request = request(arena, name);
    int result = control(question, request);
    if (result < 0) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the kernel tells nothing of the network interface %s: error %d"
              .formatted(name, -result));
    }
    return request.get(JAVA_SHORT, NAME_BYTES);
  }

  private static MemorySegment request(Arena arena, String name) {
    MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
    request.setString(0, name);
    return request;
  }

  private static int control(long question, MemorySegment request) {
    int socket = LinuxCalls.socket(FAMILY_IPV4, DATAGRAM, 0);
    if (socket < 0) {
      return socket;
    }
    int result = LinuxCalls.control(socket, question, request);
    LinuxCalls.close(socket);
    return result;
  }

  private static int linkType(String name, int hardware) {
    if (hardware == HARDWARE_ETHERNET || hardware == HARDWARE_LOOPBACK) {
      return LINK_ETHERNET;
    }
    if (hardware == HARDWARE_NONE) {
      return LINK_RAW_IP;
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT,
        "capture: packets of %s are of hardware type %d: expected Ethernet, loopback or raw IP; try --method tcpdump"
            .formatted(name, hardware));
  }

  private static String present() {
    try {
      return NetworkInterface.networkInterfaces()
          .map(NetworkInterface::getName)
          .sorted()
          .collect(Collectors.joining(", "));
    } catch (SocketException e) {
      return "those of 'ip link'";
    }
  }
}
