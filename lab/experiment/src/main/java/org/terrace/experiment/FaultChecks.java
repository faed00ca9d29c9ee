package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.terrace.load.BurstOffer;
import org.terrace.load.Failure;
import org.terrace.load.LoadCheck;
import org.terrace.load.LoadResult;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.nodes.fault.PacketRules;
import org.terrace.nodes.fault.ReachedConnections;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.RequestTable;

/** The checks that know of a trial's planned faults. Stateless. */
final class FaultChecks {
  /** A fault may last less than planned by this, and by one of so many parts of its time. */
  private static final Duration SHORTER_BY = Duration.ofMillis(50);

  private static final int SHORTER_BY_PART = 10;

  /** A fault may begin later than planned by one of so many parts of the run, within bounds. */
  private static final int LATER_BY_PART = 10;

  private static final Duration LATER_BY_LEAST = Duration.ofSeconds(2);
  private static final Duration LATER_BY_MOST = Duration.ofSeconds(10);

  /** The time after a fault within which users reach a server again. */
  private static final Duration REACHED_WITHIN = Duration.ofSeconds(1);

  /** The time after its start within which a server that was killed listens again. */
  private static final Duration STARTED_WITHIN = Duration.ofSeconds(10);

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
    String idle = "";
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
      idle = idleCuts(events, runStartNanos);
    }
    return new ValidityCheck(
        "faults-happened",
        said.isEmpty(),
        said.isEmpty() ? planned + " planned, all happened" + idle : String.join("; ", said));
  }

  /** The cuts in which nobody sent anything, as the rest of a sentence; empty if there is none. */
  private static String idleCuts(List<Event> events, long runStartNanos) {
    return events.stream()
        .filter(event -> event.kind().equals(EventKinds.FAULT_CUT))
        .filter(event -> "0".equals(event.attributes().get(PacketRules.DROPPED)))
        .map(event ->
            "; cut of %s after %d ms dropped no packet, with %s of its connections open"
                .formatted(
                    event.node(),
                    Duration.ofNanos(event.startNanos() - runStartNanos).toMillis(),
                    event.attributes().getOrDefault(ReachedConnections.REACHED, "0")))
        .collect(Collectors.joining());
  }

  /** The reason for which a fault of the network did not concern all of a server's packets. */
  private static Optional<String> unreached(Event event) {
    return Optional.ofNullable(event.attributes().get(ReachedConnections.UNREACHED))
        .map(others ->
            "did not reach all connections of its server (%s), which are at another address than its own: connect from TERRACE_ADDRESS, or run with --target namespaces"
                .formatted(others));
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
      unreached(event)
          .or(() -> nothingOffered(event))
          .ifPresent(why -> said.add("%s at %d ms %s".formatted(strike, atMillis, why)));
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

  /** The reason for which a burst did not happen whose requests are told; empty of all others. */
  private static Optional<String> nothingOffered(Event event) {
    return event.kind().equals(EventKinds.FAULT_BURST)
        ? BurstOffer.of(event).flatMap(BurstOffer::missing)
        : Optional.empty();
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

  /**
   * The check of the users' connections, in which those do not count that a planned fault of an
   * entrance took: until it ended, and for a moment after, or after a killed server was started
   * again, which takes it longer.
   *
   * @param judged the check of the load generator, which knows no faults
   * @param failures the pages by how they ended
   * @param entrances the servers to which the users connect
   * @param events everything that happened
   */
  static LoadCheck connections(
      LoadCheck judged,
      Map<Failure, Long> failures,
      RequestTable pages,
      List<Fault> faults,
      List<String> entrances,
      List<Event> events) {
    List<Span> spans =
        faults.stream()
            .filter(fault -> entrances.contains(fault.server()) && isBarrier(fault))
            .flatMap(fault -> spans(fault, events))
            .toList();
    boolean local = failures.containsKey(Failure.LOCAL);
    if (!judged.name().equals(LoadResult.CONNECTIONS)
        || judged.passed()
        || spans.isEmpty()
        || local) {
      return judged;
    }
    long unconnected =
        failures.getOrDefault(Failure.REFUSED, 0L) + failures.getOrDefault(Failure.UNREACHABLE, 0L);
    long unsent =
        IntStream.range(0, pages.size())
            .filter(page -> LoadResult.isUnsent(pages, page))
            .filter(page -> spans.stream().anyMatch(span -> span.holds(pages, page)))
            .count();
    long taken = Math.min(unsent, unconnected);
    long left = unconnected - taken;
    return new LoadCheck(
        judged.name(),
        left <= LoadResult.MOST_UNCONNECTED * (pages.size() - taken),
        "%s; %d of them while %s could not be reached as planned, or within %d s after (%d s after a start), and %d of the other %d pages"
            .formatted(
                judged.detail(),
                taken,
                spans.stream()
                    .map(Span::server)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", ")),
                REACHED_WITHIN.toSeconds(),
                STARTED_WITHIN.toSeconds(),
                left,
                pages.size() - taken));
  }

  /** A time in which a server cannot be reached as it was planned. */
  private record Span(String server, long startNanos, long endNanos) {
    boolean holds(RequestTable pages, int page) {
      return pages.arrivalNanos(page) <= endNanos && pages.departureNanos(page) >= startNanos;
    }
  }

  /** Whether a fault keeps everybody from connecting to its server. */
  private static boolean isBarrier(Fault fault) {
    return fault instanceof Fault.Kill
        || fault instanceof Fault.Pause
        || fault instanceof Fault.SynDrop
        || (fault instanceof Fault.Network network
            && network.effect() instanceof NetworkEffect.Cut);
  }

  private static Stream<Span> spans(Fault fault, List<Event> events) {
    String server = fault.server();
    return events.stream()
        .filter(event -> event.node().equals(server))
        .filter(event -> event.kind().equals(FAULT + fault.word()))
        .map(event -> new Span(server, event.startNanos(), endNanos(fault, event, events)));
  }

  private static long endNanos(Fault fault, Event event, List<Event> events) {
    if (!(fault instanceof Fault.Kill kill)) {
      return event.endNanos() + REACHED_WITHIN.toNanos();
    }
    long started =
        events.stream()
            .filter(each -> each.kind().equals(RunningTrial.RESTART))
            .filter(each -> each.node().equals(event.node()))
            .filter(each -> each.startNanos() >= event.startNanos())
            .mapToLong(Event::endNanos)
            .min()
            .orElse(event.endNanos() + kill.restart().orElse(Duration.ZERO).toNanos());
    return kill.restart().isEmpty() ? Long.MAX_VALUE : started + STARTED_WITHIN.toNanos();
  }
}
