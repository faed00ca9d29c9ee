package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.economy.DayPlan.Reason;
import org.terrace.scaling.economy.Prices.DayLoad;

/**
 * The hours of a day, of each of which some configurations' income is known or of none, since
 * trials failed. Immutable.
 *
 * @param told the stretches that can be planned: those of which some income is known
 * @param untold all others
 * @param known the stretches of which each configuration's income is known, of those that were
 *     measured
 * @param unknown of the others, the loads of the day under which the income of a configuration is
 *     not known, and why
 */
record DayHours(
    List<Stretch> told,
    List<DayPlan.Untold> untold,
    Map<Configuration, Set<Stretch>> known,
    List<DayPlan.LeftOut> unknown) {
  /** Copies the lists. */
  DayHours {
    told = List.copyOf(told);
    untold = List.copyOf(untold);
    known = Collections.unmodifiableMap(new LinkedHashMap<>(known));
    unknown = List.copyOf(unknown);
  }

  /**
   * A stretch of the day with one load.
   *
   * @param minute when it begins, in minutes since midnight
   * @param minutes how long it is
   */
  record Stretch(int minute, int minutes, int users) {}

  /**
   * The hours of a day.
   *
   * @param lost the configurations under loads of which most trials failed
   * @throws IllegalArgumentException if the day has more users than any trial
   */
  static DayHours of(ProfitSurface surface, List<LostCell> lost, List<DayLoad> day) {
    refuseUntried(surface, lost, day);
    List<Stretch> stretches = stretches(day);
    Map<Configuration, Set<Stretch>> known = new LinkedHashMap<>();
    List<DayPlan.LeftOut> unknown = new ArrayList<>();
    for (Configuration configuration :
        Stream.concat(
                surface.cells().stream().map(ProfitCell::configuration),
                lost.stream().map(LostCell::configuration))
            .distinct()
            .toList()) {
      NavigableMap<Integer, ProfitCell> row = surface.of(configuration);
      List<Integer> failed =
          lost.stream()
              .filter(cell -> cell.configuration().equals(configuration))
              .map(LostCell::users)
              .toList();
      if (!row.isEmpty()) {
        known.put(
            configuration,
            stretches.stream()
                .filter(each -> whyUnknown(row, failed, each.users()) == null)
                .collect(Collectors.toSet()));
      }
      for (Reason reason : List.of(Reason.FAILED, Reason.NOT_MEASURED)) {
        List<Integer> loads =
            loads(
                stretches.stream().filter(each -> whyUnknown(row, failed, each.users()) == reason));
        if (!loads.isEmpty()) {
          int most = row.isEmpty() ? 0 : row.lastKey();
          unknown.add(new DayPlan.LeftOut(configuration, reason, loads, most));
        }
      }
    }
    Set<Stretch> some =
        known.values().stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    List<DayPlan.Untold> untold =
        stretches.stream()
            .filter(each -> !some.contains(each))
            .map(each -> new DayPlan.Untold(each.minute(), each.minutes(), each.users()))
            .toList();
    List<Stretch> told = stretches.stream().filter(some::contains).toList();
    return new DayHours(told, untold, known, unknown);
  }

  /** The loads of stretches, each once, ascending. */
  static List<Integer> loads(Stream<Stretch> stretches) {
    return stretches.map(Stretch::users).distinct().sorted().toList();
  }

  private static void refuseUntried(ProfitSurface surface, List<LostCell> lost, List<DayLoad> day) {
    int most = day.stream().mapToInt(DayLoad::users).max().orElse(0);
    int measured = surface.byLoad().lastKey().users();
    if (most > measured && lost.stream().noneMatch(cell -> cell.users() >= most)) {
      throw new IllegalArgumentException(
          "the day has "
              + most
              + " users, more than any configuration was measured with ("
              + measured
              + ")");
    }
  }

  private static List<Stretch> stretches(List<DayLoad> day) {
    List<Stretch> stretches = new ArrayList<>();
    for (int i = 0; i < day.size(); i++) {
      int from = day.get(i).minute();
      int to =
          i + 1 < day.size()
              ? day.get(i + 1).minute()
              : day.getFirst().minute() + Prices.DAY_MINUTES;
      stretches.add(new Stretch(from, to - from, day.get(i).users()));
    }
    return stretches;
  }

  /**
   * The reason for which the income of a configuration is not known under a load; null where it is:
   * there are no users, it was measured, or it lies between measured loads, or none and the least,
   * with no load between these at which trials failed.
   */
  private static @Nullable Reason whyUnknown(
      NavigableMap<Integer, ProfitCell> row, List<Integer> failed, int users) {
    Integer above = row.ceilingKey(users);
    if (above == null) {
      boolean tried = failed.stream().anyMatch(each -> each >= users);
      return tried ? Reason.FAILED : Reason.NOT_MEASURED;
    }
    if (users == 0 || above == users) {
      return null;
    }
    Integer below = row.floorKey(users);
    int from = below == null ? 0 : below;
    return failed.stream().anyMatch(each -> from < each && each < above) ? Reason.FAILED : null;
  }
}
