package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.terrace.scaling.AlignedSamples;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.RepeatedShares;
import org.terrace.scaling.repeats.RepeatedShares.Counted;

/**
 * The judge of statements about what is saturated in a configuration at the highest load that was
 * measured of it. Samples of one trial depend on each other, so shares of saturated samples have
 * intervals that are wider by as much as repeats differ, with 95 % confidence. Immutable.
 */
public final class SaturationJudge {
  /** The share of samples from which a tier is the bottleneck, and of configurations most are. */
  public static final double MOSTLY = 0.5;

  /** The share of samples below which hardware does not explain a limit. */
  public static final double SELDOM = 0.2;

  /** The samples below which no class of bottleneck is named. */
  private static final int FEWEST_SAMPLES = 30;

  private static final double PERCENT = 100;

  private final List<MeshCell> cells;
  private final BottleneckMap map;

  /**
   * A judge of a mesh.
   *
   * @param map the map of the same mesh
   */
  public SaturationJudge(Mesh mesh, BottleneckMap map) {
    this.cells = mesh.cells();
    this.map = map;
  }

  /** A share of samples, with its interval and number. */
  private record Part(String what, Interval interval, int samples) {
    String words() {
      return String.format(
          Locale.ROOT,
          "%s in %.0f %% of %d samples (95 %% interval %.0f to %.0f %%)",
          what,
          PERCENT * interval.estimate(),
          samples,
          PERCENT * interval.low(),
          PERCENT * interval.high());
    }
  }

  /** Whether a tier's processors hold a configuration back, more than those of any other tier. */
  public Judgement isHeldBackBy(Configuration configuration, String tier) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if throughput grows no more, a processor of the tier is saturated in more than"
                + " %.0f %% of the samples by the whole interval, and those of other tiers are in"
                + " fewer; not if the whole interval is below, or another tier's is above it",
            PERCENT * MOSTLY);
    return judge(
        configuration,
        rule,
        cell -> {
          Part own = part(cell, tier, each -> each.tier().equals(tier));
          List<Part> others =
              Configuration.TIERS.stream()
                  .filter(other -> !other.equals(tier) && configuration.servers(other) > 0)
                  .map(other -> part(cell, other, each -> each.tier().equals(other)))
                  .filter(part -> part.samples() > 0)
                  .toList();
          String measured =
              own.words() + ", " + others.stream().map(Part::words).collect(joining());
          boolean behind = others.stream().anyMatch(each -> above(each, own));
          double most = own.interval().estimate();
          boolean first = others.stream().allMatch(each -> each.interval().estimate() < most);
          Verdict verdict =
              own.interval().high() < MOSTLY || behind
                  ? Verdict.FAILS
                  : own.interval().low() > MOSTLY && first ? Verdict.HOLDS : Verdict.CANNOT_TELL;
          return new Judgement(verdict, measured, rule);
        });
  }

  /**
   * Whether none of some configurations is held back by a tier: its processors are seldom saturated
   * in any of them at its limit.
   */
  public Judgement areHeldBackElsewhere(List<Configuration> configurations, String tier) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if throughput of each grows no more and a processor of the tier is saturated in"
                + " fewer than %.0f %% of the samples by the whole interval, not if in more by the"
                + " whole interval in any of them",
            PERCENT * MOSTLY);
    List<Judgement> each =
        configurations.stream()
            .map(configuration ->
                judge(
                    configuration,
                    rule,
                    cell -> {
                      Part own = part(cell, tier, series -> series.tier().equals(tier));
                      return new Judgement(fewer(own, MOSTLY, cell), own.words(), rule);
                    }))
            .toList();
    String measured = each.stream().map(Judgement::measured).collect(Collectors.joining("; "));
    boolean fails = each.stream().anyMatch(one -> one.verdict() == Verdict.FAILS);
    boolean holds = each.stream().allMatch(one -> one.verdict() == Verdict.HOLDS);
    return new Judgement(
        fails ? Verdict.FAILS : holds ? Verdict.HOLDS : Verdict.CANNOT_TELL, measured, rule);
  }

  /** Whether a configuration is held back while hardly any processor is ever saturated. */
  public Judgement isHeldBackByNoProcessor(Configuration configuration) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if throughput grows no more and any processor is saturated in fewer than %.0f %%"
                + " of the samples by the whole interval, not if in more by the whole interval",
            PERCENT * SELDOM);
    return judge(
        configuration,
        rule,
        cell -> {
          Part any = part(cell, "any processor", _ -> true);
          return new Judgement(fewer(any, SELDOM, cell), any.words(), rule);
        });
  }

  /**
   * Whether a tier has always one server that is saturated, though each of them seldom is: what
   * averages hide.
   */
  public Judgement isHiddenInMaximum(Configuration configuration, String tier) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if the most used of the tier's processors is saturated in more than %.0f %% of"
                + " the samples, and in more than any one of them by whole intervals; not if it is"
                + " in fewer, or one of them is itself in more, by whole intervals",
            PERCENT * MOSTLY);
    return judge(
        configuration,
        rule,
        cell -> {
          Part most = part(cell, "any of the tier", each -> each.tier().equals(tier));
          List<Part> each =
              nodes(cell, tier).stream()
                  .map(node -> part(cell, node, series -> series.node().equals(node)))
                  .toList();
          String measured = most.words() + ", " + each.stream().map(Part::words).collect(joining());
          if (each.size() < 2) {
            return Judgement.cannotTell(measured + "; one server has no others", rule);
          }
          boolean apart = each.stream().allMatch(one -> above(most, one));
          boolean open = each.stream().anyMatch(one -> one.interval().low() > MOSTLY);
          Verdict verdict =
              most.interval().high() < MOSTLY || open
                  ? Verdict.FAILS
                  : most.interval().low() > MOSTLY && apart ? Verdict.HOLDS : Verdict.CANNOT_TELL;
          return new Judgement(verdict, measured, rule);
        });
  }

  /** Whether the bottleneck of a configuration is of one of some kinds, in a tier. */
  public Judgement isOfKind(Configuration configuration, String tier, Set<Kind> kinds) {
    String words = kinds.stream().sorted().map(Kind::toString).collect(Collectors.joining(" or "));
    String rule =
        String.format(
            Locale.ROOT,
            "holds if throughput grows no more and the bottleneck is %s with the %s tier in it, not"
                + " if it is of another class or place that the samples tell; %d samples are the"
                + " fewest",
            words,
            tier,
            FEWEST_SAMPLES);
    return judge(
        configuration,
        rule,
        cell -> {
          Bottleneck found = mapped(cell).bottleneck();
          Part any = part(cell, "any processor", _ -> true);
          String measured = found.words() + "; " + any.words();
          if (found.kind() == Kind.UNCLEAR || any.samples() < FEWEST_SAMPLES) {
            return new Judgement(Verdict.CANNOT_TELL, measured, rule);
          }
          boolean there = found.tiers().contains(tier);
          boolean right = kinds.contains(found.kind());
          return new Judgement(right && there ? Verdict.HOLDS : Verdict.FAILS, measured, rule);
        });
  }

  /** Whether the bottlenecks of all configurations that are held back are processors. */
  public Judgement areProcessors(List<Configuration> configurations) {
    String rule =
        "holds if every configuration whose throughput grows no more is held back by processors, of"
            + " at least three; partly if more than half are; not if fewer than half are by the whole"
            + " interval";
    List<String> other = new ArrayList<>();
    int limited = 0;
    for (Configuration configuration : configurations) {
      Optional<MeshCell> cell = highest(configuration);
      if (cell.isPresent() && mapped(cell.get()).limited()) {
        limited++;
        Bottleneck found = mapped(cell.get()).bottleneck();
        boolean processors =
            found.kind().isHardware()
                && found.resources().stream().allMatch(each -> each.resource().equals("cpu"));
        if (!processors) {
          other.add(configuration.label() + " (" + found.words() + ")");
        }
      }
    }
    int good = limited - other.size();
    Interval interval =
        RepeatedShares.of(List.of())
            .interval(List.of(new Counted(good, limited)), BottleneckMap.CONFIDENCE);
    String measured =
        String.format(
            Locale.ROOT,
            "%d of %d (95 %% interval %.0f to %.0f %%)%s",
            good,
            limited,
            PERCENT * interval.low(),
            PERCENT * interval.high(),
            other.isEmpty() ? "" : "; not " + String.join(", ", other));
    Verdict verdict;
    if (limited < 3) {
      verdict = Verdict.CANNOT_TELL;
    } else if (other.isEmpty()) {
      verdict = Verdict.HOLDS;
    } else if (2 * good > limited) {
      verdict = Verdict.PARTLY;
    } else {
      verdict = interval.high() < MOSTLY ? Verdict.FAILS : Verdict.CANNOT_TELL;
    }
    return new Judgement(verdict, measured, rule);
  }

  /**
   * Whether the use of two resources of one server has two modes each, while the larger of both has
   * one, at the top: a bottleneck that shifts between them.
   */
  public Judgement shiftsBetween(
      Configuration configuration, String node, String first, String second) {
    String rule =
        "holds if the density of each resource has two modes or more, and that of the larger of"
            + " both has its highest at 90 % or above; not if either has one mode, or the larger"
            + " has its highest below";
    return judge(
        configuration,
        rule,
        cell -> {
          List<Utilisation> series =
              cell.utilisation().stream()
                  .filter(each -> each.node().equals(node))
                  .filter(each -> Set.of(first, second).contains(each.resource()))
                  .toList();
          if (series.size() < 2) {
            return Judgement.cannotTell(
                String.format(
                    Locale.ROOT,
                    "the trials hold no samples of %s and %s of %s: this machine's monitors read"
                        + " what storage does for the whole machine alone",
                    first,
                    second,
                    node),
                rule);
          }
          double saturated = map.rules().saturated();
          List<Density> densities =
              series.stream().map(each -> Density.of(each.values(), saturated)).toList();
          AlignedSamples aligned = AlignedSamples.of(series);
          Density most = Density.of(aligned.maximum(), saturated);
          double top =
              most.modes().stream()
                  .max((one, other) -> Double.compare(one.density(), other.density()))
                  .map(Density.Mode::atPercent)
                  .orElse(0.0);
          boolean modes = densities.stream().allMatch(each -> each.modes().size() >= 2);
          String measured =
              String.format(
                  Locale.ROOT,
                  "modes: %s; the larger of both has its highest at %.0f %% (n = %d samples, %d of"
                      + " one alone left out)",
                  densities.stream()
                      .map(each -> Integer.toString(each.modes().size()))
                      .collect(Collectors.joining(" and ")),
                  top,
                  aligned.moments(),
                  aligned.leftOut());
          return new Judgement(modes && top >= 90 ? Verdict.HOLDS : Verdict.FAILS, measured, rule);
        });
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(", ");
  }

  private Judgement judge(
      Configuration configuration, String rule, Function<MeshCell, Judgement> rest) {
    Optional<MeshCell> cell = highest(configuration);
    if (cell.isEmpty()) {
      return Judgement.cannotTell("no valid trial of " + configuration.label(), rule);
    }
    Judgement found = rest.apply(cell.get());
    String where =
        String.format(
            Locale.ROOT,
            "%s at %d users (n = %d): %s",
            configuration.label(),
            cell.get().users(),
            cell.get().trials().size(),
            found.measured());
    return mapped(cell.get()).limited()
        ? new Judgement(found.verdict(), where, rule)
        : Judgement.cannotTell(where + "; throughput was not seen at its limit", rule);
  }

  private Optional<MeshCell> highest(Configuration configuration) {
    return cells.stream()
        .filter(cell -> cell.configuration().equals(configuration))
        .reduce((first, second) -> second);
  }

  private MappedCell mapped(MeshCell cell) {
    return map.cells().get(cells.indexOf(cell));
  }

  private static List<String> nodes(MeshCell cell, String tier) {
    return cell.utilisation().stream()
        .filter(each -> each.tier().equals(tier))
        .map(Utilisation::node)
        .distinct()
        .toList();
  }

  /** The part of the samples in which any processor of some series is saturated. */
  private Part part(MeshCell cell, String what, Predicate<Utilisation> which) {
    List<List<Counted>> all =
        cells.stream()
            .map(each -> each.trials().stream().map(trial -> counted(trial, which)).toList())
            .toList();
    List<Counted> own = all.get(cells.indexOf(cell));
    return new Part(
        what,
        RepeatedShares.of(all).interval(own, BottleneckMap.CONFIDENCE),
        (int) Counted.sum(own).all());
  }

  private Counted counted(MeshTrial trial, Predicate<Utilisation> which) {
    List<Utilisation> series =
        trial.utilisation().stream()
            .filter(each -> each.resource().equals("cpu"))
            .filter(which)
            .toList();
    double[] most = Density.maximum(series);
    int saturated = 0;
    for (double value : most) {
      saturated += value >= map.rules().saturated() ? 1 : 0;
    }
    return new Counted(saturated, most.length);
  }

  /**
   * Whether processors are saturated in a smaller part of the samples, which is not known where one
   * of them was not sampled throughout.
   */
  private static Verdict fewer(Part part, double limit, MeshCell cell) {
    if (part.interval().high() < limit) {
      boolean unread = cell.lacking().stream().anyMatch(each -> each.startsWith("cpu "));
      return unread ? Verdict.CANNOT_TELL : Verdict.HOLDS;
    }
    return part.interval().low() > limit ? Verdict.FAILS : Verdict.CANNOT_TELL;
  }

  private static boolean above(Part one, Part other) {
    return one.interval().low() > other.interval().high();
  }
}
