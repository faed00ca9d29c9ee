package org.terrace.scaling.bottleneck;

import org.terrace.scaling.Utilisation;

/**
 * The saturation of one resource of one node. Immutable.
 *
 * @param node the server
 * @param tier its tier
 * @param resource the resource
 * @param samples the number of samples
 * @param mean the mean share in use
 * @param frequency the share of samples that are saturated
 * @param frequencyAt90 the same for a share in use of 0.90 and more
 * @param frequencyAt98 the same for 0.98 and more
 * @param extent what the frequency amounts to
 */
public record ResourceSaturation(
    String node,
    String tier,
    String resource,
    int samples,
    double mean,
    double frequency,
    double frequencyAt90,
    double frequencyAt98,
    Extent extent) {
  /** Classes of the saturation frequency. */
  public enum Extent {
    /** Saturated throughout. */
    FULL,
    /** Saturated at times. */
    PARTIAL,
    /** Saturated so rarely that it matters only together with others. */
    RARE,
    /** Hardly ever saturated. */
    NONE
  }

  /** The saturation of a resource whose samples these are. */
  static ResourceSaturation of(Utilisation samples, SaturationRules rules) {
    double frequency = frequency(samples, rules.saturated());
    Extent extent =
        frequency >= rules.full()
            ? Extent.FULL
            : frequency >= rules.partial()
                ? Extent.PARTIAL
                : frequency >= rules.rare() ? Extent.RARE : Extent.NONE;
    return new ResourceSaturation(
        samples.node(),
        samples.tier(),
        samples.resource(),
        samples.size(),
        samples.mean(),
        frequency,
        frequency(samples, 0.90),
        frequency(samples, 0.98),
        extent);
  }

  /** Whether the resource is hardware. */
  public boolean isHardware() {
    return Utilisation.HARDWARE.contains(resource);
  }

  /** The resource as words: {@code cpu of app1}. */
  public String words() {
    return resource + " of " + node;
  }

  private static double frequency(Utilisation samples, double threshold) {
    int saturated = 0;
    for (int i = 0; i < samples.size(); i++) {
      saturated += samples.value(i) >= threshold ? 1 : 0;
    }
    return samples.size() == 0 ? 0 : (double) saturated / samples.size();
  }
}
