package org.terrace.wire.tcp;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.packet.HostAddress;

/**
 * The traffic of hosts by intervals of one second. A capture longer than {@value #INTERVALS_MAX}
 * seconds makes the intervals longer, by doubling; hosts beyond {@value #HOSTS_MAX} of a kind are
 * not metered. Confined to one thread.
 */
public final class TrafficTable {
  /** Hosts metered at most, of those that open connections and of those that accept them. */
  static final int HOSTS_MAX = 256;

  /** Intervals kept at most. */
  static final int INTERVALS_MAX = 3_600;

  private static final int INTERVAL_SECONDS_MAX = 1 << 10;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final TcpEvents events = new TcpEvents();
  private final Map<HostAddress, HostTraffic> hosts = new HashMap<>();
  private int openers;
  private int accepters;
  private long firstSecond = Long.MIN_VALUE;
  private int intervalSeconds = 1;
  private int intervals;

  /** The meter of a host, made when there is room for one more of its kind; else null. */
  @Nullable HostTraffic of(HostAddress address, boolean opener) {
    HostTraffic known = hosts.get(address);
    if (known != null || (opener ? openers : accepters) >= HOSTS_MAX) {
      return known;
    }
    openers += opener ? 1 : 0;
    accepters += opener ? 0 : 1;
    HostTraffic made = new HostTraffic();
    hosts.put(address, made);
    return made;
  }

  /** Adds a packet from one host to another. */
  void add(@Nullable HostTraffic from, @Nullable HostTraffic to, int bytes, long timeNanos) {
    long second = Math.floorDiv(timeNanos, NANOS_PER_SECOND);
    if (firstSecond == Long.MIN_VALUE) {
      firstSecond = second;
    }
    long interval = Math.max(0, second - firstSecond) / intervalSeconds;
    while (interval >= INTERVALS_MAX && intervalSeconds < INTERVAL_SECONDS_MAX) {
      hosts.values().forEach(HostTraffic::halve);
      intervalSeconds *= 2;
      intervals = (intervals + 1) / 2;
      interval /= 2;
    }
    if (interval >= INTERVALS_MAX) {
      return;
    }
    intervals = Math.max(intervals, (int) interval + 1);
    if (from != null) {
      from.add((int) interval, 0, bytes);
    }
    if (to != null) {
      to.add((int) interval, bytes, 0);
    }
  }

  /** The capture ends. */
  void end(long timeNanos) {
    hosts.values().forEach(host -> host.signs.end(timeNanos));
  }

  /** The meter of a host, or null. */
  public @Nullable HostTraffic of(HostAddress address) {
    return hosts.get(address);
  }

  /** The events of TCP between the hosts, beyond carrying data. */
  public TcpEvents events() {
    return events;
  }

  /** The number of intervals in which there was traffic. */
  public int intervals() {
    return intervals;
  }

  /** The length of an interval. */
  public int intervalSeconds() {
    return intervalSeconds;
  }

  /** The end of an interval, in nanoseconds since the Unix epoch. */
  public long endNanos(int interval) {
    return (firstSecond + (interval + 1L) * intervalSeconds) * NANOS_PER_SECOND;
  }
}
