package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.StallPackets.FrameRange;
import org.terrace.analysis.finding.StallPackets.HeldRequest;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.observation.Exchange;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

class FindingDetailsTest {
  private static final long MILLI = 1_000_000;

  private final RequestTable.Builder builder = new RequestTable.Builder();

  @Test
  void callersAreCountedFromWhatEndedInTheStretch() {
    add("web", "10.0.0.9", 0, 10, Outcome.OK, 1);
    add("web", "10.0.0.8", 0, 30, Outcome.ERROR, 2);
    add("web", "10.0.0.8", 0, 40, Outcome.ABORTED, 3);
    add("app", "web", 0, 5, Outcome.OK, 4);
    add("app", "web", 0, 5_000, Outcome.OK, 5);
    add(Server.CLIENTS, "users-1", 0, 10, Outcome.OK, 6);

    List<ServerFindings> servers = details(List.of(), 1_000 * MILLI).servers();

    assertThat(servers.get(0).callers())
        .extracting(Caller::caller, Caller::calls, Caller::callsPerSecond, Caller::errors)
        .containsExactly(tuple("clients", 2L, 2.0, 2L));
    assertThat(servers.get(0).callers().getFirst().residenceMicros())
        .isEqualTo(new Findings.Latency(20_000, 10_000, 30_000, 30_000, 30_000));
    assertThat(servers.get(1).callers())
        .extracting(Caller::caller, Caller::calls)
        .containsExactly(tuple("web", 1L));
  }

  @Test
  void responsesAreOfWhatEndedInTheStretchUsersFromWhenItWasToBeSent() {
    add("app", "web", 0, 10, Outcome.OK, 1);
    add("app", "web", 0, 10, Outcome.ERROR, 2);
    add("app", "web", 0, 300, Outcome.ABORTED, 3);
    add("app", "web", 0, 300, Outcome.UNFINISHED, 4);
    add("app", "web", 0, 1_000, Outcome.OK, 5);
    builder.accept(
        new Request(
            Server.CLIENTS,
            "view",
            "users-1",
            5 * MILLI,
            9 * MILLI,
            15 * MILLI,
            0,
            0,
            Outcome.OK,
            1,
            Exchange.NONE,
            null));

    assertThat(details(List.of(), 1_000 * MILLI).responses())
        .containsExactly(
            new ClassResponses(
                "clients", "view", 1, 0, List.of(9_216L, 10_240L), List.of(0L, 1L, 0L)),
            new ClassResponses(
                "app", "GET /", 3, 2, List.of(9_216L, 10_240L), List.of(0L, 2L, 0L)));
  }

  @Test
  void anEpisodeIsBracketedByPacketsAndNamesTheLongestThatItHeld() {
    add("app", "web", 0, 90, Outcome.OK, 10);
    add("app", "web", 95, 350, Outcome.OK, 20);
    add("app", "web", 150, 351, Outcome.OK, 30);
    add("app", "web", 151, 250, Outcome.ERROR, 40);
    add("app", "web", 152, 240, Outcome.OK, 50);
    add("app", "web", 400, 410, Outcome.OK, 60);

    StallPackets packets = packets(100, 300);

    assertThat(packets.firstFrame()).isEqualTo(20);
    assertThat(packets.lastFrame()).isEqualTo(29);
    assertThat(packets.displayFilter())
        .isEqualTo(
            "frame.number >= 20 && frame.number <= 29 && ip.addr == 10.0.0.2 && tcp.port == 80");
    assertThat(packets.requestsHeld()).isEqualTo(4);
    assertThat(packets.longest())
        .extracting(HeldRequest::micros, HeldRequest::outcome, HeldRequest::firstFrame)
        .containsExactly(
            tuple(255_000.0, "ok", 20L),
            tuple(201_000.0, "ok", 30L),
            tuple(99_000.0, "error", 40L));
    assertThat(packets.stalls()).containsExactly(new FrameRange(20L, 29L));
  }

  @Test
  void framesThatDoNotRiseWithTimeAreNotTold() {
    add("app", "web", 0, 90, Outcome.OK, 1_000);
    add("app", "web", 310, 400, Outcome.OK, 10);

    StallPackets packets = packets(100, 300);

    assertThat(packets.firstFrame()).isNull();
    assertThat(packets.displayFilter())
        .isEqualTo(
            "frame.time_epoch >= 0.100000000 && frame.time_epoch <= 0.300000000"
                + " && ip.addr == 10.0.0.2 && tcp.port == 80");
  }

  private StallPackets packets(long startMillis, long endMillis) {
    StallEpisode episode =
        new StallEpisode(
            "app",
            startMillis * MILLI,
            endMillis * MILLI,
            (endMillis - startMillis) * MILLI,
            4,
            List.of(0),
            0,
            null,
            List.of(),
            List.of(),
            List.of());
    StallPackets packets =
        details(List.of(episode), 1_000 * MILLI).stallEpisodes().getFirst().packets();
    assertThat(packets).isNotNull();
    return packets;
  }

  private Findings details(List<StallEpisode> episodes, long endNanos) {
    Findings findings =
        new Findings(
                Findings.FORMAT,
                null,
                Findings.Window.NONE,
                List.of(server("web", List.of()), server("app", stalls(episodes))),
                Findings.Transactions.NONE,
                null,
                List.of(),
                List.of())
            .withExperience(episodes, new UserExperience(null, List.of(), ""));
    Observation observation =
        new Observation(
            List.of(
                new Server("web", "web", List.of("10.0.0.1:80")),
                new Server("app", "app", List.of("10.0.0.2:80"))),
            builder.build(),
            List.of(),
            List.of());
    return FindingDetails.added(findings, observation, 0, endNanos);
  }

  private static List<Findings.Stall> stalls(List<StallEpisode> episodes) {
    return episodes.stream()
        .map(each ->
            new Findings.Stall(each.startNanos(), each.endNanos(), 4, 1, List.of(), null, null))
        .toList();
  }

  private static ServerFindings server(String name, List<Findings.Stall> stalls) {
    return new ServerFindings(
        name,
        name,
        9,
        9,
        new Findings.Latency(1, 1, 1, 1, 1),
        new CongestionPoint(
            false, null, null, null, 1, null, List.of(), null, null, null, null, null, null),
        stalls,
        List.of(),
        null,
        List.of(),
        null,
        null,
        List.of());
  }

  /** Adds a request whose packets are ten from a frame on. */
  private void add(
      String server, String client, long fromMillis, long toMillis, Outcome outcome, long frame) {
    builder.accept(
        new Request(
            server,
            "GET /",
            client,
            fromMillis * MILLI,
            fromMillis * MILLI,
            toMillis * MILLI,
            0,
            0,
            outcome,
            1,
            new Exchange(Exchange.UNKNOWN, Exchange.UNKNOWN, frame, frame + 9),
            null));
  }
}
