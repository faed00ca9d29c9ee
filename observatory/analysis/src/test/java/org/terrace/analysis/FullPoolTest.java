package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.finding.Findings.Behaviour.STOOD_STILL;
import static org.terrace.analysis.finding.Findings.Behaviour.WAITED;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.RadixSort;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * Stalls of a recorded trial in which PostgreSQL, and the application server with its pool of
 * connections to it, were stopped in turn by SIGSTOP and continued by SIGCONT: while the database
 * stands still, the pool is used up, so that the application server neither answers nor calls any
 * more. Other work shared the machine.
 */
class FullPoolTest {
  private static final double MOST = 0.8;
  private static final double LITTLE = 0.1;

  /** Until the pool is used up, the server still calls. */
  private static final double HALF = 0.5;

  @Test
  void whoHasNoConnectionLeftWaitsForTheServerThatHoldsThem() throws Exception {
    Observation observation = ObservationFiles.read(InjectedStopsTest.folder("full-pool"));
    List<Event> stops =
        observation.events().stream()
            .filter(event -> event.kind().equals(EventKinds.FAULT_PAUSE))
            .toList();
    List<DetectedStall> application = stalls(observation, "app1");
    List<DetectedStall> database = stalls(observation, "database1");

    assertThat(stops).hasSize(7);
    for (Event stop : stops) {
      boolean ofDatabase = stop.node().equals("database1");
      assertThat(share(ofDatabase ? database : application, stop, STOOD_STILL))
          .as("%s stood still: %s", stop.node(), stop)
          .isGreaterThan(MOST);
      if (ofDatabase) {
        assertThat(share(application, stop, WAITED)).as("%s", stop).isGreaterThan(HALF);
        assertThat(share(application, stop, STOOD_STILL)).as("%s", stop).isLessThan(LITTLE);
      } else {
        assertThat(share(application, stop, WAITED)).as("%s", stop).isLessThan(LITTLE);
      }
    }
    assertThat(application)
        .filteredOn(stall -> stall.behaviour() == WAITED)
        .allMatch(stall -> "database1".equals(stall.waitedFor()));
  }

  @Test
  void callsThatDoNotEndAreNoConnectionsThatAreWaitedFor() {
    long pause = START + 15 * SECONDS;
    long resumed = pause + 500 * MILLIS;
    RequestTable.Builder rows = new RequestTable.Builder();
    for (int stream = 0; stream < 200; stream++) {
      long begun = START + stream * MILLIS;
      add(rows, "web1", "GET /stream", "browser", begun, START + 30 * SECONDS);
      add(rows, "app1", "GET /stream", "web1", begun + MILLIS, START + 30 * SECONDS);
    }
    for (long arrival = START; arrival < START + 29 * SECONDS; arrival += 5 * MILLIS) {
      boolean isLate = arrival > pause - 3 * MILLIS && arrival < resumed;
      long begun = isLate ? resumed + (arrival - pause) / 50 : arrival;
      add(rows, "web1", "GET /page", "browser", arrival, begun + 3 * MILLIS);
      add(rows, "app1", "GET /page", "web1", begun + MILLIS, begun + 2 * MILLIS);
    }
    Observation observation =
        Stations.observation(
            List.of(new Server("web1", "web", List.of()), new Server("app1", "app", List.of())),
            rows.build(),
            List.of(),
            START,
            START + 30 * SECONDS);

    Event stop = new Event("web1", EventKinds.FAULT_PAUSE, pause, resumed, Map.of());
    assertThat(share(stalls(observation, "web1"), stop, STOOD_STILL)).isGreaterThan(MOST);
    assertThat(share(stalls(observation, "web1"), stop, WAITED)).isLessThan(LITTLE);
  }

  private static void add(
      RequestTable.Builder rows,
      String server,
      String requestClass,
      String client,
      long arrival,
      long departure) {
    rows.accept(
        new Request(
            server, requestClass, client, arrival, arrival, departure, 100, 1_000, Outcome.OK, 1));
  }

  private static List<DetectedStall> stalls(Observation observation, String server) {
    List<List<CallsOut>> calls = CallsOut.of(observation.requests());
    ServerRequests[] split = ServerRequests.split(observation.requests());
    Stretch stretch = Analysis.stretchOf(observation);
    RadixSort sort = new RadixSort();
    for (int i = 0; i < split.length; i++) {
      if (split[i].server.equals(server)) {
        return ServerStalls.detect(
                split[i],
                calls.get(i),
                Cells.of(split[i], stretch),
                Residences.of(split[i], stretch, sort),
                stretch,
                sort)
            .stalls();
      }
    }
    throw new AssertionError("no " + server);
  }

  /** The part of an event that stalls of that behaviour overlap. */
  private static double share(
      List<DetectedStall> stalls, Event event, Findings.Behaviour behaviour) {
    DetectedStall whole = new DetectedStall(event.startNanos(), event.endNanos(), 0, 0);
    return stalls.stream()
            .filter(stall -> stall.behaviour() == behaviour)
            .mapToLong(whole::sharedNanos)
            .sum()
        / (double) whole.lengthNanos();
  }
}
