package org.terrace.scaling;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The samples of one resource of one node in the run phase of a trial. Immutable; the array is not
 * handed out.
 */
public final class Utilisation {
  /** The resources that are hardware; any other is soft. */
  public static final Set<String> HARDWARE = Set.of("cpu", "disk", "network", "memory");

  private final String node;
  private final String tier;
  private final String resource;
  private final double secondsPerSample;
  private final double[] values;

  private Utilisation(
      String node, String tier, String resource, double secondsPerSample, double[] values) {
    this.node = node;
    this.tier = tier;
    this.resource = resource;
    this.secondsPerSample = secondsPerSample;
    this.values = values;
  }

  /**
   * The samples of a resource.
   *
   * @param node the server
   * @param tier its tier, of {@link Configuration#TIERS}
   * @param resource the resource: {@code cpu}, {@code disk}, {@code network} and {@code memory} are
   *     hardware, any other is soft, such as a pool of threads
   * @param secondsPerSample the time between samples
   * @param values shares of the resource that were in use, 0 to 1 of the node's own limit, in order
   *     of time, within the run phase alone; copied
   */
  public static Utilisation of(
      String node, String tier, String resource, double secondsPerSample, double[] values) {
    if (!(secondsPerSample > 0 && secondsPerSample < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          resource + " of " + node + ": samples are " + secondsPerSample + " s apart");
    }
    if (!Arrays.stream(values).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(resource + " of " + node + ": a sample is no number");
    }
    return new Utilisation(node, tier, resource, secondsPerSample, values.clone());
  }

  /** The samples of one resource in several stretches of time, one after the other. */
  static Utilisation joined(List<Utilisation> parts) {
    Utilisation first = parts.getFirst();
    double[] values = parts.stream().flatMapToDouble(part -> Arrays.stream(part.values)).toArray();
    return new Utilisation(first.node, first.tier, first.resource, first.secondsPerSample, values);
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

  /** The first samples, at most so many. */
  Utilisation first(int most) {
    return values.length <= most
        ? this
        : new Utilisation(node, tier, resource, secondsPerSample, Arrays.copyOf(values, most));
  }

  /** The time between samples. */
  public double secondsPerSample() {
    return secondsPerSample;
  }

  /** The number of samples. */
  public int size() {
    return values.length;
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
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * (node + resource).hashCode() + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return resource + " of " + node + " " + Arrays.toString(values);
  }
}
