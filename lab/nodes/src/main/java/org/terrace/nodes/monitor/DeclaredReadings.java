package org.terrace.nodes.monitor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.terrace.nodes.setting.DeclaredMetrics;
import org.terrace.nodes.setting.MetricSelector;
import org.terrace.nodes.setting.PrometheusText;
import org.terrace.nodes.setting.PrometheusText.Figure;
import org.terrace.observation.Sample;

/**
 * The readings of the metrics that a specification declares of one server: pools as the share in
 * use, counters as what they grew by since the reading before, others as they are. Confined to one
 * thread.
 */
final class DeclaredReadings {
  /** The ending of the names of what counters grow by. */
  static final String RATE = "-per-second";

  private static final double NANOS_PER_SECOND = 1e9;

  private final String server;
  private final DeclaredMetrics declared;
  private final Set<String> names;
  private final Map<MetricSelector, Double> before = new HashMap<>();
  private final Set<String> untold = new TreeSet<>();
  private final Set<String> readPools = new HashSet<>();
  private final Set<String> countersSeen = new TreeSet<>();
  private final Set<String> readCounters = new HashSet<>();
  private long beforeNanos;

  DeclaredReadings(String server, DeclaredMetrics declared) {
    this.server = server;
    this.declared = declared;
    this.names = declared.names();
    declared.selectors().map(MetricSelector::text).forEach(untold::add);
  }

  /**
   * The samples of a text of metrics.
   *
   * @param epochNanos the time of the reading, on which its samples are
   * @param elapsedNanos the same time by a clock that nobody sets
   */
  List<Sample> samples(String metrics, long epochNanos, long elapsedNanos) {
    List<Figure> figures = PrometheusText.parse(metrics, names::contains);
    List<Sample> samples = new ArrayList<>();
    declared
        .pools()
        .forEach((name, pool) -> {
          OptionalDouble inUse = sum(figures, pool.inUse());
          OptionalDouble size =
              pool.size()
                  .map(selector -> sum(figures, selector))
                  .orElseGet(() -> OptionalDouble.of(pool.fixedSize()));
          if (inUse.isPresent() && size.isPresent() && size.getAsDouble() > 0) {
            double share = Math.max(0, inUse.getAsDouble() / size.getAsDouble());
            readPools.add(name);
            samples.add(new Sample(server, Resources.POOL + name, epochNanos, share));
          }
        });
    Predicate<String> counters = PrometheusText.counters(metrics);
    for (MetricSelector selector : declared.kept()) {
      OptionalDouble value = sum(figures, selector);
      if (value.isPresent() && counters.test(selector.name())) {
        countersSeen.add(selector.text());
        rate(selector, value.getAsDouble(), elapsedNanos)
            .ifPresent(rate -> {
              readCounters.add(selector.text());
              samples.add(new Sample(server, selector.text() + RATE, epochNanos, rate));
            });
      } else if (value.isPresent()) {
        samples.add(new Sample(server, selector.text(), epochNanos, value.getAsDouble()));
      }
    }
    beforeNanos = elapsedNanos;
    return samples;
  }

  /** The sum of all series that match; empty if there is none, or it is no finite number. */
  private OptionalDouble sum(List<Figure> figures, MetricSelector selector) {
    List<Figure> matching = figures.stream().filter(selector::matches).toList();
    double sum = matching.stream().mapToDouble(Figure::value).sum();
    if (matching.isEmpty() || !Double.isFinite(sum)) {
      before.remove(selector);
      return OptionalDouble.empty();
    }
    untold.remove(selector.text());
    return OptionalDouble.of(sum);
  }

  /** The growth a second since the reading before; empty after a gap, and where it fell. */
  private OptionalDouble rate(MetricSelector selector, double value, long elapsedNanos) {
    Double last = before.put(selector, value);
    long nanos = elapsedNanos - beforeNanos;
    return last == null || last > value || nanos <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((value - last) * NANOS_PER_SECOND / nanos);
  }

  /**
   * The pools and counters of which all was told at some time and no reading came about, each with
   * what a reading takes.
   */
  List<String> unread() {
    List<String> unread = new ArrayList<>();
    declared
        .pools()
        .forEach((name, pool) -> {
          boolean isTold =
              !untold.contains(pool.inUse().text())
                  && pool.size().map(size -> !untold.contains(size.text())).orElse(true);
          if (isTold && !readPools.contains(name)) {
            unread.add("pool " + name + " (a number in use beside a size above 0)");
          }
        });
    countersSeen.stream()
        .filter(counter -> !readCounters.contains(counter))
        .forEach(counter ->
            unread.add("counter " + counter + " (two numbers in a row of which none fell)"));
    return unread;
  }

  /** The selectors of which no reading has ever been. */
  Set<String> untold() {
    return new TreeSet<>(untold);
  }
}
