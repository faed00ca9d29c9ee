package org.terrace.studies.magical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.terrace.studies.design.Correlation;

/**
 * The outcomes of all applications. Immutable.
 *
 * @param all each application on each middleware, in the order of running
 */
record Results(List<ApplicationResult> all) {
  static final double CONFIDENCE = 0.95;

  /** The quantile of the normal distribution for that confidence, both tails. */
  private static final double QUANTILE = 1.959963984540054;

  /** Fisher's z has the variance 1 / (n - 3). */
  private static final int FISHER = 3;

  private static final double ALMOST_ONE = 1 - 1e-12;

  /** Ranks of fewer configurations than this of an application tell nothing. */
  private static final int LEAST_CONFIGURATIONS = 4;

  Results {
    all = List.copyOf(all);
  }

  /** Each application once, on the middleware that it was run on first: claims are judged by it. */
  List<ApplicationResult> main() {
    Map<Subject, ApplicationResult> first = new LinkedHashMap<>();
    all.forEach(result -> first.putIfAbsent(result.subject(), result));
    return List.copyOf(first.values());
  }

  List<Measurement> measurements() {
    return main().stream().flatMap(result -> result.measurements().stream()).toList();
  }

  /** The correlation of ranks within each application, pooled over all. */
  Correlation within(ToDoubleFunction<Measurement> x, ToDoubleFunction<Measurement> y) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (ApplicationResult result : main()) {
      double[] first = centredRanks(result.measurements().stream().mapToDouble(x).toArray());
      double[] second = centredRanks(result.measurements().stream().mapToDouble(y).toArray());
      Arrays.stream(first).forEach(xs::add);
      Arrays.stream(second).forEach(ys::add);
    }
    return pooled(Correlation.pearson(array(xs), array(ys), CONFIDENCE));
  }

  /** Ranks within groups have one degree of freedom less for each further group. */
  private Correlation pooled(Correlation found) {
    boolean few =
        main().stream().anyMatch(each -> each.measurements().size() < LEAST_CONFIGURATIONS);
    double independent = found.pairs() - (main().size() - 1);
    if (few || independent <= FISHER) {
      return new Correlation(found.coefficient(), -1, 1, found.pairs(), independent);
    }
    double r = Math.clamp(found.coefficient(), -ALMOST_ONE, ALMOST_ONE);
    double z = Math.log((1 + r) / (1 - r)) / 2;
    double reach = QUANTILE / Math.sqrt(independent - FISHER);
    return new Correlation(
        found.coefficient(),
        Math.tanh(z - reach),
        Math.tanh(z + reach),
        found.pairs(),
        independent);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Ranks from -1/2 to 1/2; equal values share the mean of theirs. */
  private static double[] centredRanks(double[] values) {
    double[] ranks = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      int below = 0;
      int equal = 0;
      for (double other : values) {
        below += other < values[i] ? 1 : 0;
        equal += other == values[i] ? 1 : 0;
      }
      ranks[i] = (below + (equal - 1) / 2.0) / Math.max(1, values.length - 1) - 0.5;
    }
    return ranks;
  }

  static Correlation spearman(
      ApplicationResult result, ToDoubleFunction<Measurement> x, ToDoubleFunction<Measurement> y) {
    return Correlation.spearman(
        result.measurements().stream().mapToDouble(x).toArray(),
        result.measurements().stream().mapToDouble(y).toArray(),
        CONFIDENCE);
  }

  static Correlation pearson(
      List<Measurement> of, ToDoubleFunction<Measurement> x, ToDoubleFunction<Measurement> y) {
    return Correlation.pearson(
        of.stream().mapToDouble(x).toArray(), of.stream().mapToDouble(y).toArray(), CONFIDENCE);
  }

  /** All configurations with one value of a parameter: their outliers and the largest z-score. */
  record Level(int value, long calls, long outliers, double maxZ, double ceiling) {
    double share() {
      return (double) outliers / Math.max(1, calls);
    }
  }

  /** The levels of a parameter, the least first. */
  List<Level> levels(Function<MagicalConfiguration, Integer> parameter) {
    Map<Integer, List<Measurement>> by = new TreeMap<>();
    for (Measurement each : measurements()) {
      by.computeIfAbsent(parameter.apply(each.configuration()), _ -> new ArrayList<>()).add(each);
    }
    List<Level> levels = new ArrayList<>();
    by.forEach((value, group) ->
        levels.add(
            new Level(
                value,
                group.stream().mapToLong(Measurement::calls).sum(),
                group.stream().mapToLong(m -> m.tail().sigmaOutliers().count()).sum(),
                group.stream().mapToDouble(m -> m.tail().maxZ()).max().orElse(0),
                group.stream().mapToDouble(m -> m.tail().maxZCeiling()).max().orElse(0))));
    return levels;
  }

  /** The measurement with the largest z-score; there is at least one. */
  Measurement largest() {
    return measurements().stream()
        .max(Comparator.comparingDouble(each -> each.tail().maxZ()))
        .orElseThrow();
  }
}
