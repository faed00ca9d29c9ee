package org.terrace.analysis;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;

/**
 * A stall before its causes are known.
 *
 * @param startNanos its start, in nanoseconds since the Unix epoch
 * @param endNanos its end
 * @param peakLoad the most requests in flight during it
 * @param silenceNanos the longest time in it without a message
 * @param behaviour what the server did in it
 * @param waitedFor the server whose answers it waited for; null when it stood still
 */
record DetectedStall(
    long startNanos,
    long endNanos,
    int peakLoad,
    long silenceNanos,
    Findings.Behaviour behaviour,
    @Nullable String waitedFor)
    implements Serializable {

  /** A stall in which the server stood still. */
  DetectedStall(long startNanos, long endNanos, int peakLoad, long silenceNanos) {
    this(startNanos, endNanos, peakLoad, silenceNanos, Findings.Behaviour.STOOD_STILL, null);
  }

  /** This stall as one in which the server waited for another. */
  DetectedStall waitingFor(String server) {
    return new DetectedStall(
        startNanos, endNanos, peakLoad, silenceNanos, Findings.Behaviour.WAITED, server);
  }

  /** This stall as one in which the server's host was silent too. */
  DetectedStall ofHost() {
    return new DetectedStall(
        startNanos, endNanos, peakLoad, silenceNanos, Findings.Behaviour.HOST_SILENT, null);
  }

  /** Whether this is a congested stretch, in which nobody in particular was waited for. */
  boolean isCongestion() {
    return behaviour == Findings.Behaviour.WAITED && waitedFor == null;
  }

  long lengthNanos() {
    return endNanos - startNanos;
  }

  /** The length of the part that another stall shares. */
  long sharedNanos(DetectedStall other) {
    return Math.max(0, Math.min(endNanos, other.endNanos) - Math.max(startNanos, other.startNanos));
  }
}
