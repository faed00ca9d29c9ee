package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.economy.Prices.DayLoad;

/**
 * The hours of a day parted into those that can be planned and those of which trials that failed
 * left nothing to plan with. Immutable.
 *
 * @param told the stretches that can be planned: those of which the income of one configuration,
 *     that with most of them, is known
 * @param untold all others
 * @param able the configurations whose income is known throughout those that can be planned
 */
record DayHours(List<Stretch> told, List<DayPlan.Untold> untold, Set<Configuration> able) {
  /** Copies the lists. */
  DayHours {
    told = List.copyOf(told);
    untold = List.copyOf(untold);
    able = Set.copyOf(able);
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
    Map<Configuration, List<Stretch>> known = new LinkedHashMap<>();
    List<Stretch> told = List.of();
    for (Configuration configuration :
        surface.cells().stream().map(ProfitCell::configuration).distinct().toList()) {
      NavigableMap<Integer, ProfitCell> row = surface.of(configuration);
      List<Integer> failed =
          lost.stream()
              .filter(cell -> cell.configuration().equals(configuration))
              .map(LostCell::users)
              .toList();
      List<Stretch> mine =
          stretches.stream().filter(each -> isKnown(row, failed, each.users())).toList();
      known.put(configuration, mine);
      told = minutes(mine) > minutes(told) ? mine : told;
    }
    Set<Configuration> able = new LinkedHashSet<>();
    List<Stretch> all = told;
    known.forEach((configuration, mine) -> {
      if (mine.containsAll(all)) {
        able.add(configuration);
      }
    });
    List<DayPlan.Untold> untold =
        stretches.stream()
            .filter(each -> !all.contains(each))
            .map(each -> new DayPlan.Untold(each.minute(), each.minutes(), each.users()))
            .toList();
    return new DayHours(told, untold, able);
  }

  private static void refuseUntried(ProfitSurface surface, List<LostCell> lost, List<DayLoad> day) {
    int most = day.stream().mapToInt(DayLoad::users).max().orElse(0);
    int measured = surface.byLoad().lastKey();
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

  private static int minutes(List<Stretch> stretches) {
    return stretches.stream().mapToInt(Stretch::minutes).sum();
  }

  /**
   * Whether the income of a configuration is known under a load: it was measured, or lies between
   * measured loads, or none and the least, with no load between these at which trials failed.
   */
  private static boolean isKnown(
      NavigableMap<Integer, ProfitCell> row, List<Integer> failed, int users) {
    Integer above = row.ceilingKey(users);
    if (above == null) {
      return false;
    }
    Integer below = row.floorKey(users);
    int from = below == null ? 0 : below;
    return above == users || failed.stream().noneMatch(each -> from < each && each < above);
  }
}
