package org.terrace.nodes.setting;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metrics of a program that its specification says are worth keeping. Immutable.
 *
 * @param pools its soft resources by name: what of each is in use, and how large it is
 * @param kept metrics that are kept as they are, or, of counters, as what they grow by a second
 */
public record DeclaredMetrics(Map<String, Pool> pools, List<MetricSelector> kept) {
  /** Copies the collections. */
  public DeclaredMetrics {
    pools = Map.copyOf(pools);
    kept = List.copyOf(kept);
  }

  /**
   * A soft resource. Of several series that match, the sum counts.
   *
   * @param inUse how much of it is in use
   * @param size the metric of its size; empty for one of a fixed size
   * @param fixedSize its size, if no metric tells it
   */
  public record Pool(MetricSelector inUse, Optional<MetricSelector> size, double fixedSize) {}

  /** All selectors. */
  public Stream<MetricSelector> selectors() {
    return Stream.concat(
        pools.values().stream()
            .flatMap(pool -> Stream.concat(Stream.of(pool.inUse()), pool.size().stream())),
        kept.stream());
  }

  /** The names of all metrics. */
  public Set<String> names() {
    return selectors().map(MetricSelector::name).collect(Collectors.toSet());
  }
}
