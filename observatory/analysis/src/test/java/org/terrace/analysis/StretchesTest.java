package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.request;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.Validity;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

class StretchesTest {
  private static final com.sun.management.ThreadMXBean ALLOCATION =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long YEAR = 365 * 86_400 * SECONDS;

  @Test
  void timeStampsThatSpanFifteenYearsAreAnalysedWhereTheRequestsAre() {
    RequestTable.Builder table = new RequestTable.Builder();
    long stray = START - 15 * YEAR;
    table.accept(request("app1", "page", stray, START + 3 * MILLIS, Outcome.OK));
    for (int i = 0; i < 10_000; i++) {
      long arrival = START + i * MILLIS;
      table.accept(request("app1", "page", arrival, arrival + 2 * MILLIS, Outcome.OK));
    }
    Observation observation =
        new Observation(
            List.of(new Server("app1", "app", List.of())), table.build(), List.of(), List.of());

    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());

    assertThat(result.stretch().basis()).isEqualTo("busiest");
    assertThat(result.stretch().startNanos()).isEqualTo(START + 500 * MILLIS + 50_000);
    assertThat(result.stretch().seconds()).isBetween(8.9, 9.1);
    assertThat(result.findings().servers().getFirst().requests()).isEqualTo(10_001);
    assertThat(result.findings().validity())
        .singleElement()
        .satisfies(check -> {
          assertThat(check.passed()).isFalse();
          assertThat(check.detail()).contains("9,000 of 10,001 requests");
        });
  }

  @Test
  void memoryDoesNotGrowWithTheTimeThatIsSpanned() {
    long[] allocated = new long[2];
    for (int years = 0; years < 2; years++) {
      RequestTable.Builder table = new RequestTable.Builder();
      List<Event> events = new ArrayList<>();
      for (String server : List.of(Server.CLIENTS, "web1", "app1")) {
        for (int i = 0; i < 5_000; i++) {
          long arrival = START + i * MILLIS;
          table.accept(request(server, "page", arrival, arrival + 2 * MILLIS, Outcome.OK));
        }
        for (int year = -15 * years; year < 0; year++) {
          long arrival = START + year * YEAR;
          table.accept(request(server, "page", arrival, START + MILLIS, Outcome.OK));
          events.add(new Event(server, EventKinds.GC_PAUSE, arrival, START, Map.of()));
        }
      }
      Observation observation =
          new Observation(
              List.of(
                  new Server(Server.CLIENTS, Server.CLIENTS, List.of()),
                  new Server("web1", "web", List.of()),
                  new Server("app1", "app", List.of())),
              table.build(),
              List.of(),
              events);
      long before = ALLOCATION.getCurrentThreadAllocatedBytes();
      Analysis.analyze(observation, AnalysisOptions.defaults());
      allocated[years] = ALLOCATION.getCurrentThreadAllocatedBytes() - before;
    }

    // Cells of fifteen years alone would be 95 billion.
    assertThat(allocated[1]).isLessThan(2 * allocated[0] + 10_000_000);
  }

  @Test
  void aRunThatClaimsToLastForYearsIsCutAndSaysSo() {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("app1", "page", START, START + MILLIS, Outcome.OK));
    RequestTable requests = table.build();

    Stretch stretch =
        Stretches.of(
            Stations.observation(List.of(), requests, List.of(), START, START + 15 * YEAR));

    assertThat(stretch.seconds()).isLessThanOrEqualTo(6 * 3_600);
    assertThat(Stretches.validity(requests, stretch)).extracting(Validity::passed).contains(false);
  }

  @Test
  void aDayIsCutToItsBusiestHours() {
    RequestTable.Builder table = new RequestTable.Builder();
    for (int i = 0; i < 24 * 60; i++) {
      long minute = START + i * 60L * SECONDS;
      int requests = i >= 600 && i < 700 ? 10 : 1;
      for (int j = 0; j < requests; j++) {
        long arrival = minute + j * SECONDS;
        table.accept(request("app1", "page", arrival, arrival + MILLIS, Outcome.OK));
      }
    }
    RequestTable requests = table.build();

    Stretch stretch = Stretches.of(new Observation(List.of(), requests, List.of(), List.of()));

    assertThat(stretch.seconds()).isLessThanOrEqualTo(6 * 3_600);
    assertThat(stretch.startNanos()).isLessThan(START + 600 * 60 * SECONDS);
    assertThat(stretch.endNanos()).isGreaterThan(START + 690 * 60 * SECONDS);
    assertThat(Stretches.validity(requests, stretch)).extracting(Validity::passed).contains(false);
  }
}
