package org.terrace.hosts.network;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.setting.NetworkLimit;

/**
 * The proof that a network device sends no more than a limit: for half a second, or four bursts,
 * datagrams that nobody waits for are sent by it as fast as it takes them, and its own count of
 * bytes is compared with what the limit lets pass. Immutable.
 *
 * @param device the device
 * @param limit the limit of what it sends
 */
public record NetworkProof(String device, NetworkLimit limit) {
  private static final double LEAST_SECONDS = 0.5;

  /** A burst passes by whatever limit, so it is to be little of what passes in the proof. */
  private static final int BURSTS = 4;

  private static final double NANOS_PER_SECOND = 1e9;

  /** The port "discard", at which nobody has to listen. */
  private static final int PORT = 9;

  /** Little of it is still to be sent when the proof is over. */
  private static final int WAITING_BYTES = 1 << 16;

  private static final int LEAST_DATAGRAM_BYTES = 1_400;
  private static final int MOST_DATAGRAM_BYTES = 32_000;
  private static final int DATAGRAMS_PER_SECOND = 200;

  /** Beside the burst and the time that is measured, the kernel's clock is not the JVM's. */
  private static final double MOST_SHARE = 1.15;

  /** Less than this is another limit than was asked for, or no proof of any. */
  private static final double LEAST_SHARE = 0.5;

  /** The proof of what goes from the server in whose namespace this process is. */
  public static NetworkProof ofServer(NetworkLimit limit) {
    return new NetworkProof(NamespaceNetwork.DEVICE, limit);
  }

  /** Proves what goes from the server. */
  public void run(TimeSource time) {
    run(limit.towards(), time);
  }

  /**
   * Sends.
   *
   * @param towards an address to which packets go by the device
   * @throws TerraceException if the limit does not hold, or nothing can be told, with the reason
   */
  void run(String towards, TimeSource time) {
    int size =
        Math.clamp(
            limit.bytesPerSecond() / DATAGRAMS_PER_SECOND,
            LEAST_DATAGRAM_BYTES,
            MOST_DATAGRAM_BYTES);
    DatagramPacket datagram =
        new DatagramPacket(
            new byte[size], size, new InetSocketAddress(InetAddress.ofLiteral(towards), PORT));
    long before = DeviceTraffic.of(device).sentBytes();
    long begun = time.elapsedNanos();
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSendBufferSize(WAITING_BYTES);
      while (time.elapsedNanos() - begun < seconds() * NANOS_PER_SECOND) {
        socket.send(datagram);
      }
    } catch (IOException e) {
      throw refusal(limit, "nothing can be sent by " + device + ": " + e);
    }
    long passed = DeviceTraffic.of(device).sentBytes() - before;
    double seconds = (time.elapsedNanos() - begun) / NANOS_PER_SECOND;
    complaint(passed, seconds)
        .ifPresent(why -> {
          throw refusal(limit, why);
        });
  }

  /** The time for which it sends. */
  double seconds() {
    return Math.max(LEAST_SECONDS, (double) BURSTS * burstBytes() / limit.bytesPerSecond());
  }

  private long burstBytes() {
    return new NetworkQueue(limit.bytesPerSecond()).burstBytes();
  }

  /**
   * The objection to what was seen; empty if the limit holds.
   *
   * @param passed the bytes that the device sent
   * @param seconds the time in which it did
   */
  Optional<String> complaint(long passed, double seconds) {
    double expected = limit.bytesPerSecond() * seconds;
    double most = burstBytes() + WAITING_BYTES + expected * MOST_SHARE;
    if (passed > most) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%,d bytes passed %s in %.2f s, of which it was to let pass %.0f at most: nothing"
                  + " holds them back",
              passed,
              device,
              seconds,
              most));
    }
    if (passed < expected * LEAST_SHARE) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%,d bytes passed %s in %.2f s, and %.0f were to: they prove no limit of %d bytes a"
                  + " second",
              passed,
              device,
              seconds,
              expected,
              limit.bytesPerSecond()));
    }
    return Optional.empty();
  }

  static TerraceException refusal(NetworkLimit limit, String why) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the network of the server at %s cannot be limited here (%s); it takes tc (sudo apt-get install iproute2) and a kernel with sch_tbf (sudo modprobe sch_tbf): take 'network' out of its limits, or run where these are"
            .formatted(limit.address(), why));
  }
}
