package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.bursty;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Pause;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;

/** Losses of the capture and silences of hosts, against pauses at known times. */
class PacketEvidenceTest {
  private static final int PAUSES = 10;
  private static final long LENGTH = 400 * MILLIS;

  private final Settings settings = bursty(4, 0.6, 40).withPauses(pauses());

  private static List<Pause> pauses() {
    List<Pause> pauses = new ArrayList<>();
    for (int i = 0; i < PAUSES; i++) {
      long start = START + (3 * i + 5) * SECONDS;
      pauses.add(new Pause(start, start + LENGTH));
    }
    return pauses;
  }

  private static Event event(String kind, Pause pause) {
    return new Event("app1", kind, pause.startNanos(), pause.endNanos(), Map.of());
  }

  private ServerFindings found(Run run, List<Event> events) {
    Observation plain = Stations.observation(settings, run);
    List<Event> all = new ArrayList<>(plain.events());
    all.addAll(events);
    Observation observation =
        new Observation(plain.servers(), plain.requests(), plain.samples(), all);
    return Analysis.analyze(observation, AnalysisOptions.defaults())
        .findings()
        .servers()
        .getFirst();
  }

  private static boolean stalledIn(ServerFindings server, Pause pause) {
    return server.stalls().stream()
        .anyMatch(stall ->
            stall.startNanos() < pause.endNanos() && stall.endNanos() > pause.startNanos());
  }

  @Test
  void timesInWhichTheCaptureLostPacketsAreNeitherStalledNorSlow() {
    Run run = new StationSimulator(settings).run(Seeds.next("PacketEvidenceTest.losses"));
    List<Pause> lost = settings.pauses().subList(0, PAUSES / 2);
    List<Event> losses = lost.stream().map(pause -> event(EventKinds.CAPTURE_LOSS, pause)).toList();

    ServerFindings without = found(run, List.of());
    ServerFindings with = found(run, losses);

    assertThat(settings.pauses()).allMatch(pause -> stalledIn(without, pause));
    assertThat(without.lostMillis()).isZero();
    assertThat(lost).noneMatch(pause -> stalledIn(with, pause));
    assertThat(settings.pauses().subList(PAUSES / 2, PAUSES))
        .allMatch(pause -> stalledIn(with, pause));
    assertThat(with.lostMillis()).isEqualTo(LENGTH / 1e6 * lost.size());
    assertThat(with.episodes())
        .noneMatch(episode ->
            lost.stream()
                .anyMatch(pause ->
                    episode.startNanos() < pause.endNanos()
                        && episode.endNanos() > pause.startNanos()));
    assertThat(with.stalls())
        .allSatisfy(stall ->
            assertThat(stall.causes())
                .noneMatch(cause -> cause.kind().equals(EventKinds.CAPTURE_LOSS)));
  }

  @Test
  void aStandstillWithoutAcknowledgementsIsTheHosts() {
    Run run = new StationSimulator(settings).run(Seeds.next("PacketEvidenceTest.host"));
    Pause host = settings.pauses().get(3);

    ServerFindings server = found(run, List.of(event(EventKinds.HOST_SILENT, host)));

    assertThat(server.stalls())
        .filteredOn(stall -> stall.behaviour() == Behaviour.HOST_SILENT)
        .singleElement()
        .satisfies(stall ->
            // Seen once somebody waits: in quiet times in one of 200,000 pauses after 20 ms only.
            assertThat(Math.abs(stall.startNanos() - host.startNanos())).isLessThan(40 * MILLIS));
    assertThat(server.stalls())
        .filteredOn(stall -> stall.behaviour() == Behaviour.STOOD_STILL)
        .hasSizeGreaterThanOrEqualTo(PAUSES - 1);
  }
}
