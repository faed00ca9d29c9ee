package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.nodes.fault.Fault;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/** The check that a trial's faults happened as they were planned. Stateless. */
final class FaultChecks {
  /** A fault may last less than planned by this, and by one of so many parts of its time. */
  private static final Duration SHORTER_BY = Duration.ofMillis(50);

  private static final int SHORTER_BY_PART = 10;

  /** A fault may begin later than planned by one of so many parts of the run, within bounds. */
  private static final int LATER_BY_PART = 10;

  private static final Duration LATER_BY_LEAST = Duration.ofSeconds(2);
  private static final Duration LATER_BY_MOST = Duration.ofSeconds(10);

  private static final String FAULT = "fault-";

  /** The faults that a process is told to make, one after the other, while it is not stopped. */
  private static final Set<String> TOLD =
      Set.of(
          EventKinds.FAULT_GC_PRESSURE,
          EventKinds.FAULT_CPU,
          EventKinds.FAULT_LOCK_CONVOY,
          EventKinds.FAULT_ROW_LOCK,
          EventKinds.FAULT_CHECKPOINT,
          EventKinds.FAULT_DIRTY_PAGES);

  /** A fault as planned: when in the run, and for how long. */
  private record Strike(Duration at, Duration lasting) {}

  private FaultChecks() {}

  /**
   * The check that every fault happened as often, and each time about when and for as long, as it
   * was planned.
   *
   * @param problems what the injector says did not happen
   * @param events everything that did
   * @param runStartNanos the start of the run, in nanoseconds since the Unix epoch
   * @param run the length of the run
   */
  static ValidityCheck happened(
      List<Fault> faults,
      List<String> problems,
      List<Event> events,
      long runStartNanos,
      Duration run) {
    int planned = faults.stream().mapToInt(fault -> fault.schedule().count()).sum();
    List<String> said = new ArrayList<>(problems);
    if (problems.isEmpty()) {
      Map<String, List<Strike>> strikes = new TreeMap<>();
      for (Fault fault : faults) {
        List<Strike> some =
            strikes.computeIfAbsent(
                fault.word() + " of " + fault.server(), strike -> new ArrayList<>());
        fault.schedule().moments().forEach(at -> some.add(new Strike(at, heldFor(fault))));
      }
      long laterBy = laterBy(run).toNanos();
      strikes.forEach((strike, some) -> {
        some.sort(Comparator.comparing(Strike::at));
        compare(strike, some, events, runStartNanos, laterBy, said);
      });
    }
    return new ValidityCheck(
        "faults-happened",
        said.isEmpty(),
        said.isEmpty() ? planned + " planned, all happened" : String.join("; ", said));
  }

  /** The time for which a fault holds its server; zero where that is not planned. */
  private static Duration heldFor(Fault fault) {
    return fault instanceof Fault.Kill ? Duration.ZERO : fault.length().orElse(Duration.ZERO);
  }

  /** The time after the planned moment within which a fault of a run is to have begun. */
  private static Duration laterBy(Duration run) {
    Duration part = run.dividedBy(LATER_BY_PART);
    Duration least = part.compareTo(LATER_BY_LEAST) < 0 ? LATER_BY_LEAST : part;
    return least.compareTo(LATER_BY_MOST) > 0 ? LATER_BY_MOST : least;
  }

  /** Compares the strikes of one kind at one server, in their order, with what happened. */
  private static void compare(
      String strike,
      List<Strike> planned,
      List<Event> events,
      long runStartNanos,
      long laterByNanos,
      List<String> said) {
    List<Event> happened =
        events.stream()
            .filter(event -> (FAULT + strike).equals(event.kind() + " of " + event.node()))
            .sorted(Comparator.comparingLong(Event::startNanos))
            .toList();
    if (happened.size() < planned.size()) {
      said.add("%s happened %d of %d times".formatted(strike, happened.size(), planned.size()));
      return;
    }
    for (int index = 0; index < planned.size(); index++) {
      Event event = happened.get(index);
      long atMillis = planned.get(index).at().toMillis();
      Duration lasted = Duration.ofNanos(event.endNanos() - event.startNanos());
      Duration lasting = planned.get(index).lasting();
      Duration least = lasting.minus(lasting.dividedBy(SHORTER_BY_PART)).minus(SHORTER_BY);
      if (lasted.compareTo(least) < 0) {
        said.add(
            "%s at %d ms lasted %d of %d ms"
                .formatted(strike, atMillis, lasted.toMillis(), lasting.toMillis()));
      }
      Event first = first(event, events);
      long due = runStartNanos + planned.get(index).at().toNanos();
      long late = first.startNanos() - Math.max(due, freeNanos(first, events));
      if (late > laterByNanos) {
        said.add(
            "%s at %d ms began %d ms late"
                .formatted(strike, atMillis, Duration.ofNanos(late).toMillis()));
      }
    }
  }

  /** The first that a fault does: before what a checkpoint writes, pages are made dirty. */
  private static Event first(Event event, List<Event> events) {
    return !event.kind().equals(EventKinds.FAULT_CHECKPOINT)
        ? event
        : events.stream()
            .filter(each -> each.kind().equals(EventKinds.FAULT_DIRTY_PAGES))
            .filter(each -> each.node().equals(event.node()))
            .filter(each -> each.startNanos() <= event.startNanos())
            .max(Comparator.comparingLong(Event::startNanos))
            .orElse(event);
  }

  /**
   * The moment from which on nothing that was planned held up a fault: of one kind there is one at
   * a time at a server, and whoever is told has time for one, once it is not stopped.
   */
  private static long freeNanos(Event fault, List<Event> events) {
    boolean isTold = TOLD.contains(fault.kind());
    return events.stream()
        .filter(each -> each.node().equals(fault.node()))
        .filter(each -> each.startNanos() < fault.startNanos())
        .filter(each ->
            each.kind().equals(fault.kind())
                || (isTold
                    && (TOLD.contains(each.kind()) || each.kind().equals(EventKinds.FAULT_PAUSE))))
        .mapToLong(each -> Math.min(each.endNanos(), fault.startNanos()))
        .max()
        .orElse(Long.MIN_VALUE);
  }
}
