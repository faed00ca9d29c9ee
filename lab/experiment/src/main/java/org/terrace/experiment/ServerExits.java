package org.terrace.experiment;

import java.util.ArrayList;
import java.util.List;
import org.terrace.nodes.Node;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The servers that ended before they were asked to. Immutable.
 *
 * @param checks the check that none did but by a fault
 */
record ServerExits(List<ValidityCheck> checks) {

  /** Looks at all servers while they are still to be running. */
  static ServerExits of(Deployment deployment, Experiment experiment, List<Event> events) {
    List<String> ended = new ArrayList<>();
    for (String server : experiment.topology().serverNames()) {
      Node node = deployment.node(server);
      if (!node.isAlive() && !wasKilled(node, events)) {
        ended.add(
            server
                + " ended by itself with exit status "
                + node.exit().join().status()
                + ", see "
                + node.logFile());
      }
    }
    String detail = ended.isEmpty() ? "no server ended by itself" : String.join("; ", ended);
    return new ServerExits(List.of(new ValidityCheck("servers-alive", ended.isEmpty(), detail)));
  }

  private static boolean wasKilled(Node node, List<Event> events) {
    String pid = Long.toString(node.pid());
    return events.stream()
        .filter(event -> event.kind().equals(EventKinds.FAULT_KILL))
        .map(Event::attributes)
        .anyMatch(attributes -> pid.equals(attributes.get("pid")));
  }
}
