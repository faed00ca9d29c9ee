package org.terrace.wire.points;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sides on which two capture points stand of the hosts whose packets they share. A packet is
 * seen first by the point nearer to its sender. So what the second point's clock leads by is larger
 * for packets that the first point's side sends than for those that come back, by a round trip
 * between the points, whatever the clocks' offset: packets close in time tell the side.
 */
final class PathSides {
  /** No two clocks are believed to go at rates that differ by more than this. */
  static final double DRIFT_MAX = 1e-3;

  /** Packets further apart tell nothing. */
  private static final long GAP_NANOS_MAX = 1_000_000_000;

  private static final int NONE = -1;

  private final long slackNanos;

  /** By the hosts of packets, their place in the arrays below. */
  private final LongTable places = new LongTable(Integer.MAX_VALUE);

  private int[] lesserSent = new int[0];
  private int[] greaterSent = new int[0];

  /** Pairs of packets by which the lesser host is on the first point's side, less the others. */
  private int[] votes = new int[0];

  private final long[] roundTrips;
  private int trips;

  /**
   * The sides that shared packets tell.
   *
   * @param slackNanos the most by which rounding falsifies a difference of two times
   */
  PathSides(SharedPackets packets, long slackNanos) {
    this.slackNanos = slackNanos;
    roundTrips = new long[packets.size()];
    for (int at = 0; at < packets.size(); at++) {
      int place = place(packets.hosts(at));
      boolean fromLesser = packets.fromLesser(at);
      int opposite = fromLesser ? greaterSent[place] : lesserSent[place];
      if (opposite != NONE) {
        vote(place, packets, fromLesser ? at : opposite, fromLesser ? opposite : at);
      }
      if (fromLesser) {
        lesserSent[place] = at;
      } else {
        greaterSent[place] = at;
      }
    }
    Arrays.sort(roundTrips, 0, trips);
  }

  private int place(long hosts) {
    int known = places.get(hosts);
    if (known != LongTable.ABSENT) {
      return known;
    }
    int place = places.size();
    places.put(hosts, place);
    if (place == votes.length) {
      lesserSent = Arrays.copyOf(lesserSent, place * 2 + 16);
      greaterSent = Arrays.copyOf(greaterSent, lesserSent.length);
      votes = Arrays.copyOf(votes, lesserSent.length);
    }
    lesserSent[place] = NONE;
    greaterSent[place] = NONE;
    return place;
  }

  private void vote(int place, SharedPackets packets, int lesserSends, int greaterSends) {
    long gap = Math.abs(packets.timeNanos(lesserSends) - packets.timeNanos(greaterSends));
    if (gap > GAP_NANOS_MAX) {
      return;
    }
    long difference = packets.leadNanos(lesserSends) - packets.leadNanos(greaterSends);
    if (Math.abs(difference) > slackNanos + gap * DRIFT_MAX) {
      votes[place] += Long.signum(difference);
      roundTrips[trips++] = Math.abs(difference);
    }
  }

  /**
   * The host that the first point is nearer to: 1 for the lesser, -1 for the greater, 0 when
   * nothing tells.
   */
  int nearer(long hosts) {
    int place = places.get(hosts);
    return place == LongTable.ABSENT ? 0 : Integer.signum(votes[place]);
  }

  /**
   * The median time that a packet and the next one back spent between the points; null if none is
   * known.
   */
  @Nullable Long roundTripNanos() {
    return trips == 0 ? null : Long.valueOf(roundTrips[trips / 2]);
  }
}
