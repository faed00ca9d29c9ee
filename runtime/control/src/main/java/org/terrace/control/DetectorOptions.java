package org.terrace.control;

import java.time.Duration;

/**
 * The thresholds at which the fault detector suspects and declares failed.
 *
 * @param heartbeatPeriod how often a replica says that it is alive; 1 ms or more
 * @param suspectPhi the suspicion from which a replica is suspected, so that callers hedge; 0 or
 *     more
 * @param failedPhi the suspicion from which it may be declared failed; at least {@code suspectPhi}
 * @param failedSilence the shortest silence that declares failed, whatever the suspicion: longer
 *     than any pause of scheduling or collection that a live replica is expected to have
 * @param window how many intervals between heartbeats the suspicion is estimated from; 2 or more
 */
public record DetectorOptions(
    Duration heartbeatPeriod,
    double suspectPhi,
    double failedPhi,
    Duration failedSilence,
    int window) {

  /** Refuses values out of range. */
  public DetectorOptions {
    if (heartbeatPeriod.toMillis() < 1 || failedSilence.isNegative() || window < 2) {
      throw new IllegalArgumentException(
          "expected a period of 1 ms or more, a silence of 0 or more and a window of 2 or more");
    }
    if (!(suspectPhi >= 0 && failedPhi >= suspectPhi)) {
      throw new IllegalArgumentException(
          "expected 0 <= suspectPhi <= failedPhi, got " + suspectPhi + " and " + failedPhi);
    }
  }

  /**
   * A heartbeat every 20 ms; suspected from phi 3 (one false suspicion in a thousand intervals, if
   * they were normally distributed), declared failed from phi 12 and 400 ms of silence.
   */
  public static DetectorOptions defaults() {
    return new DetectorOptions(Duration.ofMillis(20), 3, 12, Duration.ofMillis(400), 200);
  }
}
