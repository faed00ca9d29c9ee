package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from an episode of stalls to its packets, and to the requests that were held in it.
 * Immutable.
 *
 * @param firstFrame the last packet before the episode that begins or ends a request, counted from
 *     1 as Wireshark does; null where packets have no numbers, or several captures were read
 * @param lastFrame the first such packet after the episode
 * @param displayFilter the filter with which Wireshark shows the server's packets of the episode:
 *     by frames where they are known, by time otherwise
 * @param requestsHeld the requests that were at the server at some moment of the episode
 * @param longest those of them that took longest, the longest first
 * @param stalls the frames of each of its stalls, in order
 */
public record StallPackets(
    @Nullable Long firstFrame,
    @Nullable Long lastFrame,
    String displayFilter,
    long requestsHeld,
    List<HeldRequest> longest,
    List<FrameRange> stalls) {

  /** Copies the lists. */
  public StallPackets {
    longest = List.copyOf(longest);
    stalls = List.copyOf(stalls);
  }

  /**
   * A request that was at a server while it stalled.
   *
   * @param requestClass its class
   * @param client who sent it
   * @param arrivalNanos its arrival, in nanoseconds since the Unix epoch
   * @param micros its time between arrival and departure, in microseconds
   * @param outcome {@code ok}, {@code error}, {@code aborted} or {@code unfinished}
   * @param firstFrame its first packet; null where packets have no numbers
   * @param lastFrame the last packet of its answer
   */
  public record HeldRequest(
      String requestClass,
      String client,
      long arrivalNanos,
      double micros,
      String outcome,
      @Nullable Long firstFrame,
      @Nullable Long lastFrame) {}

  /**
   * The packets of a stretch of time, from the last one that begins or ends a request before it to
   * the first such one after it.
   *
   * @param first the first frame; null where packets have no numbers
   * @param last the last frame
   */
  public record FrameRange(@Nullable Long first, @Nullable Long last) {}
}
