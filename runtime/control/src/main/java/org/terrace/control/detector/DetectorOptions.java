package org.terrace.control.detector;

import java.time.Duration;

/**
 * When the fault detector suspects and convicts.
 *
 * @param heartbeatPeriod how often a replica says that it is alive; 1 ms or more
 * @param suspectPhi the suspicion from which a replica is suspected, so that callers hedge; 0 or
 *     more
 * @param convictPhi the suspicion from which it may be convicted; at least {@code suspectPhi}
 * @param convictSilence the shortest silence that convicts, whatever the suspicion: longer than any
 *     pause of scheduling or collection that a live replica is expected to have
 * @param window how many intervals between heartbeats the suspicion is estimated from; 2 or more
 */
public record DetectorOptions(
    Duration heartbeatPeriod,
    double suspectPhi,
    double convictPhi,
    Duration convictSilence,
    int window) {

  /** Refuses values out of range. */
  public DetectorOptions {
    if (heartbeatPeriod.toMillis() < 1 || convictSilence.isNegative() || window < 2) {
      throw new IllegalArgumentException(
          "expected a period of 1 ms or more, a silence of 0 or more and a window of 2 or more");
    }
    if (!(suspectPhi >= 0 && convictPhi >= suspectPhi)) {
      throw new IllegalArgumentException(
          "expected 0 <= suspectPhi <= convictPhi, got " + suspectPhi + " and " + convictPhi);
    }
  }

  /**
   * A heartbeat every 20 ms; suspected from phi 3 (one false suspicion in a thousand intervals, if
   * they were normally distributed), convicted from phi 12 and 400 ms of silence.
   */
  public static DetectorOptions defaults() {
    return new DetectorOptions(Duration.ofMillis(20), 3, 12, Duration.ofMillis(400), 200);
  }
}
