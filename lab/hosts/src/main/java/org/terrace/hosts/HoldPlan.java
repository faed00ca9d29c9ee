package org.terrace.hosts;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.OpenConnections;
import org.terrace.nodes.fault.DisturbedPlaces;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.fault.ReachedConnections;

/** A fault that holds a server from outside, as its host is asked for it. */
public sealed interface HoldPlan {
  /** The server. */
  String server();

  /**
   * The hold of it, noted at the place whose packets it concerns, with the connections of the
   * server that one of all its packets does not reach; the same if of no network.
   *
   * @param members gives the processes of a node at the moment
   */
  default Hold noted(DisturbedPlaces places, Function<String, List<Long>> members, Hold hold) {
    return switch (this) {
      case Openings openings -> places.atPort(openings.endpoint(), hold);
      case Cut cut -> places.atAddress(cut.endpoint(), reached(cut.endpoint(), members, hold));
      case Loss loss -> places.atAddress(loss.endpoint(), reached(loss.endpoint(), members, hold));
      case Bandwidth narrow ->
          places.atAddress(narrow.endpoint(), reached(narrow.endpoint(), members, hold));
      case Delay delay ->
          places.atAddress(
              delay.endpoint(),
              delay.by().plus(delay.jitter()),
              reached(delay.endpoint(), members, hold));
      case Storage _, Processor _, Memory _ -> hold;
    };
  }

  private static Hold reached(Endpoint endpoint, Function<String, List<Long>> members, Hold hold) {
    return new ReachedConnections(
        endpoint.address(), () -> OpenConnections.of(members.apply(endpoint.server())), hold);
  }

  /** The drop of what opens a connection to a server. Immutable. */
  record Openings(Endpoint endpoint) implements HoldPlan {
    @Override
    public String server() {
      return endpoint.server();
    }
  }

  /** The drop of all packets to and from a server. Immutable. */
  record Cut(Endpoint endpoint) implements HoldPlan {
    @Override
    public String server() {
      return endpoint.server();
    }
  }

  /**
   * The drop of some packets to and from a server, by chance. Immutable.
   *
   * @param share the part that is dropped, above 0 and at most 1
   */
  record Loss(Endpoint endpoint, double share) implements HoldPlan {
    @Override
    public String server() {
      return endpoint.server();
    }
  }

  /**
   * The drop of what exceeds a rate to a server, or from there. Immutable.
   *
   * @param bytesPerSecond the rate
   */
  record Bandwidth(Endpoint endpoint, long bytesPerSecond) implements HoldPlan {
    @Override
    public String server() {
      return endpoint.server();
    }
  }

  /**
   * The delay of all that a server sends. Immutable.
   *
   * @param by the time that it waits
   * @param jitter the most by which that time is shorter or longer, by chance
   */
  record Delay(Endpoint endpoint, Duration by, Duration jitter) implements HoldPlan {
    @Override
    public String server() {
      return endpoint.server();
    }
  }

  /**
   * Storage held back. Immutable.
   *
   * @param bytesPerSecond what it takes and gives a second
   */
  record Storage(String server, long bytesPerSecond) implements HoldPlan {}

  /** Processor time of a server that other work takes, within the limit that it has. Immutable. */
  record Processor(String server) implements HoldPlan {}

  /**
   * Memory that is taken beside a server, within the limit that it has. Immutable.
   *
   * @param share the part of the limit that both come to together, above 0 and below 1
   */
  record Memory(String server, double share) implements HoldPlan {}
}
