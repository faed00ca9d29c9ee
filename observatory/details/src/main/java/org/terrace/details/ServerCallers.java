package org.terrace.details;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.Percentiles;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/** The callers of each server, counted from the requests that ended in a stretch. Stateless. */
final class ServerCallers {
  /** Callers listed of one server. */
  private static final int CALLERS_MAX = 100;

  private static final double NANOS_PER_MICRO = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The calls of one server by one caller. */
  private static final class Calls {
    private long[] nanos = new long[64];
    private int answered;
    private long errors;

    void add(long residenceNanos, Outcome outcome) {
      errors += outcome == Outcome.ERROR || outcome == Outcome.ABORTED ? 1 : 0;
      if (outcome == Outcome.OK || outcome == Outcome.ERROR) {
        nanos = answered == nanos.length ? Arrays.copyOf(nanos, 2 * answered) : nanos;
        nanos[answered++] = residenceNanos;
      }
    }

    Caller named(String caller, double seconds) {
      long[] sorted = Arrays.copyOf(nanos, answered);
      Arrays.sort(sorted);
      double sum = Arrays.stream(sorted).asDoubleStream().sum();
      return new Caller(
          caller,
          answered,
          answered / seconds,
          new Findings.Latency(
              answered == 0 ? 0 : sum / answered / NANOS_PER_MICRO,
              micros(sorted, 50),
              micros(sorted, 99),
              micros(sorted, 99.9),
              micros(sorted, 100)),
          errors);
    }

    private static double micros(long[] sorted, double percent) {
      return sorted.length == 0
          ? 0
          : sorted[Percentiles.rank(sorted.length, percent) - 1] / NANOS_PER_MICRO;
    }
  }

  private ServerCallers() {}

  static Map<String, List<Caller>> of(RequestTable table, long startNanos, long endNanos) {
    int clients = table.servers().indexOf(Server.CLIENTS);
    int[] callers =
        table.clients().stream()
            .mapToInt(name -> name.equals(Server.CLIENTS) ? -1 : table.servers().indexOf(name))
            .toArray();
    Map<Long, Calls> calls = new HashMap<>();
    for (int row = 0; row < table.size(); row++) {
      long departure = table.departureNanos(row);
      if (table.server(row) != clients && departure >= startNanos && departure < endNanos) {
        long key = ((long) table.server(row) << Integer.SIZE) + callers[table.client(row)] + 1;
        calls
            .computeIfAbsent(key, each -> new Calls())
            .add(departure - table.arrivalNanos(row), table.outcome(row));
      }
    }
    double seconds = Math.max(1, endNanos - startNanos) / NANOS_PER_SECOND;
    Map<String, List<Caller>> found = new HashMap<>();
    calls.forEach((key, each) -> {
      int caller = key.intValue() - 1;
      found
          .computeIfAbsent(
              table.servers().get((int) (key >>> Integer.SIZE)), server -> new ArrayList<>())
          .add(each.named(caller < 0 ? Server.CLIENTS : table.servers().get(caller), seconds));
    });
    found.replaceAll((server, all) ->
        all.stream()
            .sorted(
                Comparator.comparingLong(Caller::calls).reversed().thenComparing(Caller::caller))
            .limit(CALLERS_MAX)
            .toList());
    return found;
  }
}
