package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.scaling.bottleneck.LimitedCells.Part;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.RepeatedShares;
import org.terrace.scaling.repeats.RepeatedShares.Counted;

/**
 * The judge of statements about the class of bottleneck of a configuration at the highest load that
 * was measured of it. Immutable.
 */
public final class KindJudge {
  /** The samples below which no class of bottleneck is named. */
  private static final int FEWEST_SAMPLES = 30;

  private static final double PERCENT = 100;

  private final LimitedCells cells;

  /**
   * A judge of a mesh.
   *
   * @param map the map of the same mesh
   */
  public KindJudge(Mesh mesh, BottleneckMap map) {
    this.cells = new LimitedCells(mesh.cells(), map);
  }

  /** Whether the bottleneck of a configuration is of one of some kinds, in a tier. */
  public Judgement isOfKind(Configuration configuration, String tier, Set<Kind> kinds) {
    String words = kinds.stream().sorted().map(Kind::toString).collect(Collectors.joining(" or "));
    String rule =
        String.format(
            Locale.ROOT,
            "holds if throughput grows no more and the bottleneck is %s with the %s tier in it, not"
                + " if it is elsewhere, or of another class by the test of dependence, or since"
                + " resources of the tier are saturated throughout (more than %.0f %% of the samples"
                + " by the whole interval) and no others at times; %d samples are the fewest",
            words,
            tier,
            PERCENT * SaturationJudge.MOSTLY,
            FEWEST_SAMPLES);
    return cells.judge(
        configuration,
        rule,
        cell -> {
          Bottleneck found = cells.mapped(cell).bottleneck();
          Part any = cells.part(cell, "any processor", _ -> true);
          String measured = found.words() + "; " + any.words();
          boolean untold = found.kind() == Kind.UNCLEAR || found.isUntested();
          if (untold || any.samples() < FEWEST_SAMPLES) {
            return new Judgement(Verdict.CANNOT_TELL, measured, rule);
          }
          boolean there = found.tiers().contains(tier);
          boolean right = kinds.contains(found.kind());
          if (right && there) {
            return new Judgement(Verdict.HOLDS, measured, rule);
          }
          String reason = there ? unsureReason(cell, found) : "";
          boolean unsure = !reason.isEmpty() || !found.lacking().isEmpty();
          return new Judgement(
              unsure ? Verdict.CANNOT_TELL : Verdict.FAILS, measured + reason, rule);
        });
  }

  /**
   * The reason for which a class that follows from frequencies alone may be chance; empty if it is
   * not: of few turns one may fill nearly all samples.
   */
  private String unsureReason(MeshCell cell, Bottleneck found) {
    if (found.finding() != null || found.resources().isEmpty()) {
      return "";
    }
    Part most = cells.part(cell, found.resources().getFirst());
    boolean alone = found.kind() != Kind.MIXED && found.kind() != Kind.PARTIAL;
    return alone && most.interval().low() > SaturationJudge.MOSTLY ? "" : "; " + most.words();
  }

  /** Whether several servers of a tier are saturated at times, independently of each other. */
  public Judgement areSaturatedIndependently(Configuration configuration, String tier) {
    String rule =
        String.format(
            Locale.ROOT,
            "holds if throughput grows no more, servers of the %s tier alone are saturated at times,"
                + " and the interval (90 %%) of their dependence lies within what is slight: a fifth"
                + " of the way to turns, or to togetherness; not if turns or togetherness were found;"
                + " %d samples are the fewest",
            tier,
            FEWEST_SAMPLES);
    return cells.judge(
        configuration,
        rule,
        cell -> {
          Bottleneck found = cells.mapped(cell).bottleneck();
          Part any = cells.part(cell, "any processor", _ -> true);
          String measured = found.words() + "; " + any.words();
          String reason = untestedReason(found, tier);
          if (!reason.isEmpty() || found.finding() == null || any.samples() < FEWEST_SAMPLES) {
            return Judgement.cannotTell(measured + reason, rule);
          }
          Verdict verdict =
              switch (found.finding()) {
                case BY_TURNS, TOGETHER -> Verdict.FAILS;
                case INDEPENDENT -> Verdict.HOLDS;
                case FEW_TURNS, PARTLY_BY_TURNS, NOT_BY_TURNS, NEITHER, UNTESTED, UNTOLD ->
                    Verdict.CANNOT_TELL;
              };
          return new Judgement(verdict, measured + "; " + found.finding().words(), rule);
        });
  }

  /** The reason for which no test tells of servers of one tier alone; empty if one does. */
  private static String untestedReason(Bottleneck found, String tier) {
    if (!found.tiers().contains(tier)) {
      return "; nothing of the " + tier + " tier is in it";
    }
    if (found.tiers().size() > 1) {
      return "; other tiers are in it, too";
    }
    if (!found.lacking().isEmpty()) {
      return "; " + String.join(", ", found.lacking()) + " may be saturated, too";
    }
    if (found.kind() == Kind.SIMULTANEOUS || found.kind() == Kind.MIXED) {
      return "; what is saturated throughout tells nothing of dependence";
    }
    return found.finding() == null ? "; there are not several that are saturated at times" : "";
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
      Optional<MeshCell> cell = cells.highest(configuration);
      if (cell.isPresent() && cells.mapped(cell.get()).limited()) {
        limited++;
        Bottleneck found = cells.mapped(cell.get()).bottleneck();
        boolean processors =
            found.namesHardware()
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
      verdict = interval.high() < SaturationJudge.MOSTLY ? Verdict.FAILS : Verdict.CANNOT_TELL;
    }
    return new Judgement(verdict, measured, rule);
  }
}
