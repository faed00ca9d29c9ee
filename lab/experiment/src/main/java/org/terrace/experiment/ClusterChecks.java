package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
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

  /** A page that waited so many times as long as any before the first loss hangs. */
  private static final int ORDINARY_TIMES = 2;

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
        missing.add(
            kill.node()
                + " was started again and did not return"
                + (nextKill(events, kill).isPresent() ? " before its next kill" : ""));
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

  /**
   * Whether any page failed later than a moment after the kill of a database. A page without an
   * answer when the load ended failed as well, unless it was asked after the run, or had not waited
   * for so long then that it need have been answered.
   */
  static ValidityCheck pages(RequestTable clients, List<Event> events) {
    List<Event> kills = kills(events);
    Pages pages = new Pages(clients, run(events), kills.getFirst().startNanos());
    int late = 0;
    int first = 0;
    long latest = 0;
    for (int row = 0; row < clients.size(); row++) {
      long end = clients.departureNanos(row);
      OptionalLong killed =
          kills.stream().mapToLong(Event::startNanos).filter(start -> start <= end).max();
      if (killed.isEmpty() || !pages.hasFailed(row)) {
        continue;
      }
      long after = end - killed.getAsLong();
      if (after > FIRST_MOMENT.toNanos()) {
        late++;
        latest = Math.max(latest, after);
      } else {
        first++;
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

  private static Optional<Event> run(List<Event> events) {
    return events.stream().filter(event -> event.kind().equals(EventKinds.PHASE_RUN)).findFirst();
  }

  /** The pages of a trial, and how long they may have waited in vain when the load ended. */
  private static final class Pages {
    private final RequestTable clients;
    private final long runEndNanos;
    private final long waitNanos;

    Pages(RequestTable clients, Optional<Event> run, long firstKillNanos) {
      this.clients = clients;
      this.runEndNanos = run.map(Event::endNanos).orElse(Long.MAX_VALUE);
      long since = run.map(Event::startNanos).orElse(Long.MIN_VALUE);
      long longest = 0;
      for (int row = 0; row < clients.size(); row++) {
        long end = clients.departureNanos(row);
        if (clients.outcome(row) == Outcome.OK && end >= since && end < firstKillNanos) {
          longest = Math.max(longest, end - clients.arrivalNanos(row));
        }
      }
      this.waitNanos = Math.max(FIRST_MOMENT.toNanos(), ORDINARY_TIMES * longest);
    }

    boolean hasFailed(int row) {
      return switch (clients.outcome(row)) {
        case ERROR, ABORTED -> true;
        case UNFINISHED -> {
          long asked = clients.arrivalNanos(row);
          yield asked < runEndNanos && clients.departureNanos(row) - asked > waitNanos;
        }
        default -> false;
      };
    }
  }

  private static List<Event> kills(List<Event> events) {
    return events.stream()
        .filter(event -> event.kind().equals(EventKinds.FAULT_KILL))
        .filter(event -> event.node().startsWith(Tier.DATABASE.label()))
        .toList();
  }

  /** The first event of a kind at a killed server that is before its next kill, if any is. */
  private static @Nullable Event firstAfter(List<Event> events, String kind, Event kill) {
    long next = nextKill(events, kill).orElse(Long.MAX_VALUE);
    return events.stream()
        .filter(event -> event.kind().equals(kind) && event.node().equals(kill.node()))
        .filter(event -> event.startNanos() >= kill.startNanos() && event.startNanos() < next)
        .min(Comparator.comparingLong(Event::startNanos))
        .orElse(null);
  }

  private static OptionalLong nextKill(List<Event> events, Event kill) {
    return kills(events).stream()
        .filter(event -> event.node().equals(kill.node()))
        .mapToLong(Event::startNanos)
        .filter(start -> start > kill.startNanos())
        .min();
  }

  private static long millis(Event from, Event to) {
    return Duration.ofNanos(to.startNanos() - from.startNanos()).toMillis();
  }
}
