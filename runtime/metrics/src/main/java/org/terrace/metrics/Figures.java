package org.terrace.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.terrace.core.RecentValue;
import org.terrace.core.TimeSource;

/**
 * A list of metrics in the making, all read from one source.
 *
 * @param <T> what the source gives, such as a record of counts
 */
final class Figures<T> {
  private final Supplier<T> source;
  private final List<RuntimeMetric> metrics = new ArrayList<>();

  Figures(Supplier<T> source) {
    this.source = source;
  }

  /**
   * A list whose source takes a lock that the work of others needs, or counts for long: it is asked
   * ten times a second at most, for all figures at once.
   */
  static <T> Figures<T> ofLocked(Supplier<T> source) {
    return new Figures<>(new RecentValue<>(source, TimeSource.system(), RecentValue.METRICS_NANOS));
  }

  Figures<T> gauge(String name, String description, ToLongFunction<T> value) {
    return add(name, RuntimeMetric.Kind.GAUGE, description, value);
  }

  /** A gauge that is 1 while something is so, and 0 otherwise. */
  Figures<T> flag(String name, String description, Predicate<T> value) {
    return gauge(name, description + ": 1, otherwise 0", read -> value.test(read) ? 1 : 0);
  }

  Figures<T> counter(String name, String description, ToLongFunction<T> value) {
    return add(name, RuntimeMetric.Kind.COUNTER, description, value);
  }

  private Figures<T> add(
      String name, RuntimeMetric.Kind kind, String description, ToLongFunction<T> value) {
    metrics.add(new RuntimeMetric(name, kind, description, () -> value.applyAsLong(source.get())));
    return this;
  }

  List<RuntimeMetric> list() {
    return List.copyOf(metrics);
  }
}
