package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;

/**
 * Samples of resources whose class of bottleneck is known. They are made of continuous processes
 * with a memory, not of the on-and-off series that the classifier looks at.
 */
final class SyntheticSaturation {
  private final RandomGenerator random;
  private final int samples;

  SyntheticSaturation(RandomGenerator random, int samples) {
    this.random = random;
    this.samples = samples;
  }

  /** The samples of some servers of which as many as said show the class. */
  List<Utilisation> of(Kind kind, int resources, double memory) {
    List<double[]> series = new ArrayList<>();
    switch (kind) {
      case SINGLE -> series.add(full());
      case PARTIAL -> series.add(atTimes(0.2 + 0.3 * random.nextDouble(), 0.3));
      case SIMULTANEOUS -> {
        for (int i = 0; i < resources; i++) {
          series.add(full());
        }
      }
      case MIXED -> {
        series.add(full());
        for (int i = 1; i < resources; i++) {
          series.add(atTimes(0.2 + 0.3 * random.nextDouble(), 0.3));
        }
      }
      case CONCURRENT -> {
        for (int i = 0; i < resources; i++) {
          series.add(atTimes(0.25 + 0.3 * random.nextDouble(), memory));
        }
      }
      case OSCILLATORY -> series.addAll(alternating(resources));
      case NO_HARDWARE, NONE, UNCLEAR -> {
        // All servers are the idle ones that every service has.
      }
    }
    for (int i = 0; i < 3; i++) {
      series.add(process(0.3, 0.1, 0.5));
    }
    List<Utilisation> utilisation = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      utilisation.add(Utilisation.of("database" + i, "database", "disk", 1, series.get(i)));
    }
    return utilisation;
  }

  private double[] full() {
    double[] values = new double[samples];
    for (int t = 0; t < samples; t++) {
      values[t] = random.nextDouble() < 0.98 ? 0.97 + 0.03 * random.nextDouble() : 0.8;
    }
    return values;
  }

  /** A resource that is saturated for a share of the time, as a process with a memory has it. */
  private double[] atTimes(double share, double memory) {
    double[] values = process(0, 1, memory);
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double limit = sorted[(int) ((1 - share) * (samples - 1))];
    for (int t = 0; t < samples; t++) {
      values[t] = values[t] > limit ? 1 : Math.clamp(0.8 + 0.1 * (values[t] - limit), 0, 0.94);
    }
    return values;
  }

  /** Resources of which at nearly all times one is saturated, for two seconds on average. */
  private List<double[]> alternating(int resources) {
    List<double[]> series = new ArrayList<>();
    for (int i = 0; i < resources; i++) {
      series.add(process(0.45, 0.12, 0.5));
    }
    int holder = 0;
    for (int t = 0; t < samples; t++) {
      if (random.nextDouble() < 0.5) {
        holder = (holder + 1 + random.nextInt(resources - 1)) % resources;
      }
      if (random.nextDouble() < 0.93) {
        series.get(holder)[t] = 0.96 + 0.04 * random.nextDouble();
      }
    }
    return series;
  }

  private double[] process(double mean, double deviation, double memory) {
    double[] values = new double[samples];
    double state = random.nextGaussian();
    for (int t = 0; t < samples; t++) {
      values[t] = mean + deviation * state;
      state = memory * state + Math.sqrt(1 - memory * memory) * random.nextGaussian();
    }
    return mean == 0 ? values : clamped(values);
  }

  private static double[] clamped(double[] values) {
    for (int t = 0; t < values.length; t++) {
      values[t] = Math.clamp(values[t], 0.01, 0.94);
    }
    return values;
  }
}
