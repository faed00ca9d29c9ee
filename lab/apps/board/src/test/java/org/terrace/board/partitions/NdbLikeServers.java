package org.terrace.board.partitions;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.ndblike.Arbitrator;
import org.terrace.databases.ndblike.NdbLikeNodes;
import org.terrace.databases.ndblike.NdbLikePrograms;

/** An NDB-like database of real servers: two SQL nodes, and groups of two data nodes. */
public final class NdbLikeServers implements AutoCloseable {
  private static final int PORT = 3306;
  private static final int ARBITRATOR_PORT = 4570;

  private final String network;
  private final List<MariaDbServer> dataNodes = new ArrayList<>();
  private final List<MariaDbServer> sqlNodes = new ArrayList<>();
  private final List<Arbitrator> arbitrators = new ArrayList<>();

  private NdbLikeServers(String network) {
    this.network = network;
  }

  /** Skips a test, with the packages' names, where the programs are not there. */
  public static void assumePrograms() {
    assumeThat(NdbLikePrograms.lacking()).isEmpty();
  }

  /**
   * Starts all nodes.
   *
   * @param network the first two octets of their addresses, which no other test uses
   * @param arbitrated whether groups have arbitrators, as they should
   */
  public static NdbLikeServers start(String network, int dataNodes, boolean arbitrated) {
    NdbLikeServers servers = new NdbLikeServers(network);
    try {
      servers.startAll(dataNodes, arbitrated);
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  private void startAll(int count, boolean arbitrated) {
    List<String> places =
        IntStream.rangeClosed(1, count).mapToObj(number -> place(4, number)).toList();
    NdbLikeNodes nodes = new NdbLikeNodes(places);
    for (int number = 1; number <= count; number++) {
      MariaDbServer node = nodes.dataNode(options(4, number), number);
      dataNodes.add(node);
      node.initialise().start();
    }
    for (int group = 1; arbitrated && group <= nodes.groups(); group++) {
      Arbitrator arbitrator =
          nodes.arbitrator(group, network + ".3." + group, ARBITRATOR_PORT + group);
      arbitrators.add(arbitrator);
      arbitrator.start();
    }
    for (int number = 1; number <= 2; number++) {
      MariaDbOptions options = options(3, number);
      MariaDbServer node = nodes.sqlNode(options);
      sqlNodes.add(node);
      node.initialise(nodes.definitions(options)).start();
    }
  }

  private MariaDbOptions options(int octet, int number) {
    return MariaDbOptions.at(network + "." + octet + "." + number, PORT, "board");
  }

  private String place(int octet, int number) {
    return network + "." + octet + "." + number + ":" + PORT;
  }

  /** The URL that spreads connections over both SQL nodes. */
  public String url() {
    return "jdbc:mariadb:loadbalance://%s,%s/board".formatted(place(3, 1), place(3, 2));
  }

  /** A connection to one SQL node. */
  Connection sqlNode(int number) throws SQLException {
    return DriverManager.getConnection(sqlNodes.get(number - 1).jdbcUrl(), "board", "");
  }

  NdbLikeDatabase database() throws SQLException {
    return NdbLikeDatabase.of(url(), "board");
  }

  /** Kills a data node as a crash does. */
  void kill(int dataNode) {
    dataNodes.get(dataNode - 1).crash();
  }

  /** Starts a first node of a group that was killed, which makes a group of its own. */
  void startAlone(int dataNode) {
    dataNodes
        .get(dataNode - 1)
        .put(
            "grastate.dat",
            """
            # GALERA saved state
            version: 2.1
            uuid:    00000000-0000-0000-0000-000000000000
            seqno:   -1
            safe_to_bootstrap: 1
            """)
        .start();
  }

  /** Stops a data node without ending it, as a machine does that has no time for it. */
  void suspend(int dataNode) {
    dataNodes.get(dataNode - 1).suspend();
  }

  void resume(int dataNode) {
    dataNodes.get(dataNode - 1).resume();
  }

  @Override
  public void close() {
    sqlNodes.forEach(MariaDbServer::close);
    arbitrators.forEach(Arbitrator::close);
    dataNodes.forEach(MariaDbServer::close);
  }
}
