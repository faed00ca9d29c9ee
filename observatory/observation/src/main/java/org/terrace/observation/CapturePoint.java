package org.terrace.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A point, among several, at which packets were recorded, and its clock. Immutable.
 *
 * @param name its name
 * @param files its captures in the order of time
 * @param packets packets in them
 * @param sharedPackets packets by which its clock was compared; a sample if there were very many
 * @param comparedWith the point with whose clock it was compared; null for the reference, whose
 *     clock all times are of
 * @param errorNanos the most by which a time converted from its clock may be off, from the first
 *     shared packet to the last; 0 for the reference, null if nothing bounds it
 * @param roundTripNanos the median time that a packet and the next one back spent between it and
 *     the point that it was compared with; null if it is not known
 * @param clock its clock against the reference's, a stretch for each rate that it kept; empty for
 *     the reference
 * @param warnings what limits the comparison, a sentence each
 */
public record CapturePoint(
    String name,
    List<String> files,
    long packets,
    long sharedPackets,
    @Nullable String comparedWith,
    @Nullable Long errorNanos,
    @Nullable Long roundTripNanos,
    List<Offset> clock,
    List<String> warnings) {

  /** Copies the lists. */
  public CapturePoint {
    files = List.copyOf(files);
    clock = List.copyOf(clock);
    warnings = List.copyOf(warnings);
  }

  /**
   * The offset of a point's clock: how far it was ahead of the reference's; negative if it was
   * behind. A time in its file is the time in the tables, plus the offset, plus the drift since the
   * middle.
   *
   * @param startNanos the first shared packet of the stretch, by the reference's clock, in
   *     nanoseconds since the Unix epoch
   * @param endNanos the last one
   * @param offsetNanos the estimated offset in the middle between these
   * @param lowNanos the least offset then that contradicts no packet; null if nothing bounds it
   * @param highNanos the largest one; null if nothing bounds it
   * @param driftPpm the estimated change of the offset with time, in parts per million
   * @param driftLowPpm the least drift that contradicts no packet
   * @param driftHighPpm the largest one
   */
  public record Offset(
      long startNanos,
      long endNanos,
      long offsetNanos,
      @Nullable Long lowNanos,
      @Nullable Long highNanos,
      double driftPpm,
      double driftLowPpm,
      double driftHighPpm) {}
}
