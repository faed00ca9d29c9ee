package org.terrace.studies.probes;

import java.util.List;
import org.terrace.core.RequestIdentity;

/**
 * The rows that one pair of probes wrote: for each call, its identity and the times before and
 * after. At a client they enclose the call, at a replica its execution. Row {@code i} of all
 * columns is one call.
 *
 * @param identities the calls
 * @param startNanos when each began
 * @param endNanos when each ended
 */
public record ProbeRows(List<RequestIdentity> identities, long[] startNanos, long[] endNanos) {
  /** Refuses columns of different lengths. */
  public ProbeRows {
    identities = List.copyOf(identities);
    if (identities.size() != startNanos.length || startNanos.length != endNanos.length) {
      throw new IllegalArgumentException(
          "columns differ in length: %d identities, %d starts, %d ends"
              .formatted(identities.size(), startNanos.length, endNanos.length));
    }
  }

  /** The number of calls. */
  public int size() {
    return startNanos.length;
  }

  /** The durations, in nanoseconds and in order of rows; a swapped pair is negative. */
  public long[] durations() {
    long[] durations = new long[size()];
    for (int i = 0; i < durations.length; i++) {
      durations[i] = endNanos[i] - startNanos[i];
    }
    return durations;
  }
}
