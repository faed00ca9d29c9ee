package org.terrace.hosts;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.nodes.setting.NetworkLimit;

/**
 * The watch of the servers of one host. Immutable.
 *
 * @param servers the servers
 * @param interval the time between two readings of what they use
 */
public record WatchPlan(List<Watched> servers, Duration interval) {
  /** Copies the servers. */
  public WatchPlan {
    servers = List.copyOf(servers);
  }

  /**
   * A server that is watched.
   *
   * @param name the name of its readings
   * @param node the name of the node whose processes are read, whichever plays it at the moment
   * @param cores the cores that it may use
   * @param listens the place at which its clients open connections, if the queue of those that it
   *     has not accepted is to be read
   * @param metrics the place at which it tells how much of its pools is in use and the like, if it
   *     does
   * @param network the limit of its network, if it has one and its host is its own
   * @param governor the time between two decisions of its frequency governor, if it has one
   */
  public record Watched(
      String name,
      String node,
      double cores,
      Optional<Endpoint> listens,
      Optional<MetricsPlace> metrics,
      Optional<NetworkLimit> network,
      Optional<Duration> governor) {
    /** A server of whose own word nothing is read, without a governor. */
    public static Watched of(String name, String node, double cores) {
      return new Watched(
          name,
          node,
          cores,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }
}
