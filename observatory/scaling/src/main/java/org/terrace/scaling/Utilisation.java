package org.terrace.scaling;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The samples of one resource of one node in the run phase of a trial. Immutable; the array is not
 * handed out.
 */
public final class Utilisation {
  /** The resources that are hardware; any other is soft. */
  public static final Set<String> HARDWARE = Set.of("cpu", "disk", "network", "memory");

  /** The most intervals of a run: half a year of seconds. */
  private static final int MOST_SLOTS = 1 << 24;

  private final String node;
  private final String tier;
  private final String resource;
  private final double secondsPerSample;
  private final int[] slots;
  private final double[] values;

  private Utilisation(
      String node,
      String tier,
      String resource,
      double secondsPerSample,
      int[] slots,
      double[] values) {
    this.node = node;
    this.tier = tier;
    this.resource = resource;
    this.secondsPerSample = secondsPerSample;
    this.slots = slots;
    this.values = values;
  }

  /**
   * The samples of a resource of which none is missing, from the first interval of the run on.
   *
   * @see #of(String, String, String, double, int[], double[])
   */
  public static Utilisation of(
      String node, String tier, String resource, double secondsPerSample, double[] values) {
    return of(
        node,
        tier,
        resource,
        secondsPerSample,
        IntStream.range(0, values.length).toArray(),
        values);
  }

  /**
   * The samples of a resource.
   *
   * @param node the server
   * @param tier its tier, of {@link Configuration#TIERS}
   * @param resource the resource: {@code cpu}, {@code disk}, {@code network} and {@code memory} are
   *     hardware, any other is soft, such as a pool of threads
   * @param secondsPerSample the time between samples, where none is missing
   * @param slots the number of the interval of the run that each sample is of, from 0, the same for
   *     all resources that were read at the time; rising; copied
   * @param values shares of the resource that were in use, 0 to 1 of the node's own limit, in order
   *     of time, within the run phase alone; copied
   */
  public static Utilisation of(
      String node,
      String tier,
      String resource,
      double secondsPerSample,
      int[] slots,
      double[] values) {
    if (!(secondsPerSample > 0 && secondsPerSample < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          resource + " of " + node + ": samples are " + secondsPerSample + " s apart");
    }
    if (!Arrays.stream(values).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(resource + " of " + node + ": a sample is no number");
    }
    boolean rising = IntStream.range(1, slots.length).allMatch(i -> slots[i - 1] < slots[i]);
    boolean within = Arrays.stream(slots).allMatch(slot -> slot >= 0 && slot < MOST_SLOTS);
    if (slots.length != values.length || !rising || !within) {
      throw new IllegalArgumentException(
          resource + " of " + node + ": expected a rising interval, from 0, for each sample");
    }
    return new Utilisation(node, tier, resource, secondsPerSample, slots.clone(), values.clone());
  }

  /**
   * The samples of one resource in several stretches of time, one after the other.
   *
   * @param seconds the length of each stretch, the same for all resources of it
   */
  static Utilisation joined(List<Utilisation> parts, List<Double> seconds) {
    Utilisation first = parts.getFirst();
    double[] values = parts.stream().flatMapToDouble(part -> Arrays.stream(part.values)).toArray();
    int[] slots = new int[values.length];
    int at = 0;
    double before = 0;
    int last = -1;
    for (int i = 0; i < parts.size(); i++) {
      int offset = Math.max(last + 1, (int) Math.round(before / first.secondsPerSample));
      for (int slot : parts.get(i).slots) {
        last = offset + slot;
        slots[at++] = last;
      }
      before += seconds.get(i);
    }
    return new Utilisation(
        first.node, first.tier, first.resource, first.secondsPerSample, slots, values);
  }

  /** The time from the beginning of the first interval to the end of the last sample's. */
  double seconds() {
    return slots.length == 0 ? 0 : (slots[slots.length - 1] + 1) * secondsPerSample;
  }

  /** The server. */
  public String node() {
    return node;
  }

  /** The server's tier. */
  public String tier() {
    return tier;
  }

  /** The resource. */
  public String resource() {
    return resource;
  }

  /** Whether it is hardware. */
  public boolean isHardware() {
    return HARDWARE.contains(resource);
  }

  /** The resource and its server: {@code cpu of app1}. */
  String name() {
    return resource + " of " + node;
  }

  /** The time between samples. */
  public double secondsPerSample() {
    return secondsPerSample;
  }

  /** The number of samples. */
  public int size() {
    return values.length;
  }

  /** The number of the interval of the run that a sample is of, from 0. */
  public int slot(int index) {
    return slots[index];
  }

  /** A copy of the numbers of the intervals. */
  public int[] slots() {
    return slots.clone();
  }

  /** The share in use at a sample. */
  public double value(int index) {
    return values[index];
  }

  /** A copy of the samples. */
  public double[] values() {
    return values.clone();
  }

  /** The mean share in use; 0 without samples. */
  public double mean() {
    return Arrays.stream(values).average().orElse(0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Utilisation that
        && node.equals(that.node)
        && tier.equals(that.tier)
        && resource.equals(that.resource)
        && secondsPerSample == that.secondsPerSample
        && Arrays.equals(slots, that.slots)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * (node + resource).hashCode() + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return resource
        + " of "
        + node
        + " "
        + Arrays.toString(values)
        + " in "
        + Arrays.toString(slots);
  }
}
