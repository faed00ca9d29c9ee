package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Strata;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

/** Causes of the congestion that follows when an earlier server goes on after it stood still. */
class ReleasedQueuesTest {
  private static final int LENGTH_SECONDS = 600;
  private static final int STOPS = 60;
  private static final Stretch STRETCH =
      new Stretch(START, START + LENGTH_SECONDS * SECONDS, "whole");
  private static final List<Server> SERVERS =
      List.of(new Server("web1", "web", List.of()), new Server("app1", "app", List.of()));

  private final List<DetectedStall> stops = new ArrayList<>();
  private final List<DetectedStall> congested = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  /** Stops of web1, each of which congests app1 for as long when it ends. */
  private void draw(RandomGenerator random, String told) {
    stops.clear();
    congested.clear();
    events.clear();
    for (int i = 0; i < STOPS; i++) {
      long at = i * 10_000L + random.nextLong(9_000);
      long end = at + 120 + random.nextLong(230);
      stops.add(stall(at, end));
      congested.add(congestion(end, 2 * end - at));
      events.add(event(told, at, end));
    }
    long turn = random.nextLong(2_000);
    for (long at = turn; at < LENGTH_SECONDS * 1_000L - 400; at += 2_000) {
      events.add(event("compilation", at, at + 400));
    }
  }

  private boolean isNamed(String kind, double p) {
    Strata whole = Strata.byLevel(START, LENGTH_SECONDS * SECONDS, new double[1], 1);
    return Attribution.explain(
            SERVERS,
            List.of(stops, congested),
            Collections.nCopies(2, whole),
            events,
            STRETCH,
            AnalysisOptions.defaults())
        .get(1)
        .stream()
        .flatMap(stall -> stall.causes().stream())
        .filter(cause -> cause.kind().equals(kind))
        .map(Findings.Cause::p)
        .anyMatch(each -> each != null && each <= p);
  }

  /** Fails if a cause is named in many more draws than its level of 0.05 allows. */
  private void assertSeldomNamed(String kind, String test, Consumer<RandomGenerator> drawing) {
    RandomGenerator random = Seeds.generator(Seeds.next(test));
    double low =
        Trials.share(
            60,
            400,
            share -> share <= 0.15,
            round -> {
              drawing.accept(random);
              return isNamed(kind, 0.05);
            });
    assertThat(low).isLessThanOrEqualTo(0.15);
  }

  private static DetectedStall congestion(long fromMillis, long toMillis) {
    return new AnalyzedServer.Congestion(
            START + fromMillis * MILLIS, START + toMillis * MILLIS, true, 9, 1, null)
        .span();
  }

  @Test
  void aHarmlessEventThatComesOftenIsNoCause() {
    assertSeldomNamed(
        "compilation", "ReleasedQueuesTest.harmless", random -> draw(random, "phase-untold"));
  }

  /** Of congestion that comes of something else, a fifth of the time. */
  @Test
  void whatStoppedTheEarlierServerIsNoCauseOfCongestionThatComesAnyhow() {
    assertSeldomNamed(
        EventKinds.GC_PAUSE,
        "ReleasedQueuesTest.unrelated",
        random -> {
          draw(random, EventKinds.GC_PAUSE);
          congested.clear();
          long turn = random.nextLong(2_000);
          for (long at = turn; at < LENGTH_SECONDS * 1_000L - 400; at += 2_000) {
            congested.add(congestion(at, at + 400));
          }
        });
  }

  @Test
  void whatStoppedTheEarlierServerIsTheCause() {
    RandomGenerator random = Seeds.generator(Seeds.next("ReleasedQueuesTest.true"));
    for (int round = 0; round < 10; round++) {
      draw(random, EventKinds.GC_PAUSE);
      assertThat(isNamed(EventKinds.GC_PAUSE, 0.002)).isTrue();
    }
  }

  private static DetectedStall stall(long fromMillis, long toMillis) {
    long length = (toMillis - fromMillis) * MILLIS;
    return new DetectedStall(START + fromMillis * MILLIS, START + toMillis * MILLIS, 9, length);
  }

  private static Event event(String kind, long fromMillis, long toMillis) {
    return new Event(
        "web1", kind, START + fromMillis * MILLIS, START + toMillis * MILLIS, Map.of());
  }
}
