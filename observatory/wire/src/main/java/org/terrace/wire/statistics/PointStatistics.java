package org.terrace.wire.statistics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets of one of several capture points, and the comparison of its clock. Immutable.
 *
 * @param name its name
 * @param files its captures in the order of time
 * @param packets packets in them
 * @param sharedPackets packets by which its clock was compared
 * @param comparedWith the point with whose clock it was compared; null for the reference
 * @param errorNanos the most by which a converted time may be off, from the first shared packet to
 *     the last; 0 for the reference, null if nothing bounds it
 * @param roundTripNanos the median time that a packet and the next one back spent between the two
 *     points; null if it is not known
 * @param clock its clock against the reference's; empty for the reference
 * @param warnings what limits the comparison, a sentence each
 */
public record PointStatistics(
    String name,
    List<String> files,
    long packets,
    long sharedPackets,
    @Nullable String comparedWith,
    @Nullable Long errorNanos,
    @Nullable Long roundTripNanos,
    List<ClockStretch> clock,
    List<String> warnings) {

  /** Copies the lists. */
  public PointStatistics {
    files = List.copyOf(files);
    clock = List.copyOf(clock);
    warnings = List.copyOf(warnings);
  }
}
