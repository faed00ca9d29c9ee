package org.terrace.studies.softstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RegimesTest {
  private static final Latency NOTHING = new Latency(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private static StalenessRun.Result result(long... stale) {
    long[] reads = new long[stale.length];
    java.util.Arrays.fill(reads, 100);
    var seen = new StalenessRun.Reads(NOTHING, reads, stale, new long[stale.length]);
    GossipRecording gossip = new GossipRecording(6, 600, 900, 3);
    return new StalenessRun.Result(2, 4.5, 8.1, seen, seen, 9, 6, 0, 0, gossip, 0);
  }

  @Test
  void aBinThatTheOverloadTouchesBelongsToIt() {
    Regimes regimes = Regimes.of(result(1, 0, 5, 6, 7, 3, 0));

    assertThat(regimes.before()).isEqualTo(1);
    assertThat(regimes.readsBefore()).isEqualTo(200);
    assertThat(regimes.during()).isEqualTo(18);
    assertThat(regimes.after()).isEqualTo(3);
    assertThat(regimes.duringShare()).isEqualTo(0.06);
  }

  @Test
  void recoveryLastsUntilTheLastBinWithAStaleRead() {
    assertThat(Regimes.of(result(0, 0, 5, 6, 7, 3, 0)).recoverySeconds())
        .isEqualTo(3.9, within(1e-9));
    assertThat(Regimes.of(result(1, 0, 0, 0, 0, 0, 0)).recoverySeconds()).isZero();
  }

  @Test
  void thePaceIsOfBinsWhollyBeforeAndWhollyInTheOverload() {
    long[] reads = {200, 200, 999, 100, 50, 999, 200};
    var seen =
        new StalenessRun.Reads(NOTHING, reads, new long[7], new long[] {1, 0, 1, 0, 2, 1, 0});
    Pace pace =
        Pace.of(
            new StalenessRun.Result(2, 4.5, 10.1, seen, seen, 9, 6, 0, 0, result().gossip(), 0),
            seen);

    assertThat(pace.before()).isEqualTo(100);
    assertThat(pace.during()).isEqualTo(37.5);
    assertThat(pace.kept()).isEqualTo(0.375);
    assertThat(pace.failedDuring()).isEqualTo(2);
  }

  @Test
  void withoutABinInTheOverloadNoPaceIsKnown() {
    assertThat(Pace.of(result(0, 0, 0), result(0, 0, 0).adaptive()).isKnown()).isFalse();
  }
}
