package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.Findings.Cause;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;

/** The sentence that sums up one server. */
class ServerSentenceTest {
  private static final long MILLI = 1_000_000;
  private static final Stretch STRETCH = new Stretch(0, 10_000 * MILLI, "whole");

  private final List<Stall> stalls = new ArrayList<>();
  private final List<CongestionEpisode> episodes = new ArrayList<>();
  private CongestionPoint point =
      new CongestionPoint(
          false, null, null, null, 9, null, List.of(), null, null, null, null, null, null);

  @Test
  void aServerWithoutAnythingIsSaidNotToHaveStalled() {
    assertThat(sentence()).isEqualTo("app1 did not stall.");
  }

  @Test
  void aServerThatOnlyWaitedNamesForWhom() {
    stalls.add(waited(100, "db1"));

    assertThat(sentence()).isEqualTo("app1 only waited once, for db1.");
  }

  @Test
  void stallsAreCountedWithTheLongestAndWhatOverlapsThem() {
    Cause collection = new Cause("gc-pause", "app1", 1, 0.001, 0.01, 9.0, 0.9);
    Cause unproven = new Cause("fault-kill", "db1", 1, 0.5, 0.9, 1.0, 0.1);
    stalls.add(stall(1_000, 1_050, Behaviour.STOOD_STILL, collection));
    stalls.add(stall(2_000, 2_250, Behaviour.HOST_SILENT, unproven));

    assertThat(sentence())
        .isEqualTo(
            "app1 stalled 2 times, longest 250 ms at +2.0 s, once without an acknowledgement of"
                + " its host (host or network), overlapped by GC pauses of app1 (1).");
  }

  @Test
  void everythingThatWasFoundIsSaid() {
    stalls.add(stall(1_000, 1_050, Behaviour.STOOD_STILL));
    stalls.add(waited(100, "db1"));
    stalls.add(waited(200, "db1"));
    stalls.add(waited(300, "cache1"));
    episodes.add(episode(CongestionEpisode.Kind.SLOW, 400));
    episodes.add(episode(CongestionEpisode.Kind.BEYOND, 700));
    episodes.add(episode(CongestionEpisode.Kind.BEYOND, 800));
    point =
        new CongestionPoint(
            true, 12.4, 11.0, 14.1, 30, null, List.of(), null, null, null, null, null, null);

    assertThat(sentence())
        .isEqualTo(
            "app1 stalled once, for 50 ms at +1.0 s. Besides, it waited 3 times, mostly for db1."
                + " It was slower than usual at its load, once for 400 ms. It congests beyond 12.4"
                + " concurrent requests (11.0 to 14.1), 2 times for 1.5 s in all.");
  }

  @Test
  void whoWasOnlyHeldUpIsNotSaidToBeSlowOrToCongest() {
    for (CongestionEpisode.Kind kind : CongestionEpisode.Kind.values()) {
      episodes.add(new CongestionEpisode(0, 400 * MILLI, kind, 7, 0.4, 1, List.of(), "db1"));
    }
    episodes.add(
        new CongestionEpisode(
            0, 700 * MILLI, CongestionEpisode.Kind.SLOW, 7, 0.4, 1, List.of(), "cache1"));

    assertThat(sentence())
        .isEqualTo("app1 did not stall. It was held up by db1, 3 times for 1.5 s in all.");
  }

  private String sentence() {
    return Verdicts.sentence(
        new ServerFindings(
            "app1",
            "app",
            100,
            10,
            new Findings.Latency(1, 1, 1, 1, 1),
            point,
            stalls,
            episodes,
            null,
            List.of(),
            null,
            null,
            List.of()),
        STRETCH);
  }

  private static Stall waited(long startMillis, String server) {
    return new Stall(
        startMillis * MILLI, (startMillis + 20) * MILLI, 3, 1, List.of(), Behaviour.WAITED, server);
  }

  private static Stall stall(long startMillis, long endMillis, Behaviour how, Cause... causes) {
    return new Stall(startMillis * MILLI, endMillis * MILLI, 3, 0, List.of(causes), how, null);
  }

  private static CongestionEpisode episode(CongestionEpisode.Kind kind, long millis) {
    return new CongestionEpisode(0, millis * MILLI, kind, 7, 0.4, 1, List.of(), null);
  }
}
