package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.AlignedSamples;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.scaling.bottleneck.ResourceSaturation.Extent;

/**
 * Names the class of bottleneck that samples of resources show, by how often each is saturated and
 * whether they are saturated independently. Stateless; the same seed gives the same answer.
 */
public final class BottleneckClassifier {
  private static final Comparator<ResourceSaturation> MOST_SATURATED =
      Comparator.comparingDouble(ResourceSaturation::frequency)
          .reversed()
          .thenComparing(ResourceSaturation::node)
          .thenComparing(ResourceSaturation::resource);

  /** Seconds by which a sum of intervals may err. */
  private static final double ROUNDING = 1e-6;

  private final SaturationRules rules;
  private final long seed;

  /** A classifier by these rules, whose permutations follow from the seed. */
  public BottleneckClassifier(SaturationRules rules, long seed) {
    this.rules = rules;
    this.seed = seed;
  }

  /**
   * The class of bottleneck. Resources are compared at the moments at which all were read; a sample
   * of a longer interval than others counts for all of it.
   *
   * @param samples the samples of all resources of all nodes
   * @param limited whether throughput grows no more or requests fail; where not, no bottleneck is
   *     claimed, whatever is saturated
   */
  public Bottleneck classify(List<Utilisation> samples, boolean limited) {
    return classify(samples, List.of(Double.POSITIVE_INFINITY), limited);
  }

  /**
   * The class of bottleneck of repeats together, whose dependence is tested within each.
   *
   * @param samples the samples of all resources of all nodes, those of one repeat after those of
   *     the other
   * @param repeatSeconds the seconds that each repeat takes in them
   * @param limited whether throughput grows no more or requests fail
   */
  Bottleneck classify(List<Utilisation> samples, List<Double> repeatSeconds, boolean limited) {
    List<Utilisation> hardware = samples.stream().filter(Utilisation::isHardware).toList();
    List<ResourceSaturation> suspects =
        samples.stream()
            .map(each -> ResourceSaturation.of(each, rules))
            .filter(each -> !each.isHardware() && atTimes(each))
            .sorted(MOST_SATURATED)
            .toList();
    AlignedSamples aligned = AlignedSamples.finest(hardware);
    double union = union(aligned);
    return classified(hardware, suspects, union, repeatSeconds, limited)
        .withLeftOut(aligned.leftOut());
  }

  private Bottleneck classified(
      List<Utilisation> hardware,
      List<ResourceSaturation> suspects,
      double union,
      List<Double> repeatSeconds,
      boolean limited) {
    List<Utilisation> full = having(hardware, Extent.FULL);
    List<Utilisation> partial = having(hardware, Extent.PARTIAL);
    if (!limited) {
      return bottleneck(Kind.NONE, List.of(full, partial), suspects, union, null);
    }
    if (!full.isEmpty()) {
      Kind kind =
          !partial.isEmpty() ? Kind.MIXED : full.size() == 1 ? Kind.SINGLE : Kind.SIMULTANEOUS;
      return bottleneck(kind, List.of(full, partial), suspects, union, null);
    }
    if (partial.size() == 1 && !isReachedWithOthers(union, partial.getFirst())) {
      return bottleneck(Kind.PARTIAL, List.of(partial), suspects, union, null);
    }
    List<Utilisation> several = partial;
    if (partial.isEmpty() || partial.size() == 1) {
      several = new ArrayList<>(partial);
      several.addAll(having(hardware, Extent.RARE));
    }
    if (several.size() >= 2 && (!partial.isEmpty() || union >= rules.union())) {
      return severalAtTimes(several, suspects, union, repeatSeconds);
    }
    if (!partial.isEmpty()) {
      return bottleneck(Kind.PARTIAL, List.of(partial), suspects, union, null);
    }
    return bottleneck(
        union < rules.partial() ? Kind.NO_HARDWARE : Kind.UNCLEAR,
        List.of(several),
        suspects,
        union,
        null);
  }

  /**
   * Whether any resource is saturated so often that resources count together, and not by the one
   * that is saturated at times alone: others count that add as much as one such resource has.
   */
  private boolean isReachedWithOthers(double union, Utilisation partial) {
    double alone = ResourceSaturation.of(partial, rules).frequency();
    return union >= rules.union() && alone < rules.union() && union - alone >= rules.partial();
  }

  private Bottleneck severalAtTimes(
      List<Utilisation> several,
      List<ResourceSaturation> suspects,
      double union,
      List<Double> repeatSeconds) {
    AlignedSamples aligned = AlignedSamples.finest(several);
    if (aligned.moments() == 0) {
      return bottleneck(Kind.UNCLEAR, List.of(several), suspects, union, null);
    }
    Dependence dependence =
        Dependence.of(saturated(aligned, several.size(), repeatSeconds), rules, seed);
    Kind kind =
        switch (dependence.finding(rules)) {
          case BY_TURNS -> Kind.OSCILLATORY;
          case TOGETHER, NOT_BY_TURNS, NEITHER, INDEPENDENT, UNTESTED -> Kind.CONCURRENT;
          case FEW_TURNS, PARTLY_BY_TURNS, UNTOLD -> Kind.UNCLEAR;
        };
    return bottleneck(kind, List.of(several), suspects, union, dependence);
  }

  private Bottleneck bottleneck(
      Kind kind,
      List<List<Utilisation>> parts,
      List<ResourceSaturation> suspects,
      double union,
      @Nullable Dependence dependence) {
    List<ResourceSaturation> resources =
        parts.stream()
            .flatMap(List::stream)
            .map(each -> ResourceSaturation.of(each, rules))
            .sorted(MOST_SATURATED)
            .toList();
    List<String> tiers = resources.stream().map(ResourceSaturation::tier).distinct().toList();
    return new Bottleneck(
        kind,
        tiers,
        resources,
        suspects,
        union,
        dependence,
        dependence == null ? null : dependence.finding(rules),
        List.of(),
        0);
  }

  private List<Utilisation> having(List<Utilisation> samples, Extent extent) {
    return samples.stream()
        .filter(each -> ResourceSaturation.of(each, rules).extent() == extent)
        .toList();
  }

  private static boolean atTimes(ResourceSaturation saturation) {
    return saturation.extent() == Extent.FULL || saturation.extent() == Extent.PARTIAL;
  }

  /** Whether each resource is saturated at each moment of each repeat that has any. */
  private List<boolean[][]> saturated(
      AlignedSamples samples, int resources, List<Double> repeatSeconds) {
    List<boolean[][]> repeats = new ArrayList<>();
    double end = 0;
    int from = 0;
    for (double seconds : repeatSeconds) {
      end += seconds;
      int to = from;
      while (to < samples.moments() && samples.end(to) <= end + ROUNDING) {
        to++;
      }
      if (to > from) {
        repeats.add(saturated(samples, resources, from, to));
      }
      from = to;
    }
    return repeats;
  }

  private boolean[][] saturated(AlignedSamples samples, int resources, int from, int to) {
    boolean[][] saturated = new boolean[resources][to - from];
    for (int r = 0; r < resources; r++) {
      for (int t = from; t < to; t++) {
        saturated[r][t - from] = samples.value(r, t) >= rules.saturated();
      }
    }
    return saturated;
  }

  private double union(AlignedSamples samples) {
    double[] most = samples.maximum();
    long any = Arrays.stream(most).filter(share -> share >= rules.saturated()).count();
    return most.length == 0 ? 0 : (double) any / most.length;
  }
}
