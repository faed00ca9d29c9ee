package org.terrace.cart;

import java.util.Arrays;

/**
 * What came of the calls: latencies of reads and updates, failures, and stale reads in time.
 * Thread-safe.
 */
final class Tally {
  private static final int SAMPLES_MAX = 20_000_000;
  private static final int SAMPLES_FIRST = 1 << 12;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Latencies, in nanoseconds. */
  private static final class Samples {
    long[] nanos = new long[SAMPLES_FIRST];
    int size;
    long dropped;

    void add(long sample) {
      if (size == SAMPLES_MAX) {
        dropped++;
        return;
      }
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, Math.min(SAMPLES_MAX, 2 * size));
      }
      nanos[size++] = sample;
    }

    String toJson(double seconds) {
      long[] sorted = Arrays.copyOf(nanos, size);
      Arrays.sort(sorted);
      return "{\"count\": %d, \"perSecond\": %.1f, \"meanMicros\": %.1f, \"p50Micros\": %.1f, "
              .formatted(
                  size,
                  size / seconds,
                  Arrays.stream(sorted).average().orElse(0) / 1e3,
                  at(sorted, 0.5))
          + "\"p99Micros\": %.1f, \"p999Micros\": %.1f, \"maxMicros\": %.1f, \"notKept\": %d}"
              .formatted(at(sorted, 0.99), at(sorted, 0.999), at(sorted, 1), dropped);
    }

    private static double at(long[] sorted, double quantile) {
      int index = (int) Math.ceil(quantile * sorted.length) - 1;
      return sorted.length == 0 ? 0 : sorted[Math.max(0, index)] / 1e3;
    }
  }

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
