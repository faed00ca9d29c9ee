package org.terrace.studies.failover;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.terrace.studies.services.EffectsOfRun;
import org.terrace.studies.services.FaultedCall;
import org.terrace.studies.services.ProbeFile;
import org.terrace.studies.services.StruckService.Strike;

/**
 * The outcome of one run. Times are in nanoseconds.
 *
 * @param probes every measured call
 * @param faulted the calls that met a fault
 * @param faults when each fault happened, and when there were two replicas again
 * @param unanswered calls that came to no reply
 * @param effects the updates that the client was told of, held against the database
 */
record StepResult(
    Step step,
    ProbeFile probes,
    List<FaultedCall> faulted,
    List<Strike> faults,
    int unanswered,
    EffectsOfRun effects) {

  StepResult {
    faulted = List.copyOf(faulted);
    faults = List.copyOf(faults);
  }

  /** For each fault that met a call, the row of the call that it delayed most. */
  int[] worstRows() {
    int[] worst = new int[faults.size()];
    Arrays.fill(worst, -1);
    for (int row = 0; row < probes.rows().size(); row++) {
      int fault = faultOf(row);
      if (fault >= 0 && (worst[fault] < 0 || length(row) > length(worst[fault]))) {
        worst[fault] = row;
      }
    }
    return Arrays.stream(worst).filter(row -> row >= 0).toArray();
  }

  /**
   * The fault that a call belongs to: the first that struck while it was under way, else the last
   * before it began; -1 if there is none. So a call that the next fault meets does not count for
   * the one before.
   */
  private int faultOf(int row) {
    int before = -1;
    for (int fault = 0; fault < faults.size(); fault++) {
      long at = faults.get(fault).atNanos();
      if (at > probes.rows().endNanos()[row]) {
        return before;
      }
      if (at >= probes.rows().startNanos()[row]) {
        return fault;
      }
      before = fault;
    }
    return before;
  }

  long length(int row) {
    return probes.rows().endNanos()[row] - probes.rows().startNanos()[row];
  }

  /** For each fault, how long the call took that it delayed most, the shortest first. */
  long[] delays() {
    return Arrays.stream(worstRows()).mapToLong(this::length).sorted().toArray();
  }

  /** The times until there were two replicas again, the shortest first. */
  long[] restorations() {
    return faults.stream()
        .flatMapToLong(fault -> fault.restoredAfterNanos().stream())
        .sorted()
        .toArray();
  }

  /** For each fault, the parts of the delayed call's time, where the client logged them. */
  List<FaultedCall> breakdowns() {
    return Arrays.stream(worstRows()).mapToObj(this::breakdown).flatMap(Optional::stream).toList();
  }

  /** The log and the probe read the clock one after the other. */
  private Optional<FaultedCall> breakdown(int row) {
    long start = probes.rows().startNanos()[row];
    long end = probes.rows().endNanos()[row];
    return faulted.stream()
        .filter(
            call -> call.startNanos() <= end && call.startNanos() + call.elapsedNanos() >= start)
        .filter(call -> call.elapsedNanos() > length(row) / 2)
        .findFirst();
  }

  /** The latencies of the calls that no fault delayed most, the shortest first. */
  long[] otherLatencies() {
    boolean[] worst = new boolean[probes.rows().size()];
    for (int row : worstRows()) {
      worst[row] = true;
    }
    long[] others = new long[worst.length];
    int count = 0;
    for (int row = 0; row < worst.length; row++) {
      if (!worst[row]) {
        others[count++] = length(row);
      }
    }
    others = Arrays.copyOf(others, count);
    Arrays.sort(others);
    return others;
  }

  static double maximumMillis(long[] sorted) {
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1] / 1e6;
  }

  static double minimumMillis(long[] sorted) {
    return sorted.length == 0 ? Double.NaN : sorted[0] / 1e6;
  }
}
