package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;

/** The end of a server's line: what is known of its congestion point, and no more. */
class OutputsTest {
  private static String line(@Nullable Double load, @Nullable Double low, @Nullable Double high) {
    CongestionPoint point =
        new CongestionPoint(
            load != null,
            load,
            low,
            high,
            522.7,
            null,
            List.of(),
            null,
            null,
            null,
            null,
            null,
            null);
    CongestionEpisode beyond =
        new CongestionEpisode(
            0, 2_500_000_000L, CongestionEpisode.Kind.BEYOND, 9, 0.4, 1, List.of(), null);
    return Outputs.congestion(
        new ServerFindings(
            "app2",
            "app",
            100,
            10,
            new Findings.Latency(1, 1, 1, 1, 1),
            point,
            List.of(),
            high == null ? List.of() : List.of(beyond),
            null,
            List.of(),
            null,
            null,
            List.of()));
  }

  @Test
  void aKnownPointHasItsInterval() {
    assertThat(line(4.0, 3.5, 4.5)).isEqualTo("N* 4.0 (3.5 to 4.5), beyond it 1 times for 2.5 s");
  }

  /** The highest load may be far beyond a limit that is not known. */
  @Test
  void ofAnUnknownPointNoBoundIsClaimed() {
    assertThat(line(null, null, null)).isEqualTo("N* not known, highest load 522.7");
  }
}
