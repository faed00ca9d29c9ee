package org.terrace.wire.points;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
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

  private final Map<Long, Votes> byHosts = new HashMap<>();
  private final long slackNanos;
  private final @Nullable Long roundTripNanos;

  private static final class Votes {
    private int lesserSent = -1;
    private int greaterSent = -1;
    private int sure;
  }

  /**
   * The sides that shared packets tell.
   *
   * @param slackNanos the most by which rounding falsifies a difference of two times
   */
  PathSides(SharedPackets packets, long slackNanos) {
    this.slackNanos = slackNanos;
    LongStream.Builder roundTrips = LongStream.builder();
    for (int at = 0; at < packets.size(); at++) {
      Votes votes = byHosts.computeIfAbsent(packets.hosts(at), hosts -> new Votes());
      boolean fromLesser = packets.fromLesser(at);
      int opposite = fromLesser ? votes.greaterSent : votes.lesserSent;
      if (opposite >= 0) {
        vote(votes, packets, fromLesser ? at : opposite, fromLesser ? opposite : at, roundTrips);
      }
      if (fromLesser) {
        votes.lesserSent = at;
      } else {
        votes.greaterSent = at;
      }
    }
    long[] sorted = roundTrips.build().sorted().toArray();
    roundTripNanos = sorted.length == 0 ? null : sorted[sorted.length / 2];
  }

  private void vote(
      Votes votes,
      SharedPackets packets,
      int lesserSent,
      int greaterSent,
      LongStream.Builder roundTrips) {
    long gap = Math.abs(packets.timeNanos(lesserSent) - packets.timeNanos(greaterSent));
    if (gap > GAP_NANOS_MAX) {
      return;
    }
    long difference = packets.leadNanos(lesserSent) - packets.leadNanos(greaterSent);
    if (Math.abs(difference) > slackNanos + gap * DRIFT_MAX) {
      votes.sure += Long.signum(difference);
      roundTrips.add(Math.abs(difference));
    }
  }

  /**
   * Which host the first point is nearer to: 1 for the lesser, -1 for the greater, 0 when nothing
   * tells.
   */
  int nearer(long hosts) {
    Votes votes = byHosts.get(hosts);
    return votes == null ? 0 : Integer.signum(votes.sure);
  }

  /**
   * The median time that a packet and the next one back spent between the points; null if none is
   * known.
   */
  @Nullable Long roundTripNanos() {
    return roundTripNanos;
  }
}
