package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.terrace.scaling.AlignedSamples;
import org.terrace.scaling.Utilisation;

/**
 * The density of a resource's share in use over 0 to 100 per cent: a Gaussian kernel estimate that
 * is reflected at both ends, so that a resource at its limit has its peak there and none of its
 * mass beyond. Immutable; the array is not handed out.
 *
 * <p>The bandwidth is Silverman's rule of thumb (Density Estimation for Statistics and Data
 * Analysis, 1986), at least {@value #LEAST_BANDWIDTH} points.
 */
public final class Density {
  /** The places at which the density is given, evenly from 0 to 100 per cent. */
  public static final int POINTS = 256;

  /** The least bandwidth, in points of a per cent. */
  public static final double LEAST_BANDWIDTH = 1.5;

  private static final double WHOLE = 100;
  private static final double PROMINENCE = 0.1;
  private static final double REACH = 5;

  private final double[] density;
  private final double bandwidth;
  private final double saturatedMass;
  private final List<Mode> modes;

  private Density(double[] density, double bandwidth, double saturatedMass) {
    this.density = density;
    this.bandwidth = bandwidth;
    this.saturatedMass = saturatedMass;
    this.modes = modes(density);
  }

  /**
   * A peak.
   *
   * @param atPercent where it is
   * @param density its height, per point of a per cent
   */
  public record Mode(double atPercent, double density) {}

  /**
   * The density of samples.
   *
   * @param shares shares in use, 0 to 1, at least one
   * @param saturated the share from which samples count as saturated
   */
  public static Density of(double[] shares, double saturated) {
    if (shares.length == 0) {
      throw new IllegalArgumentException("a density needs samples");
    }
    double[] percent =
        Arrays.stream(shares).map(share -> Math.clamp(WHOLE * share, 0, WHOLE)).sorted().toArray();
    double bandwidth = bandwidth(percent);
    double[] density = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      double at = at(i);
      double sum = 0;
      for (double value : percent) {
        sum += kernel((at - value) / bandwidth);
        sum += kernel((at + value) / bandwidth);
        sum += kernel((at - (2 * WHOLE - value)) / bandwidth);
      }
      density[i] = sum / (percent.length * bandwidth);
    }
    long above = Arrays.stream(shares).filter(share -> share >= saturated).count();
    return new Density(density, bandwidth, (double) above / shares.length);
  }

  /** The largest share in use of several resources at each moment at which all were read. */
  public static double[] maximum(List<Utilisation> samples) {
    return AlignedSamples.of(samples).maximum();
  }

  /** The place of a point, in per cent. */
  public static double at(int point) {
    return WHOLE * point / (POINTS - 1);
  }

  /** The density at a point, per point of a per cent. */
  public double value(int point) {
    return density[point];
  }

  /** The standard deviation of the kernel, in points of a per cent. */
  public double bandwidth() {
    return bandwidth;
  }

  /** The share of samples that are saturated. */
  public double saturatedMass() {
    return saturatedMass;
  }

  /**
   * The peaks that stand out, from left to right: to get from one to a higher one, the density
   * falls by at least a tenth of the highest.
   */
  public List<Mode> modes() {
    return modes;
  }

  private static double kernel(double distance) {
    return Math.abs(distance) > REACH
        ? 0
        : Math.exp(-distance * distance / 2) / Math.sqrt(2 * Math.PI);
  }

  private static double bandwidth(double[] sorted) {
    int count = sorted.length;
    double mean = Arrays.stream(sorted).average().orElse(0);
    double squares = Arrays.stream(sorted).map(value -> (value - mean) * (value - mean)).sum();
    double deviation = Math.sqrt(squares / Math.max(1, count - 1));
    double quartiles = sorted[(3 * (count - 1)) / 4] - sorted[(count - 1) / 4];
    double spread = quartiles > 0 ? Math.min(deviation, quartiles / 1.34) : deviation;
    return Math.max(LEAST_BANDWIDTH, 0.9 * spread * Math.pow(count, -0.2));
  }

  private static List<Mode> modes(double[] density) {
    double needed = PROMINENCE * Arrays.stream(density).max().orElse(0);
    List<Mode> modes = new ArrayList<>();
    for (int i = 0; i < density.length; i++) {
      boolean peak =
          (i == 0 || density[i] > density[i - 1])
              && (i == density.length - 1 || density[i] >= density[i + 1]);
      if (peak && Math.min(drop(density, i, -1), drop(density, i, 1)) >= needed) {
        modes.add(new Mode(at(i), density[i]));
      }
    }
    return List.copyOf(modes);
  }

  /** The fall of the density on one side before it rises above the peak; all of it at an end. */
  private static double drop(double[] density, int peak, int step) {
    double least = density[peak];
    for (int i = peak + step; i >= 0 && i < density.length; i += step) {
      if (density[i] > density[peak]) {
        return density[peak] - least;
      }
      least = Math.min(least, density[i]);
    }
    return density[peak];
  }
}
