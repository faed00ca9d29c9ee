package org.terrace.nodes.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The journal of a trial's faults: the events of those that happened, and the reasons of those that
 * did not. No method but {@link #end} waits for anything. Thread-safe.
 */
final class FaultJournal {
  private static final String CHECKPOINT = "checkpoint";

  /** The beginning of the kind of each fault's events. */
  private static final String KIND = "fault-";

  /** The kinds of events of what a server does by itself when it is told to, by the word for it. */
  private static final Map<String, String> ORDERED =
      Map.of(
          "gc-pressure",
          EventKinds.FAULT_GC_PRESSURE,
          "cpu",
          EventKinds.FAULT_CPU,
          "lock-convoy",
          EventKinds.FAULT_LOCK_CONVOY,
          "row-lock",
          EventKinds.FAULT_ROW_LOCK,
          CHECKPOINT,
          EventKinds.FAULT_CHECKPOINT,
          "dirty-pages",
          EventKinds.FAULT_DIRTY_PAGES);

  /** The details of a fault that began, and of whose end nobody knows. */
  static final Map<String, String> END_NOT_SEEN = Map.of("end", "not seen");

  /** Something that a server was told to do. */
  private record Ordered(String server, String kind) {}

  private final TimeSource time;
  private final List<Event> events = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<Ordered> told = new HashSet<>();
  private final Map<Ordered, Long> orderedSince = new HashMap<>();

  FaultJournal(TimeSource time) {
    this.time = time;
  }

  /** Takes a fault that is over. */
  synchronized void happened(
      String server, String kind, long since, long until, Map<String, String> details) {
    events.add(new Event(server, kind, since, Math.max(since, until), details));
  }

  /** Takes a sentence about a fault that was to happen and did not. */
  synchronized void problem(String sentence) {
    problems.add(sentence);
  }

  /** Notes that a server is told to make a fault, of which its lines tell from then on. */
  synchronized void told(String server, String word) {
    told.add(new Ordered(server, kind(word)));
    if (word.equals(CHECKPOINT)) {
      told.add(new Ordered(server, EventKinds.FAULT_DIRTY_PAGES));
    }
  }

  private static String kind(String word) {
    return Objects.requireNonNull(ORDERED.get(word), word);
  }

  /**
   * Takes a line that a server printed; those that are about no fault that it was told to make are
   * ignored, as a program of the user's may print what it likes.
   */
  synchronized void serverPrinted(String server, String line) {
    String[] words = line.split(" ", -1);
    String kind = words.length == 3 ? ORDERED.get(words[0]) : null;
    if (kind == null) {
      return;
    }
    Ordered ordered = new Ordered(server, kind);
    if (!told.contains(ordered)) {
      return;
    }
    try {
      long when = Long.parseLong(words[2]);
      if (words[1].equals("start")) {
        Long before = orderedSince.put(ordered, when);
        if (before != null) {
          endedUnseen(ordered, before, when);
        }
      } else {
        Long since = orderedSince.remove(ordered);
        if (since != null) {
          happened(server, kind, since, when, Map.of());
          notifyAll();
        }
      }
    } catch (NumberFormatException e) {
      problem(server + " printed '" + line + "', expected a time in nanoseconds");
    }
  }

  /**
   * Waits until the servers have told the ends of all that they began by an order, or for so long,
   * and tells of those that they have not. An interrupt ends the waiting, and is kept.
   */
  synchronized void end(Duration within) {
    long until = time.elapsedNanos() + within.toNanos();
    try {
      for (long left = within.toNanos(); left > 0; left = until - time.elapsedNanos()) {
        if (orderedSince.isEmpty()) {
          return;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    orderedSince.forEach((ordered, since) -> endedUnseen(ordered, since, time.epochNanos()));
    orderedSince.clear();
  }

  /** Takes a fault of whose end nobody told: it may have been over long before. */
  private void endedUnseen(Ordered ordered, long since, long until) {
    happened(ordered.server(), ordered.kind(), since, until, END_NOT_SEEN);
    problem(
        "%s of %s began, and its end was not told, so that nobody knows how long it lasted; what makes it has died, failed or is still at it, which its log may tell"
            .formatted(ordered.kind().substring(KIND.length()), ordered.server()));
  }

  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  synchronized List<String> problems() {
    return List.copyOf(problems);
  }
}
