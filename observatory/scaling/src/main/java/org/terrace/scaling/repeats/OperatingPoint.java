package org.terrace.scaling.repeats;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The load of a cell and how it is answered, by which one knows whose repeats differ alike.
 * Immutable.
 *
 * @param users the load
 * @param answered the part of what its users ask of idle servers that is answered well, from 0 to 1
 */
public record OperatingPoint(int users, double answered) {
  /** Logarithms of loads that differ by so much are somewhat alike. */
  private static final double LOADS_ALIKE = 0.5;

  /** Logarithms of odds that differ by so much are somewhat alike. */
  private static final double ODDS_ALIKE = 0.4;

  /** Shares that differ by less than this part, near 0 and 1, are alike. */
  private static final double LEAST_SHARE = 0.01;

  /** A squared distance beyond which nothing is alike. */
  private static final double FAR = 20;

  /** Checks the figures. */
  public OperatingPoint {
    if (users < 1 || !(answered >= 0 && answered <= 1)) {
      throw new IllegalArgumentException("expected users, and a share from 0 to 1");
    }
  }

  /**
   * The demand on a cell and the part of it that was answered well, in any unit per second.
   *
   * @param users the load
   * @param variation the way in which the load is varied, under which users ask for alike
   * @param asked all that was asked for, at least 0
   * @param well what of it was answered well
   */
  public record Demand(int users, Map<String, String> variation, double asked, double well) {}

  /** The points of cells: idle servers are those with the most that was asked for by a user. */
  public static List<OperatingPoint> of(List<Demand> cells) {
    Map<Map<String, String>, Double> perUser = new HashMap<>();
    for (Demand cell : cells) {
      perUser.merge(cell.variation(), cell.asked() / cell.users(), Math::max);
    }
    List<OperatingPoint> points = new ArrayList<>();
    for (Demand cell : cells) {
      double most = perUser.getOrDefault(cell.variation(), 0.0);
      double answered = most > 0 ? Math.clamp(cell.well() / cell.users() / most, 0, 1) : 1;
      points.add(new OperatingPoint(cell.users(), answered));
    }
    return points;
  }

  /** The place of a cell in units of distance at which cells are somewhat alike. */
  record Place(double load, double odds) {
    /** The part by which the repeats of this cell tell of those of another: 1 of the same place. */
    double alike(Place other) {
      double loads = load - other.load;
      double shares = odds - other.odds;
      double square = loads * loads + shares * shares;
      return square > FAR ? 0 : Math.exp(-square / 2);
    }
  }

  /** The place of this point. */
  Place place() {
    return new Place(
        Math.log(users) / LOADS_ALIKE,
        Math.log((answered + LEAST_SHARE) / (1 - answered + LEAST_SHARE)) / ODDS_ALIKE);
  }
}
