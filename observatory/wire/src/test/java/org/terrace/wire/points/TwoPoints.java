package org.terrace.wire.points;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A history of two hosts with a capture point each, of which everything is known: the clocks, the
 * delays, which packets the network or a recorder lost, and which were sent twice. The near host's
 * clock is right; the far one's is off.
 */
final class TwoPoints {
  static final long START = 1_790_000_000_000_000_000L;
  static final int NEAR = 0x0a00_0001;
  static final int FAR = 0x0a00_0002;

  private static final int SYN = 0x02;
  private static final int ACK = 0x10;

  private final RandomGenerator random;
  private final Clock clock;
  private final Delays delays;
  private final List<Sight> near = new ArrayList<>();
  private final List<Sight> far = new ArrayList<>();
  private final List<Transmission> transmissions = new ArrayList<>();
  private int sent;

  /** The clock of the far host, by the right time. */
  interface Clock {
    long offsetNanos(long trueNanos);
  }

  /**
   * Delays and losses.
   *
   * @param outwardNanos the least delay from the near host to the far one
   * @param backNanos the least delay of the way back
   * @param queueNanos what may be added to both
   * @param networkLoss the share of packets lost, and sent again
   * @param recorderLoss the share of packets that a recorder misses; without it, transmissions have
   *     no number by which they could be told apart
   */
  record Delays(
      long outwardNanos, long backNanos, long queueNanos, double networkLoss, double recorderLoss) {
    static Delays random(RandomGenerator random) {
      return new Delays(
          random.nextLong(1, 1 << random.nextInt(2, 20)),
          random.nextLong(1, 1 << random.nextInt(2, 20)),
          random.nextLong(1, 1 << random.nextInt(2, 22)),
          random.nextBoolean() ? 0 : random.nextDouble(0.2),
          random.nextBoolean() ? 0 : random.nextDouble(0.3));
    }
  }

  /** A packet as one point saw it. */
  private record Sight(SeenPacket packet, long trueNanos) {}

  /**
   * One transmission of a packet.
   *
   * @param number its number
   * @param packet the packet
   * @param outward whether the near host sent it
   * @param nearNanos the right time at which the near point saw it, or -1
   * @param farNanos the right time at which the far point saw it, or -1
   */
  record Transmission(
      int number, SeenPacket packet, boolean outward, long nearNanos, long farNanos) {}

  TwoPoints(RandomGenerator random, Clock clock, Delays delays) {
    this.random = random;
    this.clock = clock;
    this.delays = delays;
  }

  /** A connection opened by the near host with exchanges of requests and responses. */
  void exchange(int port, long startNanos, int requests, long pauseNanosMax) {
    int[] next = {random.nextInt(), random.nextInt()};
    int ports = port << 16 | 80;
    long at = send(true, startNanos, ports, next, SYN, 0);
    at = send(false, at + random.nextInt(1, 10_000), ports, next, SYN | ACK, 0);
    at = send(true, at + random.nextInt(1, 10_000), ports, next, ACK, 0);
    for (int i = 0; i < requests; i++) {
      at += random.nextLong(1, pauseNanosMax);
      at = send(true, at, ports, next, ACK, random.nextInt(1, 200));
      at += random.nextLong(1, pauseNanosMax);
      at = send(false, at, ports, next, ACK, random.nextInt(1, 200));
    }
  }

  /** Sends a packet until it arrives; the time at which it did. */
  private long send(boolean outward, long atNanos, int ports, int[] next, int flags, int payload) {
    int side = outward ? 0 : 1;
    long at = atNanos;
    while (true) {
      SeenPacket packet =
          new SeenPacket(
              outward ? NEAR : FAR,
              outward ? FAR : NEAR,
              outward ? ports : ports << 16 | ports >>> 16,
              next[side],
              next[1 - side],
              flags,
              payload,
              delays.recorderLoss() == 0 ? 0 : sent + 1);
      sent++;
      boolean lost = random.nextDouble() < delays.networkLoss();
      long arrived =
          at
              + (outward ? delays.outwardNanos() : delays.backNanos())
              + (random.nextInt(3) == 0 ? 0 : random.nextLong(delays.queueNanos()));
      long sentSeen = random.nextDouble() < delays.recorderLoss() ? -1 : at;
      long arrivedSeen = lost || random.nextDouble() < delays.recorderLoss() ? -1 : arrived;
      transmitted(
          new Transmission(
              sent,
              packet,
              outward,
              outward ? sentSeen : arrivedSeen,
              outward ? arrivedSeen : sentSeen));
      if (!lost) {
        next[side] += payload + ((flags & SYN) != 0 ? 1 : 0);
        return arrived;
      }
      at += random.nextLong(1_100_000, 5_000_000);
    }
  }

  private void transmitted(Transmission transmission) {
    transmissions.add(transmission);
    if (transmission.nearNanos() >= 0) {
      near.add(new Sight(transmission.packet(), transmission.nearNanos()));
    }
    if (transmission.farNanos() >= 0) {
      far.add(new Sight(transmission.packet(), transmission.farNanos()));
    }
  }

  PointScan nearScan(long stepNanos) {
    return scan(near, at -> at / stepNanos * stepNanos);
  }

  PointScan farScan(long stepNanos) {
    return scan(far, at -> farNanos(at) / stepNanos * stepNanos);
  }

  /** The time that the far host's clock shows. */
  long farNanos(long trueNanos) {
    return trueNanos + clock.offsetNanos(trueNanos);
  }

  private static PointScan scan(List<Sight> sights, java.util.function.LongUnaryOperator recorded) {
    PointScan scan = new PointScan(2);
    sights.sort(Comparator.comparingLong(Sight::trueNanos));
    long number = 0;
    for (Sight sight : sights) {
      sight.packet.seenBy(scan, ++number, recorded.applyAsLong(sight.trueNanos));
    }
    return scan;
  }

  /** The right times at which the far point recorded, in order. */
  long[] farTrueNanos() {
    return far.stream().mapToLong(Sight::trueNanos).sorted().toArray();
  }

  /** The transmissions that both points saw, of packets that neither saw twice. */
  List<Transmission> comparable() {
    return transmissions.stream()
        .filter(each -> each.nearNanos() >= 0 && each.farNanos() >= 0)
        .filter(each -> transmissions.stream().noneMatch(other -> isSeenAgain(each, other)))
        .toList();
  }

  private static boolean isSeenAgain(Transmission each, Transmission other) {
    return other.number() != each.number()
        && other.packet().ports() == each.packet().ports()
        && other.packet().sequence() == each.packet().sequence()
        && other.packet().payload() == each.packet().payload()
        && other.packet().flags() == each.packet().flags()
        && (other.packet().payload() > 0
            || other.packet().acknowledgement() == each.packet().acknowledgement())
        && (other.nearNanos() >= 0 || other.farNanos() >= 0);
  }
}
