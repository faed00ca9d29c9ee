package org.terrace.analysis;

import java.util.List;
import java.util.Locale;
import org.terrace.analysis.study.Validity;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;

/**
 * The choice of the part of an observation that is analysed: its run phase when it has one; else
 * all of it without a twentieth (at most ten seconds) at each end, or all when it is shorter than
 * five seconds.
 *
 * <p>Series are kept cell by cell, so their memory grows with the length of the stretch, and a few
 * packets with wrong time stamps can make that years. So an observation in which nothing arrives
 * for an hour counts as several, of which the one with the most requests is analysed, and of one
 * longer than six hours the six with the most. What is left out is told by {@link #validity}.
 */
final class Stretches {
  /** The longest stretch that is analysed. */
  static final long LONGEST_NANOS = 6 * 3_600_000_000_000L;

  /** A time without arrivals after which an observation counts as another. */
  static final long APART_NANOS = 3_600_000_000_000L;

  /** The basis of a stretch that leaves out more than its edges. */
  static final String BUSIEST = "busiest";

  private static final String WHOLE = "whole";
  private static final double TRIMMED_PART = 0.05;
  private static final long MOST_TRIMMED_NANOS = 10_000_000_000L;
  private static final long SHORTEST_TRIMMED_NANOS = 5_000_000_000L;

  private Stretches() {}

  static Stretch of(Observation observation) {
    for (Event event : observation.events()) {
      if (event.kind().equals(EventKinds.PHASE_RUN) && event.endNanos() > event.startNanos()) {
        long end = Math.min(event.endNanos(), event.startNanos() + LONGEST_NANOS);
        String basis = end < event.endNanos() ? BUSIEST : EventKinds.PHASE_RUN;
        return new Stretch(event.startNanos(), end, basis);
      }
    }
    RequestTable table = observation.requests();
    if (table.size() == 0) {
      return new Stretch(0, 0, WHOLE);
    }
    Rows rows = busiest(table);
    long start = table.arrivalNanos(rows.first);
    long latest = Math.min(start + LONGEST_NANOS, table.arrivalNanos(rows.end - 1) + APART_NANOS);
    long end = start;
    for (int row = rows.first; row < rows.end; row++) {
      end = Math.max(end, Math.min(latest, table.departureNanos(row)));
    }
    boolean all = rows.first == 0 && rows.end == table.size();
    if (end - start < SHORTEST_TRIMMED_NANOS) {
      return new Stretch(start, end + 1, all ? WHOLE : BUSIEST);
    }
    long cut = Math.min(MOST_TRIMMED_NANOS, (long) ((end - start) * TRIMMED_PART));
    return new Stretch(start + cut, end - cut, all ? "trimmed" : BUSIEST);
  }

  /** Rows of a table, which is sorted by arrival. */
  private record Rows(int first, int end) {
    int size() {
      return end - first;
    }
  }

  /** The most rows that lie within the longest stretch and follow each other closely enough. */
  private static Rows busiest(RequestTable table) {
    Rows best = new Rows(0, 0);
    int first = 0;
    for (int row = 0; row < table.size(); row++) {
      if (row > 0 && table.arrivalNanos(row) - table.arrivalNanos(row - 1) > APART_NANOS) {
        first = row;
      }
      while (table.arrivalNanos(row) - table.arrivalNanos(first) >= LONGEST_NANOS) {
        first++;
      }
      if (row + 1 - first > best.size()) {
        best = new Rows(first, row + 1);
      }
    }
    return best;
  }

  /** The check that a stretch leaves out no more than the edges of its observation. */
  static List<Validity> validity(RequestTable table, Stretch stretch) {
    int within = 0;
    for (int row = 0; row < table.size(); row++) {
      long arrival = table.arrivalNanos(row);
      within += arrival >= stretch.startNanos() && arrival < stretch.endNanos() ? 1 : 0;
    }
    return validity(stretch, within, table.size());
  }

  /** The same by the requests that arrived in the stretch, and all. */
  static List<Validity> validity(Stretch stretch, long within, long requests) {
    if (!stretch.basis().equals(BUSIEST)) {
      return List.of();
    }
    return List.of(
        new Validity(
            "whole-observation",
            false,
            String.format(
                Locale.ROOT,
                "only the busiest %.0f s were analysed, with %,d of %,d requests: the rest lies"
                    + " more than an hour apart, or beyond six hours",
                stretch.seconds(),
                within,
                requests)));
  }
}
