package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.experiment.watch.ReplicaHistory;
import org.terrace.nodes.fault.Fault;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;

/** The checks of a trial that has several databases: what a cluster of them promises. Stateless. */
final class ClusterChecks {
  /** All servers have the same rows in the end. */
  static final String EQUAL = "replicas-equal";

  /**
   * The check that a killed server was missed, and that one that was started again has returned.
   */
  static final String RETURNED = "replicas-returned";

  /** The loss of a server fails no page, but for those of its first moment. */
  static final String PAGES = "pages-after-loss";

  /** The time after the kill of a database in which pages may fail. */
  static final Duration FIRST_MOMENT = Duration.ofMillis(100);

  /** The word at the beginning of what a comparison without differences says. */
  private static final String SAME = "equal";

  private ClusterChecks() {}

  /**
   * All checks.
   *
   * @param compared what a comparison of all servers said, in lines
   */
  static List<ValidityCheck> of(
      Experiment experiment, List<String> compared, List<Event> events, RequestTable clients) {
    List<ValidityCheck> checks = new ArrayList<>();
    checks.add(equal(compared));
    if (!kills(events).isEmpty()) {
      checks.add(returned(experiment, events));
      checks.add(pages(clients, events));
    }
    return checks;
  }

  /** Judges a comparison of all servers, by its lines. */
  static ValidityCheck equal(List<String> compared) {
    boolean passed = compared.size() == 1 && compared.getFirst().startsWith(SAME);
    return new ValidityCheck(EQUAL, passed, String.join("; ", compared));
  }

  /** Whether each database that was killed was lost to the cluster, and returned if it could. */
  static ValidityCheck returned(Experiment experiment, List<Event> events) {
    List<String> missing = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    for (Event kill : kills(events)) {
      boolean restarted =
          experiment.faults().stream()
              .filter(fault -> fault.server().equals(kill.node()))
              .anyMatch(
                  fault -> fault instanceof Fault.Kill killed && killed.restart().isPresent());
      Event loss = firstAfter(events, ReplicaHistory.REPLICA_LOST, kill);
      Event back = firstAfter(events, ReplicaHistory.REPLICA_RETURNED, kill);
      if (loss == null) {
        missing.add("the cluster did not miss " + kill.node());
      } else if (restarted && back == null) {
        missing.add(kill.node() + " was started again and did not return");
      } else {
        seen.add(
            "%s was missed %d ms after its kill%s"
                .formatted(
                    kill.node(),
                    millis(kill, loss),
                    back == null ? "" : " and back after %d ms".formatted(millis(kill, back))));
      }
    }
    return new ValidityCheck(
        RETURNED, missing.isEmpty(), String.join("; ", missing.isEmpty() ? seen : missing));
  }

  /** Whether any page failed later than a moment after the kill of a database. */
  static ValidityCheck pages(RequestTable clients, List<Event> events) {
    int late = 0;
    int first = 0;
    long latest = 0;
    for (Event kill : kills(events)) {
      long until = kill.startNanos() + FIRST_MOMENT.toNanos();
      for (int row = 0; row < clients.size(); row++) {
        Outcome outcome = clients.outcome(row);
        boolean failed = outcome == Outcome.ERROR || outcome == Outcome.ABORTED;
        long end = clients.departureNanos(row);
        if (!failed || end < kill.startNanos()) {
          continue;
        }
        if (end > until) {
          late++;
          latest = Math.max(latest, end - kill.startNanos());
        } else {
          first++;
        }
      }
    }
    String detail =
        String.format(
            Locale.ROOT,
            "%d pages failed within %d ms of the kill of a database, and %d later",
            first,
            FIRST_MOMENT.toMillis(),
            late);
    return new ValidityCheck(
        PAGES,
        late == 0,
        late == 0
            ? detail
            : String.format(Locale.ROOT, "%s, the last after %.3f s", detail, latest / 1e9));
  }

  private static List<Event> kills(List<Event> events) {
    return events.stream()
        .filter(event -> event.kind().equals(EventKinds.FAULT_KILL))
        .filter(event -> event.node().startsWith(Tier.DATABASE.label()))
        .toList();
  }

  private static @Nullable Event firstAfter(List<Event> events, String kind, Event kill) {
    return events.stream()
        .filter(event -> event.kind().equals(kind) && event.node().equals(kill.node()))
        .filter(event -> event.startNanos() >= kill.startNanos())
        .findFirst()
        .orElse(null);
  }

  private static long millis(Event from, Event to) {
    return Duration.ofNanos(to.startNanos() - from.startNanos()).toMillis();
  }
}
