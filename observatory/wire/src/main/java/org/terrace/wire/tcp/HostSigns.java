package org.terrace.wire.tcp;

/**
 * The signs of life of one host, acknowledgements included, and the times in which a capture lost
 * packets of it. Takes O(1) memory but for what it finds, of which at most {@value #FOUND_MAX} are
 * kept apart. Confined to one thread.
 *
 * <p>A kernel acknowledges data within {@value #DELAYED_ACKNOWLEDGEMENT_MILLIS} ms whatever the
 * application does (Linux {@code TCP_DELACK_MAX}; RFC 1122 allows 500), so a host from which
 * nothing comes for longer, though data were sent to it, is itself silent, or the network is.
 */
final class HostSigns {
  static final int FOUND_MAX = 10_000;
  static final long DELAYED_ACKNOWLEDGEMENT_MILLIS = 250;

  /** A gap's interval up to this length is lost as a whole. */
  private static final long SHORT_NANOS = 100_000_000L;

  /** A pause of the traffic of a host that a gap may turn out to have made. */
  private static final long PAUSE_NANOS = 5_000_000L;

  private static final int PAUSES_KEPT = 64;
  private static final long NEVER = Long.MIN_VALUE;
  private static final long SILENT_NANOS = DELAYED_ACKNOWLEDGEMENT_MILLIS * 1_000_000L;

  private final TimeSpans silences = new TimeSpans(FOUND_MAX);
  private final TimeSpans losses = new TimeSpans(FOUND_MAX);
  private final long[] pauseStart = new long[PAUSES_KEPT];
  private final long[] pauseEnd = new long[PAUSES_KEPT];
  private int pauses;
  private long lastPacketNanos = NEVER;
  private long lastSentNanos = NEVER;
  private long unansweredSince = NEVER;

  /**
   * The host sent a packet.
   *
   * @param repeated whether it only says again what it had said before: a host that nothing reaches
   *     any more does that too
   */
  void sent(boolean repeated, long timeNanos) {
    seen(timeNanos);
    if (repeated) {
      return;
    }
    silentUntil(timeNanos);
    lastSentNanos = timeNanos;
    unansweredSince = NEVER;
  }

  /** A packet was sent to the host. */
  void received(boolean data, long timeNanos) {
    seen(timeNanos);
    if (data && unansweredSince == NEVER) {
      unansweredSince = timeNanos;
    }
  }

  /** The capture ends. */
  void end(long timeNanos) {
    silentUntil(timeNanos);
    unansweredSince = NEVER;
  }

  private void silentUntil(long timeNanos) {
    // Of a host that was never heard the capture may see one direction only.
    if (unansweredSince != NEVER
        && lastSentNanos != NEVER
        && timeNanos - unansweredSince >= SILENT_NANOS) {
      silences.add(unansweredSince, timeNanos);
    }
  }

  private void seen(long timeNanos) {
    if (lastPacketNanos != NEVER && timeNanos - lastPacketNanos >= PAUSE_NANOS) {
      int at = pauses++ % PAUSES_KEPT;
      pauseStart[at] = lastPacketNanos;
      pauseEnd[at] = timeNanos;
    }
    lastPacketNanos = Math.max(lastPacketNanos, timeNanos);
  }

  /**
   * Bytes of one of its connections were lost somewhere between two moments. A short interval is
   * lost as a whole; of a longer one, that of a connection that was idle, its last part, and the
   * longest pause of all the host's traffic in it, which lost packets may have made.
   */
  void lost(long fromNanos, long toNanos) {
    if (toNanos - fromNanos <= SHORT_NANOS) {
      losses.add(fromNanos, toNanos);
      return;
    }
    int longest = -1;
    for (int i = Math.max(0, pauses - PAUSES_KEPT); i < pauses; i++) {
      int at = i % PAUSES_KEPT;
      boolean within = pauseStart[at] < toNanos && pauseEnd[at] > fromNanos;
      if (within && (longest < 0 || lengthOf(at) > lengthOf(longest))) {
        longest = at;
      }
    }
    if (longest >= 0) {
      losses.add(pauseStart[longest], pauseEnd[longest]);
    }
    losses.add(toNanos - SHORT_NANOS, toNanos);
  }

  private long lengthOf(int pause) {
    return pauseEnd[pause] - pauseStart[pause];
  }

  /** The times in which data sent to it were not acknowledged and nothing came from it. */
  TimeSpans silences() {
    return silences;
  }

  /** The times in which the capture lost packets of it. */
  TimeSpans losses() {
    return losses.joined();
  }
}
