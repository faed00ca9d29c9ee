package org.terrace.analysis;

import java.util.ArrayList;
import java.util.List;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.testing.StationSimulator.Bursts;
import org.terrace.testing.StationSimulator.RequestClass;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;

/** Stations and observations that the tests of this package share. */
final class Stations {
  static final long MILLIS = 1_000_000L;
  static final long SECONDS = 1_000_000_000L;

  /** A real epoch time, so that sums of epoch nanoseconds would overflow if anybody made them. */
  static final long START = 1_700_000_000_000_000_000L;

  private Stations() {}

  /** Three classes whose service times differ tenfold, in bursts. */
  static Settings bursty(int servers, double utilisation, int seconds) {
    return new Settings(
        servers,
        List.of(
            new RequestClass("read", 0.6, 0.8 * MILLIS, 2),
            new RequestClass("list", 0.3, 1.6 * MILLIS, 2),
            new RequestClass("write", 0.1, 8 * MILLIS, 2)),
        utilisation,
        new Bursts(0.6, 300 * MILLIS),
        START,
        seconds * SECONDS,
        List.of());
  }

  /** An observation of one station as server {@code app1}, all of it in the run phase. */
  static Observation observation(Settings settings, Run run) {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int i = 0; i < run.size(); i++) {
      String requestClass = settings.classes().get(run.requestClass()[i]).name();
      builder.accept(
          request(
              "app1", requestClass, run.arrivalNanos()[i], run.departureNanos()[i], Outcome.OK));
    }
    return observation(
        List.of(new Server("app1", "app", List.of())),
        builder.build(),
        List.of(),
        settings.startNanos(),
        settings.startNanos() + settings.durationNanos());
  }

  static Observation observation(
      List<Server> servers, RequestTable table, List<Event> events, long start, long end) {
    List<Event> all = new ArrayList<>(events);
    all.add(new Event("experiment", EventKinds.PHASE_RUN, start, end, java.util.Map.of()));
    return new Observation(servers, table, List.<Sample>of(), all);
  }

  static Request request(
      String server, String requestClass, long arrival, long departure, Outcome outcome) {
    return request(server, requestClass, "client", arrival, departure, outcome);
  }

  static Request request(
      String server,
      String requestClass,
      String client,
      long arrival,
      long departure,
      Outcome outcome) {
    return new Request(
        server, requestClass, client, arrival, arrival, departure, 100, 1_000, outcome, 1);
  }
}
