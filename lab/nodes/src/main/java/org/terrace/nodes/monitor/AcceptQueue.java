package org.terrace.nodes.monitor;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.terrace.core.TimeSource;

/**
 * The accept queue of one server: the connections that are established and that it has not taken
 * yet, as a share of as many as may wait. A full queue lasts shorter than the time between two
 * readings, so that one in which connections were turned away since the last counts as full.
 * Confined to one thread, but for whether the kernel tells.
 */
public final class AcceptQueue {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MODULUS = 1L << 32;

  private final InetSocketAddress place;
  private final TimeSource time;
  private Map<Long, Long> before = Map.of();
  private long beforeNanos;
  private volatile boolean refused;

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
    Optional<List<ListeningSocket>> told = SocketDiagnosis.listeningAt(place.getPort());
    if (told.isEmpty()) {
      refused = true;
    }
    return next(told.orElse(List.of()), time.elapsedNanos());
  }

  /** Whether the kernel does not tell of queues here. */
  public boolean isRefused() {
    return refused;
  }

  Map<String, Double> next(List<ListeningSocket> told, long elapsedNanos) {
    List<ListeningSocket> sockets = of(told, place.getAddress());
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
      readings.put(Resources.ACCEPT_QUEUE, dropped > 0 ? 1 : Math.min(1, share));
    }
    if (known && seconds > 0) {
      readings.put(Resources.ACCEPT_QUEUE_DROPS, dropped / seconds);
    }
    before = now;
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
