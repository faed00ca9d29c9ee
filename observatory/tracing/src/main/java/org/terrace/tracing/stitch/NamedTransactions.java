package org.terrace.tracing.stitch;

import java.util.HashMap;
import java.util.Map;
import org.terrace.observation.RequestTable;

/**
 * The identifiers of transactions that the requests at one server carry in their bytes, as far as
 * they name one transaction only. What a server is asked under again and again, as by a client that
 * sends one {@code traceparent} with everything, names none: strangers would become one. An
 * identifier counts where at most {@value #REQUESTS_MAX} requests carry it within {@value
 * #WINDOW_SECONDS} seconds, and one request has at most {@value #CALLS_MAX} calls by it.
 *
 * <p>Confined to one thread.
 */
final class NamedTransactions {
  static final int REQUESTS_MAX = 100;
  static final int WINDOW_SECONDS = 60;
  static final int CALLS_MAX = 1_000;

  private static final long WINDOW_NANOS = WINDOW_SECONDS * 1_000_000_000L;

  private final long[] identifiers;
  private final int[] calls;

  /** The requests of some rows of a table, in the order of their arrival. */
  NamedTransactions(RequestTable table, int[] rows) {
    identifiers = new long[rows.length];
    calls = new int[rows.length];
    Map<Long, Use> uses = new HashMap<>();
    for (int row : rows) {
      long identifier = table.identifier(row);
      if (identifier != 0) {
        uses.computeIfAbsent(identifier, each -> new Use(table.arrivalNanos(row)))
            .again(table.arrivalNanos(row));
      }
    }
    for (int i = 0; i < rows.length; i++) {
      Use use = uses.get(table.identifier(rows[i]));
      identifiers[i] = use != null && use.namesOne() ? table.identifier(rows[i]) : 0;
    }
  }

  /** Whether a request carries an identifier, and may have one call more by it. */
  boolean names(int request, long identifier) {
    return identifier != 0 && identifiers[request] == identifier && calls[request] < CALLS_MAX;
  }

  /** A request has one call more by its identifier. */
  void countCall(int request) {
    calls[request]++;
  }

  /** The requests that carry one identifier. */
  private static final class Use {
    private final long firstNanos;
    private long lastNanos;
    private int count;

    private Use(long firstNanos) {
      this.firstNanos = firstNanos;
    }

    private void again(long atNanos) {
      lastNanos = atNanos;
      count++;
    }

    private boolean namesOne() {
      return count <= REQUESTS_MAX && lastNanos - firstNanos <= WINDOW_NANOS;
    }
  }
}
