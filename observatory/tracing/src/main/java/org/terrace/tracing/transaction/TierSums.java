package org.terrace.tracing.transaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.tracing.transaction.ClassProfile.TierTime;

/**
 * The time of all requests by tier, for which no call needs a parent: what requests spent at a tier
 * less what the calls of that tier took. It holds where the calls of a request do not overlap. A
 * pure function. Stateless.
 */
public final class TierSums {
  private static final double NANOS_PER_MICRO = 1_000;

  /**
   * The part of all time by which the calls of a tier may exceed it: those that no request caused,
   * such as checks of health, and what is cut off at the edges of the stretch.
   */
  private static final double TOLERANCE = 0.05;

  private TierSums() {}

  /**
   * The mean time at each tier of a request that no observed server sent, without intervals, the
   * greatest first. None where nothing ended, and where calls overlap so much that they took longer
   * than the requests that made them.
   *
   * @param startNanos the start of the stretch in which requests end that are counted, in
   *     nanoseconds since the Unix epoch
   * @param endNanos its end, exclusive
   */
  public static List<TierTime> of(Observation observation, long startNanos, long endNanos) {
    RequestTable table = observation.requests();
    ServerGroups groups = new ServerGroups(table.servers(), observation.servers());
    int clients = table.servers().indexOf(Server.CLIENTS);
    int[] callers =
        table.clients().stream()
            .mapToInt(name -> name.equals(Server.CLIENTS) ? -1 : table.servers().indexOf(name))
            .toArray();
    double[] nanos = new double[groups.size()];
    double all = 0;
    long entries = 0;
    for (int row = 0; row < table.size(); row++) {
      long departure = table.departureNanos(row);
      if (table.server(row) == clients || departure < startNanos || departure >= endNanos) {
        continue;
      }
      double residence = departure - table.arrivalNanos(row);
      nanos[groups.of(table.server(row))] += residence;
      int caller = callers[table.client(row)];
      if (caller >= 0) {
        nanos[groups.of(caller)] -= residence;
      } else {
        entries++;
        all += residence;
      }
    }
    double positive = 0;
    for (double each : nanos) {
      positive += Math.max(0, each);
    }
    List<TierTime> times = new ArrayList<>();
    for (int group = 0; group < nanos.length; group++) {
      if (nanos[group] < -TOLERANCE * all) {
        return List.of();
      }
      if (nanos[group] > 0) {
        double micros = nanos[group] / entries / NANOS_PER_MICRO;
        times.add(new TierTime(groups.name(group), micros, null, null, nanos[group] / positive));
      }
    }
    times.sort(Comparator.comparingDouble(TierTime::micros).reversed());
    return entries == 0 ? List.of() : times;
  }
}
