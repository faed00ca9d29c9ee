package org.terrace.metrics;

import java.util.List;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.RequestDeduplication;
import org.terrace.groups.Group;
import org.terrace.invocation.server.ServiceServer;

/**
 * The metrics of one part of a process: a group's membership, a replica of collections, a server of
 * calls.
 *
 * <p>It holds the part, reads it when asked, and costs nothing in between; a part that was closed
 * keeps its last figures. Immutable and thread-safe.
 *
 * @param part the kind of part, such as {@code collections}: the middle of a meter's name
 * @param member the name of the member or replica, as the others know it
 * @param metrics its figures, each under a name of its own
 */
public record MetricSet(String part, String member, List<RuntimeMetric> metrics) {
  public MetricSet {
    metrics = List.copyOf(metrics);
    if (metrics.stream().map(RuntimeMetric::name).distinct().count() < metrics.size()) {
      throw new IllegalArgumentException("two metrics of " + part + " have one name");
    }
  }

  /** The metrics of a process's place in a group: members seen, messages sent and dropped. */
  public static MetricSet of(Group group) {
    return new MetricSet("group", group.self().name(), GroupFigures.of(group));
  }

  /**
   * The metrics of a replica of collections: what it holds, and what its repair has done.
   *
   * @param member the replica's name in its group
   */
  public static MetricSet of(String member, ReplicatedCollections collections) {
    return new MetricSet("collections", member, CollectionsFigures.of(collections));
  }

  /**
   * The metrics of what makes requests of soft-state services count once.
   *
   * @param member the replica's name in its group
   */
  public static MetricSet of(String member, RequestDeduplication requests) {
    return new MetricSet("requests", member, RequestFigures.of(requests::metrics));
  }

  /**
   * The metrics of a server of calls: those under way, answered and turned away, and its health.
   *
   * @param member the replica's name
   */
  public static MetricSet of(String member, ServiceServer server) {
    return new MetricSet("service", member, ServiceFigures.of(server));
  }
}
