package org.terrace.wire.points;

import org.terrace.wire.packet.PacketParser;

/**
 * The first reading of a capture point: a sample of its packets, and the services that it saw.
 * Memory is bounded, whatever the size of its captures. Confined to one thread.
 */
public final class PointScan {
  /** Packets sampled of all points together: some 100 MB. */
  public static final int SAMPLED_MAX = 1 << 20;

  /** Services, of a client's host each, that are told apart at all points together. */
  static final int SERVICES_MAX = 1 << 20;

  /** Ends of connections that were seen to serve. */
  private static final int SERVING_MAX = 1 << 16;

  private static final long COARSEST_STEP_NANOS = 1_000_000_000;

  private final PacketMark mark = new PacketMark();
  private final PacketSample sample;
  private final LongTable services;
  private final LongTable serving = new LongTable(SERVING_MAX);
  private long packets;
  private long firstNanos;
  private long lastNanos;
  private long lastNumber;
  private long earliestNanos = Long.MAX_VALUE;
  private long earliestNumber;
  private long latestNanos = Long.MIN_VALUE;
  private long latestNumber;
  private long stepNanos = COARSEST_STEP_NANOS;

  /** A point of which nothing was read yet, of so many that are read. */
  public PointScan(int points) {
    sample = new PacketSample(Math.max(2, SAMPLED_MAX / points));
    services = new LongTable(Math.max(2, SERVICES_MAX / points));
  }

  /** Takes in one packet of which a parser has told the kind. */
  public void take(
      PacketParser.Kind kind, PacketParser packet, byte[] bytes, long number, long timeNanos) {
    packet(number, timeNanos);
    if (kind == PacketParser.Kind.TCP) {
      tcp(packet, bytes, number, timeNanos);
    }
  }

  /** Takes in one packet, of whatever protocol; numbers rise. */
  void packet(long number, long timeNanos) {
    if (packets == 0) {
      firstNanos = timeNanos;
    }
    packets++;
    lastNanos = timeNanos;
    lastNumber = number;
    if (timeNanos < earliestNanos) {
      earliestNanos = timeNanos;
      earliestNumber = number;
    }
    if (timeNanos > latestNanos) {
      latestNanos = timeNanos;
      latestNumber = number;
    }
    while (timeNanos % stepNanos != 0) {
      stepNanos /= 10;
    }
  }

  /** Takes in what a packet is, if it is one of TCP. */
  void tcp(PacketParser packet, byte[] bytes, long number, long timeNanos) {
    mark.fill(packet, bytes);
    sample.add(mark, number, timeNanos);
    if (!services.contains(mark.service())) {
      services.put(mark.service(), 0);
    }
    serving.put(mark.opened(packet), 0);
  }

  /** The packets so far. */
  public long packets() {
    return packets;
  }

  PacketSample sample() {
    return sample;
  }

  LongTable services() {
    return services;
  }

  LongTable serving() {
    return serving;
  }

  /** The steps in which its times are told: a power of ten that divides all of them. */
  long stepNanos() {
    return stepNanos;
  }

  /**
   * The time of its first packet, converted: the first in the file where its clock was set back,
   * the earliest where the file is out of order.
   */
  long startNanos(PieceClock clock) {
    return Math.min(clock.timeNanos(0, firstNanos), clock.timeNanos(earliestNumber, earliestNanos));
  }

  /** The time of its last packet, converted. */
  long endNanos(PieceClock clock) {
    return Math.max(
        clock.timeNanos(lastNumber, lastNanos), clock.timeNanos(latestNumber, latestNanos));
  }

  /**
   * Whether the times of two points overlap, as they stand in the files, by more than a tenth of
   * the shorter: where one recording was divided, a few packets may be out of order.
   */
  boolean overlaps(PointScan other) {
    long overlap =
        Math.min(latestNanos, other.latestNanos) - Math.max(earliestNanos, other.earliestNanos);
    long shorter = Math.min(latestNanos - earliestNanos, other.latestNanos - other.earliestNanos);
    return packets > 0 && other.packets > 0 && overlap > shorter / 10;
  }
}
