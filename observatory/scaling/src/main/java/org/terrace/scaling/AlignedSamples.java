package org.terrace.scaling;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The samples of several resources at the moments at which all of them were read. Immutable; the
 * arrays are not handed out.
 *
 * <p>Moments are intervals of the run. Where one resource was read more often than another, either
 * the longer intervals are compared, and the mean of the shorter ones within each, or the shorter
 * ones, each with the sample of the longer interval that it begins in. O(samples).
 */
public final class AlignedSamples {
  /** A part of an interval by which division may err. */
  private static final double ROUNDING = 1e-6;

  private final int[] slots;
  private final double seconds;
  private final double[][] values;
  private final int leftOut;

  private AlignedSamples(int[] slots, double seconds, double[][] values, int leftOut) {
    this.slots = slots;
    this.seconds = seconds;
    this.values = values;
    this.leftOut = leftOut;
  }

  /** Samples by the interval that they are of, rising. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Series(int[] slots, double[] values) {
    static Series of(Utilisation samples, double seconds) {
      int[] slots = new int[samples.size()];
      double[] sums = new double[slots.length];
      int count = 0;
      int within = 0;
      for (int i = 0; i < samples.size(); i++) {
        int slot =
            (int) Math.floor(samples.slot(i) * samples.secondsPerSample() / seconds + ROUNDING);
        if (count > 0 && slots[count - 1] == slot) {
          within++;
          sums[count - 1] += (samples.value(i) - sums[count - 1]) / within;
        } else {
          within = 1;
          slots[count] = slot;
          sums[count++] = samples.value(i);
        }
      }
      return new Series(Arrays.copyOf(slots, count), Arrays.copyOf(sums, count));
    }

    /** The samples of these intervals, all of which it has. */
    double[] at(int[] chosen) {
      double[] found = new double[chosen.length];
      int from = 0;
      for (int i = 0; i < chosen.length; i++) {
        while (slots[from] < chosen[i]) {
          from++;
        }
        found[i] = values[from];
      }
      return found;
    }
  }

  /** Aligns samples at the longest intervals. */
  public static AlignedSamples of(List<Utilisation> samples) {
    double seconds = samples.stream().mapToDouble(Utilisation::secondsPerSample).max().orElse(1);
    List<Series> all = samples.stream().map(each -> Series.of(each, seconds)).toList();
    int[] common = all.isEmpty() ? new int[0] : all.getFirst().slots();
    for (Series each : all) {
      common = common(common, each.slots());
    }
    int read = all.stream().mapToInt(each -> each.slots().length).sum();
    double[][] values = new double[all.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = all.get(i).at(common);
    }
    return new AlignedSamples(common, seconds, values, read - common.length * values.length);
  }

  /** Aligns samples at the shortest intervals, at all of which a longer one's sample counts. */
  public static AlignedSamples finest(List<Utilisation> samples) {
    double seconds = samples.stream().mapToDouble(Utilisation::secondsPerSample).min().orElse(1);
    int[] common =
        samples.stream()
            .filter(each -> each.secondsPerSample() == seconds)
            .findFirst()
            .map(Utilisation::slots)
            .orElse(new int[0]);
    for (Utilisation each : samples) {
      int[] found = indexes(each, common, seconds);
      int[] moments = common;
      common =
          IntStream.range(0, moments.length)
              .filter(i -> found[i] >= 0)
              .map(i -> moments[i])
              .toArray();
    }
    double[][] values = new double[samples.size()][];
    int leftOut = 0;
    for (int r = 0; r < values.length; r++) {
      Utilisation each = samples.get(r);
      int[] at = indexes(each, common, seconds);
      values[r] = Arrays.stream(at).mapToDouble(each::value).toArray();
      leftOut += each.size() - (int) Arrays.stream(at).distinct().count();
    }
    return new AlignedSamples(common, seconds, values, leftOut);
  }

  /** The sample of the interval that each moment begins in; -1 where there is none. */
  private static int[] indexes(Utilisation samples, int[] moments, double seconds) {
    int[] indexes = new int[moments.length];
    int at = 0;
    for (int i = 0; i < moments.length; i++) {
      int slot = (int) Math.floor(moments[i] * seconds / samples.secondsPerSample() + ROUNDING);
      while (at < samples.size() && samples.slot(at) < slot) {
        at++;
      }
      indexes[i] = at < samples.size() && samples.slot(at) == slot ? at : -1;
    }
    return indexes;
  }

  private static int[] common(int[] one, int[] other) {
    int[] common = new int[Math.min(one.length, other.length)];
    int count = 0;
    int at = 0;
    for (int slot : one) {
      while (at < other.length && other[at] < slot) {
        at++;
      }
      if (at < other.length && other[at] == slot) {
        common[count++] = slot;
      }
    }
    return Arrays.copyOf(common, count);
  }

  /** The number of moments at which all resources were read. */
  public int moments() {
    return values.length == 0 ? 0 : values[0].length;
  }

  /** The end of a moment, in seconds from the beginning of the run. */
  public double end(int moment) {
    return (slots[moment] + 1) * seconds;
  }

  /** The number of samples that are left out, since another resource was not read meanwhile. */
  public int leftOut() {
    return leftOut;
  }

  /** The share in use of a resource at a moment. */
  public double value(int resource, int moment) {
    return values[resource][moment];
  }

  /** The largest share in use of all resources at each moment. */
  public double[] maximum() {
    double[] maximum = new double[moments()];
    for (double[] each : values) {
      for (int moment = 0; moment < maximum.length; moment++) {
        maximum[moment] = Math.max(maximum[moment], each[moment]);
      }
    }
    return maximum;
  }
}
