package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.MILLIS;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** The server that the whole analysis tells to have stood still while a database was stopped. */
class StoppedDatabaseTest {
  private static final double MOST = 0.8;
  private static final double LITTLE = 0.1;

  /** Two requests that are not answered may be slow ones; so many are not. */
  private static final int ENOUGH_TO_TELL = 6;

  private static PooledTiers.Size size(RandomGenerator random) {
    int calls = random.nextInt(1, 6);
    int pool = random.nextInt(2, 25);
    long callNanos = random.nextLong(200_000, 2 * MILLIS);
    long stepNanos = random.nextLong(50_000, MILLIS);
    int processors = random.nextInt(1, 9);
    double busyNanos =
        Math.max(
            (double) stepNanos * (calls + 1) / processors,
            (double) (callNanos + stepNanos) * calls / pool);
    int crowd = pool >= ENOUGH_TO_TELL && random.nextBoolean() ? random.nextInt(50) : 0;
    return new PooledTiers.Size(
        pool,
        processors,
        calls,
        (int) Math.clamp(0.5e9 / busyNanos, 50, 800),
        stepNanos,
        callNanos,
        random.nextBoolean(),
        crowd);
  }

  /** However many connections the application server once had, as at its start or for a backup. */
  @Test
  void aStoppedDatabaseIsNoStandstillOfTheServerInFrontOfIt() {
    for (long seed : Seeds.histories("stopped database", Depth.of(20, 3))) {
      RandomGenerator random = Seeds.generator(seed);
      PooledTiers.Size size = size(random);
      List<Event> stops = PooledTiers.stops(random.nextLong(200 * MILLIS, 1_500 * MILLIS));
      Findings findings = analyzed(new PooledTiers(size, stops, random).run());

      for (Event stop : stops) {
        String told = "seed %d, %s, %s".formatted(seed, size, stop);
        if (size.pool() >= ENOUGH_TO_TELL) {
          assertThat(share(findings, PooledTiers.DATABASE, stop, Behaviour.STOOD_STILL))
              .as(told)
              .isGreaterThan(MOST);
        }
        assertThat(share(findings, PooledTiers.APPLICATION, stop, Behaviour.STOOD_STILL))
            .as(told)
            .isLessThan(LITTLE);
      }
    }
  }

  @Test
  void aStoppedApplicationServerWaitsForNobody() throws Exception {
    Observation observation = ObservationFiles.read(InjectedStopsTest.folder("full-pool"));
    Findings findings = analyzed(observation);

    List<Event> stops =
        observation.events().stream()
            .filter(event -> event.kind().equals(EventKinds.FAULT_PAUSE))
            .toList();
    assertThat(stops).hasSize(7);
    for (Event stop : stops) {
      assertThat(share(findings, stop.node(), stop, Behaviour.STOOD_STILL))
          .as("%s", stop)
          .isGreaterThan(MOST);
      if (stop.node().equals(PooledTiers.DATABASE)) {
        assertThat(share(findings, PooledTiers.APPLICATION, stop, Behaviour.STOOD_STILL))
            .isLessThan(LITTLE);
      }
    }
  }

  private static Findings analyzed(Observation observation) {
    return Analysis.analyze(observation, AnalysisOptions.defaults()).findings();
  }

  /** The part of a stop that a server's stalls of a behaviour overlap. */
  private static double share(Findings findings, String server, Event stop, Behaviour behaviour) {
    DetectedStall whole = new DetectedStall(stop.startNanos(), stop.endNanos(), 0, 0);
    return findings.servers().stream()
            .filter(each -> each.name().equals(server))
            .flatMap(each -> each.stalls().stream())
            .filter(stall -> stall.behaviour() == behaviour)
            .mapToLong(stall ->
                whole.sharedNanos(new DetectedStall(stall.startNanos(), stall.endNanos(), 0, 0)))
            .sum()
        / (double) whole.lengthNanos();
  }
}
