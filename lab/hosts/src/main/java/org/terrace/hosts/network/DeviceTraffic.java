package org.terrace.hosts.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.machine.LimitUse;

/**
 * The bytes that a network device has brought and taken away since it was made. Immutable.
 *
 * <p>Source: proc_pid_net(5).
 *
 * @param receivedBytes those it brought
 * @param sentBytes those it took away, after its queue
 */
record DeviceTraffic(long receivedBytes, long sentBytes) {
  private static final Path DEVICES = Path.of("/proc/self/net/dev");
  private static final int RECEIVED = 0;
  private static final int SENT = 8;

  /**
   * The traffic of a device of the namespace that this process is in.
   *
   * @throws TerraceException if there is none of the name
   */
  static DeviceTraffic of(String device) {
    try {
      return of(device, Files.readString(DEVICES, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "the traffic of " + device + " cannot be read: " + e, e);
    }
  }

  /** The traffic by its directions, of which each has the limit. */
  LimitUse.Passed passed() {
    return new LimitUse.Passed(receivedBytes, sentBytes);
  }

  /**
   * The traffic of a device.
   *
   * @param table as the kernel tells it of all devices
   */
  static DeviceTraffic of(String device, String table) {
    for (String line : table.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(device)) {
        String[] numbers = line.substring(colon + 1).strip().split("\\s+", -1);
        if (numbers.length > SENT) {
          return new DeviceTraffic(
              Long.parseLong(numbers[RECEIVED]), Long.parseLong(numbers[SENT]));
        }
      }
    }
    throw new TerraceException(
        ErrorCode.MACHINE_LACKS, "the kernel tells of no network device " + device);
  }
}
