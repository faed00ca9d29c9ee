package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Builds the table of request classes of a server or of the clients. Stateless. */
final class ClassTable {
  private ClassTable() {}

  /** The classes that ended anything, the largest share of time first. */
  static List<ClassSummary> of(
      List<String> names,
      Residences residences,
      double seconds,
      double[] serviceNanos,
      double[] units,
      double[] publishedUnits) {
    List<ClassSummary> table = new ArrayList<>();
    double allTime = Math.max(1, residences.total());
    double allSeconds = Math.max(seconds, Double.MIN_NORMAL);
    for (int i = 0; i < names.size(); i++) {
      int completed = residences.count(i);
      int errors =
          residences.ended(i, ServerRequests.ERROR) + residences.ended(i, ServerRequests.ABORTED);
      if (completed + errors == 0) {
        continue;
      }
      table.add(
          new ClassSummary(
              names.get(i),
              completed,
              errors,
              completed / allSeconds,
              residences.latency(i),
              residences.total(i) / allTime,
              Double.isNaN(serviceNanos[i]) ? null : serviceNanos[i] / 1e3,
              units[i],
              publishedUnits[i]));
    }
    table.sort(
        Comparator.comparingDouble(ClassSummary::timeShare)
            .reversed()
            .thenComparing(ClassSummary::requestClass));
    return table;
  }
}
