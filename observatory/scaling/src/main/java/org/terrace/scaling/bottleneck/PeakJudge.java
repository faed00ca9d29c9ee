package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.RepeatedMeans;

/**
 * The judge of statements about the highest throughput that configurations reach. The peak of a
 * configuration is its load with the highest mean; it is known only where throughput grew no more
 * there or under a higher load: a limit under a lower load is not that of the peak. Intervals come
 * from repeats and hold with 95 % confidence, several in one statement jointly. Immutable.
 */
public final class PeakJudge {
  /** The part by which peaks may differ that are called alike. */
  public static final double ALIKE = 0.15;

  private static final double PERCENT = 100;

  private final List<MeshCell> cells;
  private final BottleneckMap map;
  private final @Nullable RepeatedMeans means;

  /**
   * A judge of a mesh.
   *
   * @param map the map of the same mesh
   */
  public PeakJudge(Mesh mesh, BottleneckMap map) {
    this.cells = mesh.cells();
    this.map = map;
    this.means = BottleneckMap.means(cells);
  }

  /** The difference of two peaks as a part of the second, with its interval. */
  private record Gain(double gain, double low, double high) {}

  /** The throughput at the peak of a configuration, per second; empty where none was measured. */
  public Optional<Double> peak(Configuration configuration) {
    OptionalInt cell = peakCell(configuration);
    return cell.isPresent() && means != null
        ? Optional.of(means.mean(cell.getAsInt()))
        : Optional.empty();
  }

  /** Whether the first configuration reaches more than the second. */
  public Judgement reachesMore(Configuration more, Configuration less) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if the interval of the gain is above 0 and %s is at its limit, not if the gain"
                + " is below %.0f %% and both are",
            less.label(),
            PERCENT * Confirmation.NOTHING);
    Optional<Judgement> missing = missing(List.of(more, less), rule);
    if (missing.isPresent()) {
      return missing.get();
    }
    Gain gain = gain(more, less, BottleneckMap.CONFIDENCE);
    Verdict verdict =
        gain == null || !isLimited(less)
            ? Verdict.CANNOT_TELL
            : gain.low() > 0
                ? Verdict.HOLDS
                : gain.high() < Confirmation.NOTHING && isLimited(more)
                    ? Verdict.FAILS
                    : Verdict.CANNOT_TELL;
    return new Judgement(verdict, measured(more, less, gain), rule);
  }

  /** Whether the first configuration, though larger, reaches no more than the second. */
  public Judgement reachesNoMore(Configuration larger, Configuration smaller) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if the interval of the gain is below %.0f %%, not if it is above, and both are"
                + " at their limits",
            PERCENT * ALIKE);
    Optional<Judgement> missing = missing(List.of(larger, smaller), rule);
    if (missing.isPresent()) {
      return missing.get();
    }
    Gain gain = gain(larger, smaller, BottleneckMap.CONFIDENCE);
    Verdict verdict =
        gain == null || !isLimited(smaller)
            ? Verdict.CANNOT_TELL
            : gain.low() > ALIKE
                ? Verdict.FAILS
                : gain.high() < ALIKE && isLimited(larger) ? Verdict.HOLDS : Verdict.CANNOT_TELL;
    return new Judgement(verdict, measured(larger, smaller, gain), rule);
  }

  /** Whether configurations, two or more, reach the same. */
  public Judgement reachAlike(List<Configuration> group) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if the intervals of all differences from the first are within %.0f %%, not if"
                + " one is outside, and all are at their limits",
            PERCENT * ALIKE);
    Optional<Judgement> missing = missing(group, rule);
    if (missing.isPresent()) {
      return missing.get();
    }
    int pairs = group.size() - 1;
    // Bonferroni: each difference has its part of the chance to be wrong.
    double confidence = 1 - (1 - BottleneckMap.CONFIDENCE) / pairs;
    List<String> said = new ArrayList<>();
    boolean all = true;
    boolean none = false;
    for (Configuration other : group.subList(1, group.size())) {
      Gain gain = gain(other, group.getFirst(), confidence);
      all &= gain != null && gain.low() > -ALIKE && gain.high() < ALIKE;
      none |= gain != null && (gain.low() > ALIKE || gain.high() < -ALIKE);
      said.add(measured(other, group.getFirst(), gain));
    }
    boolean limited = group.stream().allMatch(this::isLimited);
    Verdict verdict =
        !limited
            ? Verdict.CANNOT_TELL
            : all ? Verdict.HOLDS : none ? Verdict.FAILS : Verdict.CANNOT_TELL;
    return new Judgement(verdict, String.join("; ", said), rule);
  }

  /** Whether the first configuration reaches so large a part of what the second does. */
  public Judgement reachesPart(
      Configuration lesser, Configuration greater, double least, double most) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if the interval of the part is within %.2f and %.2f, partly if it is below 1,"
                + " not if it is above, and both are at their limits",
            least,
            most);
    Optional<Judgement> missing = missing(List.of(lesser, greater), rule);
    if (missing.isPresent()) {
      return missing.get();
    }
    Gain gain = gain(lesser, greater, BottleneckMap.CONFIDENCE);
    Verdict verdict;
    if (gain == null || !isLimited(lesser) || !isLimited(greater)) {
      verdict = Verdict.CANNOT_TELL;
    } else if (1 + gain.low() >= least && 1 + gain.high() <= most) {
      verdict = Verdict.HOLDS;
    } else if (gain.high() < 0) {
      verdict = Verdict.PARTLY;
    } else {
      verdict = gain.low() > 0 ? Verdict.FAILS : Verdict.CANNOT_TELL;
    }
    return new Judgement(verdict, measured(lesser, greater, gain), rule);
  }

  /**
   * Whether one step of configurations gains a greater part than another.
   *
   * @param first the first step: from a configuration to a larger one
   * @param second the second step
   */
  public Judgement gainsMore(List<Configuration> first, List<Configuration> second) {
    String rule =
        "holds if the interval of the first gain is above that of the second, not if it is below,"
            + " and all four are at their limits";
    List<Configuration> all = new ArrayList<>(first);
    all.addAll(second);
    Optional<Judgement> missing = missing(all, rule);
    if (missing.isPresent()) {
      return missing.get();
    }
    double confidence = 1 - (1 - BottleneckMap.CONFIDENCE) / 2;
    Gain one = gain(first.getLast(), first.getFirst(), confidence);
    Gain other = gain(second.getLast(), second.getFirst(), confidence);
    Verdict verdict =
        one == null || other == null || !all.stream().allMatch(this::isLimited)
            ? Verdict.CANNOT_TELL
            : one.low() > other.high()
                ? Verdict.HOLDS
                : one.high() < other.low() ? Verdict.FAILS : Verdict.CANNOT_TELL;
    return new Judgement(
        verdict,
        measured(first.getLast(), first.getFirst(), one)
            + "; "
            + measured(second.getLast(), second.getFirst(), other),
        rule);
  }

  private Optional<Judgement> missing(List<Configuration> all, String rule) {
    List<String> absent =
        all.stream()
            .filter(each -> peakCell(each).isEmpty())
            .map(Configuration::label)
            .distinct()
            .toList();
    if (!absent.isEmpty()) {
      return Optional.of(
          Judgement.cannotTell("no valid trial of " + String.join(", ", absent), rule));
    }
    return all.stream().distinct().count() == 1
        ? Optional.of(
            Judgement.cannotTell(all.getFirst().label() + " has no other beside it", rule))
        : Optional.empty();
  }

  private OptionalInt peakCell(Configuration configuration) {
    OptionalInt best = OptionalInt.empty();
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).configuration().equals(configuration)
          && (best.isEmpty() || mean(i) > mean(best.getAsInt()))) {
        best = OptionalInt.of(i);
      }
    }
    return best;
  }

  private double mean(int cell) {
    return means == null ? 0 : means.mean(cell);
  }

  /** Whether throughput was seen to grow no more, at the peak or under a higher load. */
  private boolean isLimited(Configuration configuration) {
    int peak = cells.get(peakCell(configuration).orElseThrow()).users();
    return map.of(configuration).stream().anyMatch(cell -> cell.users() >= peak && cell.limited());
  }

  private @Nullable Gain gain(Configuration of, Configuration over, double confidence) {
    int first = peakCell(of).orElseThrow();
    int second = peakCell(over).orElseThrow();
    double base = Math.max(mean(second), Double.MIN_NORMAL);
    Interval difference = means == null ? null : means.difference(first, second, confidence);
    return difference == null
        ? null
        : new Gain(difference.estimate() / base, difference.low() / base, difference.high() / base);
  }

  private String measured(Configuration of, Configuration over, @Nullable Gain gain) {
    String gained =
        gain == null
            ? "no interval, since no trial like it was repeated"
            : String.format(
                Locale.ROOT,
                "%+.0f %% (95 %% interval %+.0f to %+.0f %%)",
                PERCENT * gain.gain(),
                PERCENT * gain.low(),
                PERCENT * gain.high());
    String open =
        List.of(of, over).stream()
            .distinct()
            .filter(each -> !isLimited(each))
            .map(Configuration::label)
            .collect(Collectors.joining(", "));
    return reached(of)
        + " against "
        + reached(over)
        + ": "
        + gained
        + (open.isEmpty() ? "" : "; not seen at its limit: " + open);
  }

  private String reached(Configuration configuration) {
    int cell = peakCell(configuration).orElseThrow();
    return String.format(
        Locale.ROOT,
        "%s %.1f/s at %d users (n = %d)",
        configuration.label(),
        mean(cell),
        cells.get(cell).users(),
        cells.get(cell).trials().size());
  }
}
