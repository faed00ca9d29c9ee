package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.List;

/**
 * Income over pressure, as a share of the most that could be earned: near its top while servers
 * have room, near its bottom when they are overfull, and falling between the two. Immutable.
 *
 * <p>The curve is top - (top - bottom) / (1 + (half / pressure)^steepness). Which one holds is
 * known by Bayes' rule on a grid, from what trials earned and from what services usually do: they
 * earn nearly all while there is room, and begin to lose it a little before their servers are full.
 *
 * @param top the share earned without pressure
 * @param bottom the share earned when overfull; below 0 where penalties exceed revenue
 * @param half the pressure at which it lies halfway
 * @param steepness how suddenly it falls
 */
record IncomeCurve(double top, double bottom, double half, double steepness) {
  private static final double[] TOPS = {0.8, 0.86, 0.9, 0.93, 0.96, 0.98, 1};
  private static final int HALVES = 29;
  private static final double FIRST_HALF = 0.5;
  private static final double HALF_STEP = 0.025;
  private static final double[] STEEPNESSES = {3, 4.5, 6, 8, 11, 15, 20, 28, 40};

  private static final double USUAL_TOP = 0.98;
  private static final double TOP_DEVIATION = 0.05;
  private static final double USUAL_HALF = 0.97;
  private static final double HALF_DEVIATION = 0.12;
  private static final double USUAL_STEEPNESS = 14;
  private static final double STEEPNESS_DEVIATION = 0.7;
  private static final double ERROR = 0.01;

  /** Less than this part of the greatest weight is left out. */
  private static final double IMPROBABLE = 1e-3;

  /** The most that bottoms differ, which a trial under high pressure shows at once. */
  private static final double[] BOTTOMS = {-1.5, -1, -0.7, -0.5, -0.3, -0.15, 0, 0.1, 0.2, 0.4};

  /** A pressure from which a trial shows the bottom. */
  private static final double OVERFULL = 1.8;

  /** A curve and its probability, or what is in proportion to it. */
  record Weighted(IncomeCurve curve, double weight) {}

  /** The curves of the grid that are not improbable, given what trials earned at pressures. */
  static List<Weighted> posterior(List<Double> pressures, List<Double> shares) {
    double[] bottoms = BOTTOMS;
    for (int i = 0; i < pressures.size(); i++) {
      if (pressures.get(i) > OVERFULL) {
        bottoms = new double[] {shares.get(i)};
      }
    }
    List<IncomeCurve> curves = new ArrayList<>();
    List<Double> surprises = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    for (double top : TOPS) {
      for (double bottom : bottoms) {
        for (int i = 0; i < HALVES; i++) {
          for (double steepness : STEEPNESSES) {
            IncomeCurve curve = new IncomeCurve(top, bottom, FIRST_HALF + i * HALF_STEP, steepness);
            double surprise = curve.surprise(pressures, shares);
            least = Math.min(least, surprise);
            curves.add(curve);
            surprises.add(surprise);
          }
        }
      }
    }
    List<Weighted> probable = new ArrayList<>();
    for (int i = 0; i < curves.size(); i++) {
      double weight = Math.exp((least - surprises.get(i)) / 2);
      if (weight > IMPROBABLE) {
        probable.add(new Weighted(curves.get(i), weight));
      }
    }
    return probable;
  }

  double at(double pressure) {
    return top - (top - bottom) / (1 + Math.pow(half / pressure, steepness));
  }

  private double surprise(List<Double> pressures, List<Double> shares) {
    double sum =
        square((top - USUAL_TOP) / TOP_DEVIATION)
            + square((half - USUAL_HALF) / HALF_DEVIATION)
            + square(Math.log(steepness / USUAL_STEEPNESS) / STEEPNESS_DEVIATION);
    for (int i = 0; i < pressures.size(); i++) {
      // Overfull servers answer less the fuller they are, which the curve leaves out.
      double error = pressures.get(i) > OVERFULL ? 5 * ERROR : ERROR;
      sum += square((at(pressures.get(i)) - shares.get(i)) / error);
    }
    return sum;
  }

  private static double square(double value) {
    return value * value;
  }
}
