package org.terrace.studies.magical;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.studies.probes.ProbeRows;
import org.terrace.studies.services.FaultedCall;

class RecoveryTest {
  private static final long MILLI = 1_000_000;

  /** A call each 20 ms; those of 5 and 9 took longer. */
  private static ProbeRows calls() {
    long[] starts = LongStream.range(0, 20).map(i -> i * 20 * MILLI).toArray();
    long[] ends = starts.clone();
    for (int i = 0; i < ends.length; i++) {
      ends[i] += (i == 5 ? 15 : i == 9 ? 18 : 2) * MILLI;
    }
    return new ProbeRows(
        IntStream.range(0, 20).mapToObj(i -> new RequestIdentity(1, i + 1L)).toList(),
        starts,
        ends);
  }

  @Test
  void theCallUnderWayAtACrashCountsAndALaterSlowOneDoesNot() {
    Recovery recovery = Recovery.of(1, List.of(101 * MILLI), calls(), List.of(), 0);

    assertThat(recovery.delaysNanos()).containsExactly(15 * MILLI);
  }

  @Test
  void aCrashWhileTheClientThinksIsMetByTheNextCall() {
    Recovery recovery = Recovery.of(1, List.of(95 * MILLI), calls(), List.of(), 0);

    assertThat(recovery.delaysNanos()).containsExactly(15 * MILLI);
  }

  @Test
  void thePartsOfDelayedCallsAreMeans() {
    FaultedCall call = new FaultedCall(0, 10 * MILLI, MILLI, 2 * MILLI, 0, MILLI, MILLI, 4 * MILLI);

    Recovery recovery = Recovery.of(1, List.of(95 * MILLI), calls(), List.of(call), 0);

    assertThat(recovery.partsMillis()).containsExactly(1, 5, 4);
    assertThat(recovery.isDetectionLargest()).isFalse();
  }
}
