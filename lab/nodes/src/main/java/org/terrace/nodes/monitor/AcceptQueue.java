package org.terrace.nodes.monitor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.terrace.core.TimeSource;

/**
 * The accept queue of one server: the connections that are established and that it has not taken
 * yet, as a share of as many as may wait. A full queue lasts shorter than the time between two
 * readings, so that one in which connections were turned away since the last counts as full: its
 * socket dropped segments, and it was half full at a reading, or a queue of the network namespace
 * overflowed. Confined to one thread, but for whether the kernel tells.
 */
public final class AcceptQueue {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MODULUS = 1L << 32;
  private static final double HALF = 0.5;
  private static final Path NETSTAT = Path.of("/proc/self/net/netstat");

  private final InetSocketAddress place;
  private final TimeSource time;
  private Map<Long, Long> before = Map.of();
  private long beforeNanos;
  private double shareBefore;
  private long overflowsBefore;
  private volatile boolean refused;
  private volatile boolean told;

  /**
   * The queue of a server that listens at a place, itself or at all addresses, in the network
   * namespace of this process.
   */
  public AcceptQueue(InetSocketAddress place, TimeSource time) {
    this.place = place;
    this.time = time;
  }

  /** The readings of the moment, by resource; none while nobody listens there. */
  public Map<String, Double> next() {
    return next(
        SocketDiagnosis.listeningAt(place.getPort()), overflows(NETSTAT), time.elapsedNanos());
  }

  /** Whether the kernel has not told of queues here at any reading. */
  public boolean isRefused() {
    return refused && !told;
  }

  /**
   * The connections that were turned away from full queues of the network namespace, modulo 2^64; 0
   * if that is not told.
   */
  static long overflows(Path netstat) {
    try {
      List<String> lines =
          Files.readAllLines(netstat).stream().filter(line -> line.startsWith("TcpExt:")).toList();
      List<String> names = List.of(lines.getFirst().split(" ", -1));
      return Long.parseUnsignedLong(
          lines.getLast().split(" ", -1)[names.indexOf("ListenOverflows")]);
    } catch (IOException | RuntimeException e) {
      return 0; // the queue's own length tells then
    }
  }

  Map<String, Double> next(
      Optional<List<ListeningSocket>> answer, long overflows, long elapsedNanos) {
    refused |= answer.isEmpty();
    told |= answer.isPresent();
    List<ListeningSocket> sockets = of(answer.orElse(List.of()), place.getAddress());
    Map<Long, Long> now = new TreeMap<>();
    long dropped = 0;
    double share = 0;
    boolean known = false;
    for (ListeningSocket socket : sockets) {
      now.put(socket.inode(), socket.dropped());
      // Each of several sockets has a queue, and a connection cannot choose.
      share = Math.max(share, socket.share());
      Long last = before.get(socket.inode());
      if (last != null) {
        known = true;
        dropped += Math.floorMod(socket.dropped() - last, MODULUS);
      }
    }
    Map<String, Double> readings = new TreeMap<>();
    double seconds = (elapsedNanos - beforeNanos) / NANOS_PER_SECOND;
    if (!sockets.isEmpty()) {
      // A stray segment, such as the reset of a connection that is gone, is dropped, too.
      boolean wasFull =
          dropped > 0 && (overflows != overflowsBefore || Math.max(share, shareBefore) > HALF);
      readings.put(Resources.ACCEPT_QUEUE, wasFull ? 1 : Math.min(1, share));
    }
    if (known && seconds > 0) {
      readings.put(Resources.ACCEPT_QUEUE_DROPS, dropped / seconds);
    }
    before = now;
    shareBefore = share;
    overflowsBefore = overflows;
    beforeNanos = elapsedNanos;
    return readings;
  }

  /** The sockets that take the connections to an address: those at it, else those at all. */
  private static List<ListeningSocket> of(List<ListeningSocket> told, InetAddress address) {
    List<ListeningSocket> exact =
        told.stream().filter(socket -> socket.address().equals(address)).toList();
    return exact.isEmpty()
        ? told.stream().filter(socket -> socket.address().isAnyLocalAddress()).toList()
        : exact;
  }
}
