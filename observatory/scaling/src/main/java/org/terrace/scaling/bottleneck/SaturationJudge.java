package org.terrace.scaling.bottleneck;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.terrace.scaling.AlignedSamples;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.LimitedCells.Part;

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

  private static final double PERCENT = 100;

  private final LimitedCells cells;
  private final SaturationRules rules;

  /**
   * A judge of a mesh.
   *
   * @param map the map of the same mesh
   */
  public SaturationJudge(Mesh mesh, BottleneckMap map) {
    this.cells = new LimitedCells(mesh.cells(), map);
    this.rules = map.rules();
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
    return cells.judge(
        configuration,
        rule,
        cell -> {
          Part own = cells.part(cell, tier, each -> each.tier().equals(tier));
          List<Part> others =
              Configuration.TIERS.stream()
                  .filter(other -> !other.equals(tier) && configuration.servers(other) > 0)
                  .map(other -> cells.part(cell, other, each -> each.tier().equals(other)))
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
                cells.judge(
                    configuration,
                    rule,
                    cell -> {
                      Part own = cells.part(cell, tier, series -> series.tier().equals(tier));
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
    return cells.judge(
        configuration,
        rule,
        cell -> {
          Part any = cells.part(cell, "any processor", _ -> true);
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
    return cells.judge(
        configuration,
        rule,
        cell -> {
          Part most = cells.part(cell, "any of the tier", each -> each.tier().equals(tier));
          List<Part> each =
              nodes(cell, tier).stream()
                  .map(node -> cells.part(cell, node, series -> series.node().equals(node)))
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
    return cells.judge(
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
          double saturated = rules.saturated();
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

  private static List<String> nodes(MeshCell cell, String tier) {
    return cell.utilisation().stream()
        .filter(each -> each.tier().equals(tier))
        .map(Utilisation::node)
        .distinct()
        .toList();
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
