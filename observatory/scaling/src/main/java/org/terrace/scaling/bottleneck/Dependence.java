package org.terrace.scaling.bottleneck;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A test of whether resources are saturated independently of each other. Immutable.
 *
 * <p>The statistic is the variance over time of the number of saturated resources: saturation that
 * moves from one to another keeps that number steady, saturation that comes together makes it
 * swing. Under independence each series may be rearranged by itself; it is, in blocks, so that what
 * neighbours in time share stays together (block permutation, {@link BlockLength}). The length of
 * each is drawn, from half to one and a half of the mean: blocks of one length would leave turns of
 * the same length as they are. A p-value of m permutations is (1 + those at least as extreme) / (1
 * + m), and permuting ends when it can fall below no level that matters (Besag and Clifford,
 * Sequential Monte Carlo p-values, 1991).
 *
 * <p>Whether the test can tell anything follows from the same permutations: where they are often as
 * steady as such frequencies allow at all, turns cannot be told from chance.
 *
 * @param alternating the probability, under independence, of a number at least as steady
 * @param together the probability of a number that swings at least as much
 * @param steadiness the variance over its mean under independence: 1 where nothing depends on
 *     anything, near 0 where there is always the same number saturated
 * @param steadiest the least steadiness that resources saturated so often can have; 0 where none of
 *     them ever changes within a repeat
 * @param wildest the greatest one
 * @param leastAlternating the probability, under independence, of the steadiest number: no turns
 *     are less likely
 * @param leastTogether the probability of the wildest number
 * @param steadiestOfAll the least steadiness of the samples of all repeats as if they were of one:
 *     repeats that differ allow less each than their shares do together
 * @param spread the standard deviation of the steadiness under independence
 * @param blockLength the mean length of the blocks, in samples, of the repeat with the longest
 * @param changes how often the saturated set changed to one that shares nothing with the one before
 */
public record Dependence(
    double alternating,
    double together,
    double steadiness,
    double steadiest,
    double wildest,
    double leastAlternating,
    double leastTogether,
    double steadiestOfAll,
    double spread,
    int blockLength,
    int changes) {
  /** Changes from one resource to another below which nothing is said to oscillate. */
  private static final int FEWEST_CHANGES = 6;

  /** A steadiness below which there is nearly always the same number saturated. */
  private static final double STEADY = 0.6;

  /** The part of the way from independence to the extreme below which dependence is slight. */
  private static final double SLIGHT = 0.2;

  /** The part of that way from which a number is nearly as extreme as can be. */
  private static final double ALIKE = 0.6;

  /**
   * Standard deviations on each side of the interval of dependence, which is of 90 %: that
   * dependence is slight is then claimed wrongly in 1 of 20 at most (Schuirmann, two one-sided
   * tests, 1987).
   */
  private static final double DEVIATIONS = 1.645;

  /** Extreme permutations after which the rest would not matter. */
  private static final int ENOUGH = 20;

  /** Findings about resources that are saturated at times. */
  public enum Finding {
    /** Saturation of now one, now another: nearly always the same number of them. */
    BY_TURNS("saturated by turns"),
    /** Turns beyond chance, of which there are too few to say that they go on. */
    FEW_TURNS("perhaps by turns, of which the samples show too few"),
    /** Saturation at the same time less often than by chance, and at times of none. */
    PARTLY_BY_TURNS("seldom saturated at the same time, at times none of them"),
    /** Saturation at the same time, far more often than by chance. */
    TOGETHER("saturated together"),
    /** No turns; whether together or independently, the samples do not tell. */
    NOT_BY_TURNS("not by turns, while together or independently is not told"),
    /** Absence of turns and of togetherness, while lesser dependence is not told. */
    NEITHER("neither by turns nor together, while lesser dependence is not told"),
    /** Dependence that is slight at most, by its whole interval. */
    INDEPENDENT("saturated independently of each other"),
    /** Saturation of so little or so much of the time that no turns could last. */
    UNTESTED("saturated too seldom or too often for turns to be told"),
    /** No finding: turns would have looked like chance, or chance looks like turns. */
    UNTOLD("the samples do not tell turns from chance");

    private final String words;

    Finding(String words) {
      this.words = words;
    }

    /** The finding in a few words. */
    public String words() {
      return words;
    }
  }

  /**
   * Tests series of equal length, each rearranged within each repeat: repeats may differ in how
   * often a resource is saturated, which is no dependence. O(permutations × series × length).
   *
   * @param repeats for each repeat that has samples, and each resource, whether it was saturated at
   *     each sample
   * @param rules the level that matters, and the permutations, at most
   * @param seed the seed of the permutations
   */
  static Dependence of(List<boolean[][]> repeats, SaturationRules rules, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<BlockShuffle> shuffles =
        repeats.stream().map(each -> new BlockShuffle(each, BlockLength.of(each), random)).toList();
    Extremes extremes = Extremes.of(repeats);
    long observed = repeats.stream().mapToLong(Dependence::squares).sum();
    Tail steadier = new Tail();
    Tail wilder = new Tail();
    Tail steadiest = new Tail();
    Tail wildest = new Tail();
    double difference = 0;
    double squaredDifference = 0;
    int drawn = 0;
    boolean open = true;
    while (drawn < rules.permutations() && open) {
      long sum = 0;
      for (BlockShuffle each : shuffles) {
        sum += each.squares();
      }
      drawn++;
      difference += sum - observed;
      squaredDifference += (double) (sum - observed) * (sum - observed);
      steadier.count(sum <= observed);
      wilder.count(sum >= observed);
      steadiest.count(sum <= extremes.least());
      wildest.count(sum >= extremes.most());
      open =
          !(steadier.isOften()
              && wilder.isOften()
              && steadiest.isDecided(drawn, rules.level())
              && wildest.isDecided(drawn, rules.level()));
    }
    double squaredMeans = repeats.stream().mapToDouble(Dependence::squaredMean).sum();
    double expected = repeats.stream().mapToDouble(Dependence::independentVariance).sum();
    double mean = difference / drawn;
    double deviation = Math.sqrt(Math.max(0, squaredDifference / drawn - mean * mean));
    return new Dependence(
        steadier.probability(drawn),
        wilder.probability(drawn),
        expected > 0 ? (observed - squaredMeans) / expected : 1,
        expected > 0 ? (extremes.least() - squaredMeans) / expected : 0,
        expected > 0 ? (extremes.most() - squaredMeans) / expected : 1,
        steadiest.probability(drawn),
        wildest.probability(drawn),
        steadiest(joined(repeats)),
        expected > 0 ? deviation / expected : 0,
        shuffles.stream().mapToInt(BlockShuffle::block).max().orElse(0),
        repeats.stream().mapToInt(Dependence::changes).sum());
  }

  /** The finding at the rules' level. */
  Finding finding(SaturationRules rules) {
    double level = rules.level();
    double turns = turns(steadiness);
    double swings = swings(steadiness);
    if (alternating < level && turns >= SLIGHT) {
      return steadiness >= STEADY
          ? Finding.PARTLY_BY_TURNS
          : changes >= FEWEST_CHANGES ? Finding.BY_TURNS : Finding.FEW_TURNS;
    }
    boolean wilder = together < level / 2 && swings >= SLIGHT;
    if (wilder && swings >= ALIKE) {
      return Finding.TOGETHER;
    }
    if (turns >= ALIKE || leastAlternating >= level) {
      return steadiestOfAll >= STEADY ? Finding.UNTESTED : Finding.UNTOLD;
    }
    if (wilder || swings >= ALIKE || leastTogether >= level / 2) {
      return Finding.NOT_BY_TURNS;
    }
    boolean slight =
        turns(steadiness - DEVIATIONS * spread) < SLIGHT
            && swings(steadiness + DEVIATIONS * spread) < SLIGHT;
    return slight ? Finding.INDEPENDENT : Finding.NEITHER;
  }

  /** The part of the way from independence to turns that never end; negative beyond it. */
  private double turns(double at) {
    return steadiest < 1 ? (1 - at) / (1 - steadiest) : 0;
  }

  /** The part of the way from independence to saturation that is always together. */
  private double swings(double at) {
    return wildest > 1 ? (at - 1) / (wildest - 1) : 0;
  }

  /** The number of permutations that are as extreme as something. */
  private static final class Tail {
    private int extreme;

    void count(boolean isExtreme) {
      extreme += isExtreme ? 1 : 0;
    }

    boolean isOften() {
      return extreme >= ENOUGH;
    }

    /** Whether more permutations would hardly move the probability to the other side of a level. */
    boolean isDecided(int drawn, double level) {
      return isOften() || probability(drawn) < level / 2;
    }

    double probability(int drawn) {
      return (extreme + 1.0) / (drawn + 1);
    }
  }

  /**
   * The least and the greatest sum of squared numbers of saturated resources that the frequencies
   * allow: when the resources share the time as evenly as can be, and when each is saturated only
   * while all are that are so more often.
   */
  private record Extremes(long least, long most) {
    static Extremes of(List<boolean[][]> repeats) {
      List<Extremes> all = repeats.stream().map(Extremes::of).toList();
      return new Extremes(
          all.stream().mapToLong(Extremes::least).sum(),
          all.stream().mapToLong(Extremes::most).sum());
    }

    static Extremes of(boolean[][] saturated) {
      int length = saturated[0].length;
      long total = total(saturated);
      long each = total / length;
      long more = total % length;
      long least = (length - more) * each * each + more * (each + 1) * (each + 1);
      long[] totals =
          Arrays.stream(saturated).mapToLong(series -> total(series)).sorted().toArray();
      long most = 0;
      for (int i = 0; i < totals.length; i++) {
        int wide = totals.length - i;
        most += (totals[i] - (i > 0 ? totals[i - 1] : 0)) * wide * wide;
      }
      return new Extremes(least, most);
    }
  }

  /** The least steadiness that resources saturated so often can have. */
  private static double steadiest(boolean[][] saturated) {
    double expected = independentVariance(saturated);
    return expected > 0 ? (Extremes.of(saturated).least() - squaredMean(saturated)) / expected : 0;
  }

  private static boolean[][] joined(List<boolean[][]> repeats) {
    int length = repeats.stream().mapToInt(each -> each[0].length).sum();
    boolean[][] joined = new boolean[repeats.getFirst().length][length];
    int at = 0;
    for (boolean[][] repeat : repeats) {
      for (int r = 0; r < joined.length; r++) {
        System.arraycopy(repeat[r], 0, joined[r], at, repeat[r].length);
      }
      at += repeat[0].length;
    }
    return joined;
  }

  /** The squared mean number of saturated resources, times the samples. */
  private static double squaredMean(boolean[][] saturated) {
    double total = total(saturated);
    return total * total / saturated[0].length;
  }

  /** The variance of the number of saturated resources under independence, times the samples. */
  private static double independentVariance(boolean[][] saturated) {
    double variance = 0;
    for (boolean[] series : saturated) {
      double share = (double) total(series) / series.length;
      variance += share * (1 - share) * series.length;
    }
    return variance;
  }

  private static long total(boolean[][] saturated) {
    long total = 0;
    for (boolean[] series : saturated) {
      total += total(series);
    }
    return total;
  }

  private static long total(boolean[] series) {
    long total = 0;
    for (boolean each : series) {
      total += each ? 1 : 0;
    }
    return total;
  }

  /** The sum over time of the squared number of saturated resources; their sum never changes. */
  private static long squares(boolean[][] saturated) {
    long sum = 0;
    for (int t = 0; t < saturated[0].length; t++) {
      long count = 0;
      for (boolean[] series : saturated) {
        count += series[t] ? 1 : 0;
      }
      sum += count * count;
    }
    return sum;
  }

  private static int changes(boolean[][] saturated) {
    int changes = 0;
    int last = -1;
    for (int t = 0; t < saturated[0].length; t++) {
      boolean any = false;
      boolean kept = last < 0;
      for (boolean[] series : saturated) {
        any |= series[t];
        kept |= last >= 0 && series[t] && series[last];
      }
      if (any) {
        changes += kept ? 0 : 1;
        last = t;
      }
    }
    return changes;
  }
}
