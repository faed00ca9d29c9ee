package org.terrace.control.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.control.DetectorOptions;
import org.terrace.testing.Seeds;

class FaultDetectorTest {
  private static final long MILLI = 1_000_000;
  private static final long TICK = 10 * MILLI;
  private static final DetectorOptions OPTIONS = DetectorOptions.defaults();

  private final FaultDetector detector = new FaultDetector(OPTIONS, TICK, 0);
  private long nowNanos;

  @Test
  void suspicionGrowsWithSilence() {
    PhiAccrual accrual = new PhiAccrual(10, 20 * MILLI, 0);
    for (long beat = 1; beat <= 10; beat++) {
      accrual.heartbeat(beat * 20 * MILLI);
    }

    double onTime = accrual.phi(220 * MILLI);
    double late = accrual.phi(240 * MILLI);
    double veryLate = accrual.phi(400 * MILLI);

    assertThat(onTime).isBetween(0.2, 0.4);
    assertThat(late).isGreaterThan(3).isLessThan(veryLate);
    assertThat(accrual.phi(1L << 60)).isGreaterThan(veryLate).isNotNaN();
  }

  @Test
  void aSilentReplicaIsSuspectedEarlyAndDeclaredFailedLate() {
    detector.connected("a", 0);
    beatFor(1_000 * MILLI, 20 * MILLI);
    long lastBeat = nowNanos;

    FaultDetector.Change suspected = awaitChange();
    long suspectedAfter = nowNanos - lastBeat;
    FaultDetector.Change failed = awaitChange();
    long failedAfter = nowNanos - lastBeat;

    assertThat(suspected.verdict()).isEqualTo(Verdict.SUSPECTED);
    assertThat(suspectedAfter).isBetween(30 * MILLI, 60 * MILLI);
    assertThat(failed.verdict()).isEqualTo(Verdict.HUNG);
    assertThat(failedAfter).isBetween(400 * MILLI, 420 * MILLI);
  }

  @Test
  void anEndedConnectionIsACrashAtOnce() {
    detector.connected("a", 0);

    assertThat(detector.disconnected("a")).isTrue();

    assertThat(detector.verdict("a")).isEqualTo(Verdict.CRASHED);
    assertThat(detector.disconnected("a")).isFalse();
  }

  @Test
  void aHeartbeatTakesAVerdictBack() {
    detector.connected("a", 0);
    awaitChange();
    awaitChange();
    assertThat(detector.verdict("a")).isEqualTo(Verdict.HUNG);

    detector.heartbeat("a", nowNanos);

    assertThat(awaitChange().verdict()).isEqualTo(Verdict.ALIVE);
  }

  @Test
  void nobodyIsDeclaredFailedForTheTimeInWhichTheDetectorStoodStill() {
    detector.connected("a", 0);
    beatFor(1_000 * MILLI, 20 * MILLI);

    nowNanos += 5_000 * MILLI;

    assertThat(detector.tick(nowNanos))
        .extracting(FaultDetector.Change::verdict)
        .doesNotContain(Verdict.HUNG);
  }

  @Test
  void beatsUpToAFewHundredMillisecondsLateDeclareNobodyFailed() {
    RandomGenerator random = Seeds.generator(Seeds.next("FaultDetectorTest"));
    detector.connected("a", 0);
    for (int beat = 0; beat < 10_000; beat++) {
      long pause = random.nextInt(50) == 0 ? random.nextLong(350) : random.nextLong(15, 45);
      for (long end = nowNanos + pause * MILLI; nowNanos + TICK <= end; ) {
        nowNanos += TICK;
        assertThat(detector.tick(nowNanos))
            .extracting(FaultDetector.Change::verdict)
            .doesNotContain(Verdict.HUNG);
      }
      detector.heartbeat("a", nowNanos);
    }
    assertThat(detector.suspicions()).isPositive();
  }

  private void beatFor(long durationNanos, long periodNanos) {
    for (long end = nowNanos + durationNanos; nowNanos < end; ) {
      nowNanos += TICK;
      if (nowNanos % periodNanos == 0) {
        detector.heartbeat("a", nowNanos);
      }
      assertThat(detector.tick(nowNanos)).isEmpty();
    }
  }

  private FaultDetector.Change awaitChange() {
    for (int tick = 0; tick < 1_000; tick++) {
      nowNanos += TICK;
      List<FaultDetector.Change> changes = detector.tick(nowNanos);
      if (!changes.isEmpty()) {
        return changes.getFirst();
      }
    }
    throw new AssertionError("no verdict changes");
  }
}
