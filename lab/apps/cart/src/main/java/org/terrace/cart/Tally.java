package org.terrace.cart;

import java.util.Arrays;
import org.terrace.cart.process.Samples;

/**
 * The outcomes of the calls: latencies of reads and updates, failures, and stale reads in time.
 * Thread-safe.
 */
final class Tally {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Samples calls = new Samples();
  private final Samples reads = new Samples();
  private final Samples updates = new Samples();
  private final int binSeconds;
  private final long[] readsInBin;
  private final long[] staleInBin;
  private final long[] failedInBin;
  private long readsFailed;
  private long updatesUnknown;
  private long updatesNotExecuted;
  private long stale;
  private String firstFailure = "";

  Tally(int durationSeconds, int binSeconds) {
    this.binSeconds = binSeconds;
    int bins = durationSeconds / binSeconds + 1;
    readsInBin = new long[bins];
    staleInBin = new long[bins];
    failedInBin = new long[bins];
  }

  /** A read that was answered, so long after the measurement began. */
  synchronized void read(long sinceStartNanos, long latencyNanos, boolean isStale) {
    int bin = bin(sinceStartNanos);
    if (bin < 0) {
      return;
    }
    calls.add(latencyNanos);
    reads.add(latencyNanos);
    readsInBin[bin]++;
    if (isStale) {
      stale++;
      staleInBin[bin]++;
    }
  }

  /** An update that was acknowledged. */
  synchronized void update(long sinceStartNanos, long latencyNanos) {
    if (bin(sinceStartNanos) >= 0) {
      calls.add(latencyNanos);
      updates.add(latencyNanos);
    }
  }

  /** A read that was not answered. */
  synchronized void readFailed(long sinceStartNanos, String reason) {
    readsFailed++;
    failed(sinceStartNanos, reason);
  }

  /** An update that was not acknowledged. */
  synchronized void updateFailed(long sinceStartNanos, boolean unknown, String reason) {
    updatesUnknown += unknown ? 1 : 0;
    updatesNotExecuted += unknown ? 0 : 1;
    failed(sinceStartNanos, reason);
  }

  private void failed(long sinceStartNanos, String reason) {
    firstFailure = firstFailure.isEmpty() ? reason : firstFailure;
    int bin = bin(sinceStartNanos);
    if (bin >= 0) {
      failedInBin[bin]++;
    }
  }

  private int bin(long sinceStartNanos) {
    return sinceStartNanos < 0
        ? -1
        : (int) Math.min(readsInBin.length - 1, sinceStartNanos / NANOS_PER_SECOND / binSeconds);
  }

  synchronized long failures() {
    return readsFailed + updatesUnknown + updatesNotExecuted;
  }

  synchronized long staleReads() {
    return stale;
  }

  /** The fields of a JSON object, without its braces. */
  synchronized String toJson(double seconds) {
    return """
    "calls": %s,
    "reads": %s,
    "updates": %s,
    "readsFailed": %d,
    "updatesUnknown": %d,
    "updatesNotExecuted": %d,
    "firstFailure": "%s",
    "staleReads": %d,
    "binSeconds": %d,
    "readsInBin": %s,
    "staleInBin": %s,
    "failedInBin": %s\
    """
        .formatted(
            calls.toJson(seconds),
            reads.toJson(seconds),
            updates.toJson(seconds),
            readsFailed,
            updatesUnknown,
            updatesNotExecuted,
            firstFailure.replaceAll("[\"\\\\\\p{Cntrl}]", " "),
            stale,
            binSeconds,
            Arrays.toString(readsInBin),
            Arrays.toString(staleInBin),
            Arrays.toString(failedInBin));
  }
}
