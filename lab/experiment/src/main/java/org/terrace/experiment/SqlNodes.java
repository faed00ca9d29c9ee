package org.terrace.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.hosts.DatabasePlan;
import org.terrace.hosts.DatabasePlan.DatabaseSystem;
import org.terrace.hosts.DatabaseServer;
import org.terrace.hosts.ServerHost;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;

/**
 * The SQL nodes of an NDB-like database, which are the servers of the middleware tier, and the
 * arbitrators of its groups of data nodes, which run beside them. Confined to one thread.
 */
final class SqlNodes {
  /** The data nodes of a group. */
  static final int REPLICAS = 2;

  /** The port of the first group's arbitrator; those of the others follow. */
  private static final int ARBITRATOR_PORT = 4_570;

  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private final Experiment experiment;
  private final TrialHosts hosts;
  private final List<DatabaseServer> servers = new ArrayList<>();
  private final List<DatabaseServer> arbitrators = new ArrayList<>();

  SqlNodes(Experiment experiment, TrialHosts hosts) {
    this.experiment = experiment;
    this.hosts = hosts;
    for (int number = 1; number <= experiment.topology().middleware(); number++) {
      PlacedServer place = place(number);
      servers.add(
          place
              .host()
              .database(plan(DatabaseSystem.NDB_SQL_NODE, place.address(), place.port(), 0)));
    }
    for (int group = 1; group <= experiment.topology().database() / REPLICAS; group++) {
      int port = ARBITRATOR_PORT + group - 1;
      String address = arbitratorPlace(group).address();
      arbitrators.add(
          arbitratorHost(group)
              .database(plan(DatabaseSystem.NDB_ARBITRATOR, address, port, group)));
    }
  }

  /** A data node that is not made yet. */
  DatabaseServer dataNode(int number) {
    PlacedServer place = hosts.of(Tier.DATABASE.serverName(number));
    return place
        .host()
        .database(plan(DatabaseSystem.NDB_DATA_NODE, place.address(), place.port(), number));
  }

  private DatabasePlan plan(DatabaseSystem system, String address, int port, int number) {
    return new DatabasePlan(
        system,
        address,
        port,
        DatabaseTier.DATABASE,
        hosts.databaseClients(),
        places(Tier.DATABASE, experiment.topology().database()),
        number);
  }

  private List<String> places(Tier tier, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> hosts.of(tier.serverName(number)))
        .map(place -> place.address() + ":" + place.port())
        .toList();
  }

  private PlacedServer place(int number) {
    return hosts.of(Tier.MIDDLEWARE.serverName(number));
  }

  /** The SQL node beside which an arbitrator runs: it is not lost together with a data node. */
  private PlacedServer arbitratorPlace(int group) {
    return place((group - 1) % experiment.topology().middleware() + 1);
  }

  ServerHost arbitratorHost(int group) {
    return arbitratorPlace(group).host();
  }

  /** The number of groups of data nodes. */
  int groups() {
    return arbitrators.size();
  }

  /** Makes the SQL nodes without tables. */
  void initialise() {
    servers.forEach(DatabaseServer::initialise);
  }

  /** The node of an SQL node. */
  NodeSpecification specification(int number) {
    return node(Tier.MIDDLEWARE.serverName(number), servers.get(number - 1));
  }

  /** The node of a group's arbitrator. */
  NodeSpecification arbitrator(int group) {
    return node("arbitrator" + group, arbitrators.get(group - 1));
  }

  private static NodeSpecification node(String name, DatabaseServer server) {
    return NodeSpecification.of(
            name,
            server.command(),
            new Readiness.Check(server::isReady, "accept connections"),
            READY_WITHIN)
        .forking(server.stopSignal());
  }

  /** The URL by which an application spreads its connections over all SQL nodes. */
  String url() {
    return places(Tier.MIDDLEWARE, servers.size()).stream()
            .collect(Collectors.joining(",", "jdbc:mariadb:loadbalance://", "/"))
        + DatabaseTier.DATABASE;
  }

  /** The ends of all of them. */
  List<Runnable> ends() {
    List<Runnable> ends = new ArrayList<>();
    servers.forEach(server -> ends.add(server::close));
    arbitrators.forEach(arbitrator -> ends.add(arbitrator::close));
    return ends;
  }
}
