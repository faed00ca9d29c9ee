package org.terrace.analysis.experience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.Findings.Cause;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.Verdict.CauseSummary;
import org.terrace.testing.Seeds;

class StallEpisodesTest {
  private static final Cause COLLECTION =
      new Cause("gc-pause", "app2", 0.9, 0.001, 0.002, null, null);
  private static final Cause KILL = new Cause("fault-kill", "app1", 0.2, 0.4, 0.5, null, null);

  @Test
  void stallsWithinASecondAreOneEpisodeAndLaterOnesAnother() {
    List<StallEpisode> episodes =
        StallEpisodes.of(
            List.of(
                server(
                    "app2",
                    still(18_300, 18_400, COLLECTION),
                    still(19_400, 19_700, COLLECTION, KILL),
                    still(20_701, 20_800))));

    assertThat(episodes).hasSize(2);
    StallEpisode first = episodes.getFirst();
    assertThat(first.stalls()).containsExactly(0, 1);
    assertThat(episodes.getLast().stalls()).containsExactly(2);
    assertThat(first.hostSilentStalls()).isZero();
    assertThat(first.startNanos()).isEqualTo(millis(18_300));
    assertThat(first.endNanos()).isEqualTo(millis(19_700));
    assertThat(first.stalledNanos()).isEqualTo(millis(400));
    assertThat(first.peakLoad()).isEqualTo(7);
    assertThat(first.likely()).containsExactly(new CauseSummary("gc-pause", "app2", 2));
    assertThat(first.possible()).containsExactly(new CauseSummary("fault-kill", "app1", 1));
    assertThat(first.waitedFor()).isNull();
  }

  @Test
  void whoWaitedJoinsWhomItWaitedForThroughOthersToo() {
    List<StallEpisode> episodes =
        StallEpisodes.of(
            List.of(
                server("web1", waited(1_000, 1_500, "app1")),
                server("app1", waited(1_020, 1_480, "db1")),
                server("db1", still(1_010, 1_450))));

    assertThat(episodes).hasSize(1);
    assertThat(episodes.getFirst().server()).isEqualTo("db1");
    assertThat(episodes.getFirst().waiters())
        .containsExactlyInAnyOrder(
            new StallEpisode.Waiter("app1", 1, millis(460)),
            new StallEpisode.Waiter("web1", 1, millis(500)));
  }

  @Test
  void aWaitForAServerThatDidNotStallIsAnEpisodeOfItsOwn() {
    List<StallEpisode> episodes =
        StallEpisodes.of(
            List.of(
                server("app1", waited(1_000, 1_500, "db1"), waited(9_000, 9_100, "db1")),
                server("db1", still(9_010, 9_090))));

    assertThat(episodes).extracting(StallEpisode::server).containsExactly("app1", "db1");
    assertThat(episodes.getFirst().waitedFor()).isEqualTo("db1");
    assertThat(episodes.getLast().waiters()).extracting("server").containsExactly("app1");
  }

  @Test
  void everyStallIsInExactlyOneEpisodeAndTheLongestComesFirst() {
    RandomGenerator random = Seeds.generator(Seeds.next("StallEpisodesTest"));
    for (int round = 0; round < 200; round++) {
      List<ServerFindings> servers = new ArrayList<>();
      for (String name : List.of("web1", "app1", "app2", "db1")) {
        List<Stall> stalls = new ArrayList<>();
        long at = 0;
        for (int i = random.nextInt(12); i > 0; i--) {
          at += 1 + random.nextInt(3_000);
          long end = at + 1 + random.nextInt(900);
          stalls.add(
              random.nextBoolean()
                  ? still(at, end)
                  : waited(at, end, List.of("app1", "db1", "gone").get(random.nextInt(3))));
          at = end;
        }
        servers.add(server(name, stalls.toArray(Stall[]::new)));
      }

      List<StallEpisode> episodes = StallEpisodes.of(servers);

      long listed =
          episodes.stream()
              .mapToLong(each ->
                  each.stalls().size()
                      + each.waiters().stream().mapToLong(StallEpisode.Waiter::waits).sum())
              .sum();
      assertThat(listed).isEqualTo(servers.stream().mapToLong(s -> s.stalls().size()).sum());
      assertThat(episodes.stream().map(StallEpisode::stalledNanos).toList())
          .isSortedAccordingTo((a, b) -> Long.compare(b, a));
      for (StallEpisode episode : episodes) {
        ServerFindings server =
            servers.stream()
                .filter(s -> s.name().equals(episode.server()))
                .findFirst()
                .orElseThrow();
        List<Stall> stalls = episode.stalls().stream().map(server.stalls()::get).toList();
        assertThat(stalls).isNotEmpty().doesNotHaveDuplicates();
        assertThat(stalls.getFirst().startNanos()).isEqualTo(episode.startNanos());
        assertThat(stalls.getLast().endNanos()).isEqualTo(episode.endNanos());
        assertThat(episode.stalledNanos())
            .isLessThanOrEqualTo(episode.endNanos() - episode.startNanos());
      }
    }
  }

  static ServerFindings server(String name, Stall... stalls) {
    return new ServerFindings(
        name,
        name.replaceAll("\\d", ""),
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
  }

  static Stall still(long fromMillis, long toMillis, Cause... causes) {
    return new Stall(
        millis(fromMillis), millis(toMillis), 7, 0, List.of(causes), Behaviour.STOOD_STILL, null);
  }

  private static Stall waited(long fromMillis, long toMillis, String server) {
    return new Stall(
        millis(fromMillis), millis(toMillis), 3, 1, List.of(), Behaviour.WAITED, server);
  }

  private static long millis(long millis) {
    return millis * 1_000_000;
  }
}
