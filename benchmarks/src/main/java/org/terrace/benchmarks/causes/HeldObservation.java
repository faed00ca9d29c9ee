package org.terrace.benchmarks.causes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.HeldPlan;
import org.terrace.testing.HeldTiers;
import org.terrace.testing.Told;

/** A run of held-up servers as packets and logs show it: without the truth. */
final class HeldObservation {
  private static final long SECOND = 1_000_000_000L;

  private HeldObservation() {}

  static Observation of(HeldPlan plan, HeldTiers.Run run) {
    RequestTable.Builder rows = new RequestTable.Builder();
    run.visits()
        .forEach(visit ->
            rows.accept(
                new Request(
                    visit.server(),
                    visit.kind(),
                    visit.client(),
                    visit.startNanos(),
                    visit.startNanos(),
                    visit.endNanos(),
                    100,
                    1_000,
                    Outcome.OK,
                    1)));
    List<Event> events = new ArrayList<>();
    Stream.concat(plan.told().stream(), run.told().stream()).forEach(each -> events.add(of(each)));
    events.add(
        new Event(
            "experiment",
            EventKinds.PHASE_RUN,
            HeldTiers.START + SECOND,
            HeldTiers.START + (plan.seconds() - 1) * SECOND,
            Map.of()));
    return new Observation(
        List.of(
            new Server("web1", "web", List.of()),
            new Server("app1", "application", List.of()),
            new Server("db1", "database", List.of())),
        rows.build(),
        List.of(),
        events);
  }

  private static Event of(Told told) {
    return new Event(told.node(), told.kind(), told.startNanos(), told.endNanos(), Map.of());
  }
}
