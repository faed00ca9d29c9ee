package org.terrace.wire.tcp;

import java.util.Arrays;

/**
 * The bytes one host received and sent, by intervals of equal length, and its signs of life.
 * Confined to one thread.
 */
public final class HostTraffic {
  private static final int INTERVALS_MIN = 16;

  final HostSigns signs = new HostSigns();

  private long[] received = new long[INTERVALS_MIN];
  private long[] sent = new long[INTERVALS_MIN];

  void add(int interval, long receivedBytes, long sentBytes) {
    if (interval >= received.length) {
      int length = Math.max(interval + 1, received.length * 2);
      received = Arrays.copyOf(received, length);
      sent = Arrays.copyOf(sent, length);
    }
    received[interval] += receivedBytes;
    sent[interval] += sentBytes;
  }

  /** Makes every two intervals one. */
  void halve() {
    halve(received);
    halve(sent);
  }

  private static void halve(long[] counts) {
    for (int i = 0; i < counts.length; i++) {
      long sum = 2 * i < counts.length ? counts[2 * i] : 0;
      counts[i] = 2 * i + 1 < counts.length ? sum + counts[2 * i + 1] : sum;
    }
  }

  /**
   * The times in which data sent to the host were not acknowledged and nothing came from it, for
   * longer than a kernel delays an acknowledgement.
   */
  public TimeSpans silences() {
    return signs.silences();
  }

  /** The times in which the capture lost packets of the host, as holes in its streams show. */
  public TimeSpans losses() {
    return signs.losses();
  }

  /** Bytes received in an interval. */
  public long received(int interval) {
    return interval < received.length ? received[interval] : 0;
  }

  /** Bytes sent in an interval. */
  public long sent(int interval) {
    return interval < sent.length ? sent[interval] : 0;
  }
}
