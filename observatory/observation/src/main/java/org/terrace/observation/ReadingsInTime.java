package org.terrace.observation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The readings of a resource of a node in a stretch of time, each of the time since the one before
 * it: one that was late counts for as long as it had to be waited for, since a monitor is late just
 * when its machine has too much to do. Immutable.
 *
 * @param readings in the order of their times
 * @param lengthNanos the length of the stretch, more than 0
 */
public record ReadingsInTime(List<Reading> readings, long lengthNanos) {
  /** The least part of the stretch that the readings have to cover for a judgement. */
  public static final double LEAST_READ = 0.5;

  /** Copies the readings. */
  public ReadingsInTime {
    readings = List.copyOf(readings);
  }

  /**
   * A reading.
   *
   * @param timeNanos when it was taken, in nanoseconds since the Unix epoch
   * @param nanos the time since the one before, within the stretch
   */
  public record Reading(long timeNanos, long nanos, double value) {}

  /** The readings of a stretch, both ends in nanoseconds since the Unix epoch. */
  public static ReadingsInTime of(
      List<Sample> samples, String node, String resource, long startNanos, long endNanos) {
    List<Reading> readings = new ArrayList<>();
    long before = startNanos;
    for (Sample sample :
        samples.stream()
            .filter(sample -> sample.node().equals(node) && sample.resource().equals(resource))
            .sorted(Comparator.comparingLong(Sample::timeNanos))
            .toList()) {
      if (sample.timeNanos() > before && sample.timeNanos() <= endNanos) {
        readings.add(new Reading(sample.timeNanos(), sample.timeNanos() - before, sample.value()));
      }
      before = Math.max(before, sample.timeNanos());
    }
    return new ReadingsInTime(readings, endNanos - startNanos);
  }

  /** The mean over the time that the readings cover; 0 if there are none. */
  public double mean(ToDoubleFunction<Reading> of) {
    double nanos = readings.stream().mapToLong(Reading::nanos).sum();
    return readings.stream().mapToDouble(each -> each.nanos() * of.applyAsDouble(each)).sum()
        / Math.max(1, nanos);
  }

  /**
   * The sentence that too little is known of a machine's processors; empty if enough is.
   *
   * @param machine the words for the machine
   */
  public Optional<String> lacking(String machine) {
    double read = (double) readings.stream().mapToLong(Reading::nanos).sum() / lengthNanos;
    if (readings.isEmpty()) {
      return Optional.of(
          machine + " was not read in the run, so that nothing is known of its processors");
    }
    return read >= LEAST_READ
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s was read in %.0f %% of the run alone (at least %.0f %%), so that too little is"
                    + " known of its processors",
                machine,
                100 * read,
                100 * LEAST_READ));
  }
}
