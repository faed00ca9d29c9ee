package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;

class CauseRankingTest {
  private static final long MILLIS = 1_000_000L;

  @Test
  void eachStallCountsForItsFirstSignificantCauseAlone() {
    Findings.Cause pause = cause("gc-pause", "app1", 1, 0.01);
    Findings.Cause checkpoint = cause("checkpoint", "db1", 0.5, 0.02);
    Findings.Cause chance = cause("compilation", "app1", 1, 0.6);
    CauseRanking ranking =
        ranking(
            stall(0, 60, 0, pause, checkpoint),
            stall(100, 130, 0.5, checkpoint, chance),
            stall(200, 210, 1, chance));

    assertThat(ranking.stalledMillis()).isEqualTo(100);
    assertThat(ranking.causes())
        .containsExactly(
            new CauseRanking.Ranked("gc-pause", "app1", 1, 0.6, 0.01),
            new CauseRanking.Ranked("checkpoint", "db1", 1, 0.15, 0.02));
    assertThat(ranking.unexplainedShare()).isCloseTo(0.25, within(1e-9));
    assertThat(ranking.sentence())
        .isEqualTo(
            "app1: 3 stalls, 100 ms: GC pauses of app1 60 % (p 0.010), checkpoints of db1 15 % (p"
                + " 0.020), unexplained 25 %");
  }

  @Test
  void whatNothingExplainsIsSaid() {
    assertThat(ranking(stall(0, 40, 1)).sentence())
        .isEqualTo("app1: 1 stall, 40 ms: unexplained 100 %");
  }

  private static CauseRanking ranking(Findings.Stall... stalls) {
    ServerFindings server =
        new ServerFindings(
            "app1",
            "app",
            1,
            1,
            new Findings.Latency(1, 1, 1, 1, 1),
            new CongestionPoint(
                false, null, null, null, 9, null, List.of(), null, null, null, null, null, null),
            List.of(stalls),
            List.of(),
            null,
            List.of(),
            null,
            null,
            List.of());
    return CauseRanking.of(
            new Findings(
                Findings.FORMAT,
                null,
                new Findings.Window(50, "given"),
                List.of(server),
                Findings.Transactions.NONE,
                null,
                List.of(),
                List.of()))
        .getFirst();
  }

  private static Findings.Cause cause(String kind, String node, double share, double p) {
    return new Findings.Cause(kind, node, share, p / 2, p, 10.0, 0.9);
  }

  private static Findings.Stall stall(
      long fromMillis, long toMillis, double unexplained, Findings.Cause... causes) {
    return new Findings.Stall(
        fromMillis * MILLIS,
        toMillis * MILLIS,
        9,
        unexplained,
        List.of(causes),
        Findings.Behaviour.STOOD_STILL,
        null);
  }
}
