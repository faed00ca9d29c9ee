package org.terrace.databases.ndblike;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.databases.ServerAccount;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.ndblike.NodeGroup.Place;

/**
 * The nodes of an NDB-like cluster: data nodes in groups of two, an arbitrator a group, SQL nodes
 * before them. Immutable.
 *
 * <p>They are started in this order: the first data node of each group, the others, the
 * arbitrators, the SQL nodes. Each holds one of as many partitions as there are data nodes, and a
 * copy of its partner's. What is committed is in the memory of both, and on no disk. A data node
 * joins its group with an empty database alone, so one that was lost stays away.
 */
public final class NdbLikeNodes {
  /** The data nodes of a group. */
  public static final int REPLICAS = NodeGroup.REPLICAS;

  /** The file in which a member keeps how far it is in what its group did. */
  private static final String GROUP_STATE = "grastate.dat";

  /**
   * The longest wait of an SQL node for a data node's answer to a statement: longer than a data
   * node waits for the lock of a row, and shorter than Spider's own ten minutes, in which a node
   * that hangs would keep the tables of the statement from being served by its partner.
   */
  private static final String LONGEST_ANSWER_SECONDS = "60";

  private final NdbLikePrograms programs;
  private final List<String> dataNodes;
  private final List<NodeGroup> groups;

  /**
   * The nodes of a cluster.
   *
   * @param dataNodes the places of all data nodes, such as {@code 127.0.4.1:3306}, the two of a
   *     group side by side; each takes the two ports behind its own for its group
   * @throws org.terrace.core.TerraceException when this machine lacks programs, or the number of
   *     data nodes is odd
   */
  public NdbLikeNodes(List<String> dataNodes) {
    this.programs = NdbLikePrograms.require();
    this.dataNodes = List.copyOf(dataNodes);
    this.groups = NodeGroup.of(dataNodes);
    MemoryFolder.deleteLeft();
  }

  /** The number of groups. */
  public int groups() {
    return groups.size();
  }

  /**
   * A data node.
   *
   * @param options its place and its account
   * @param number its number among all data nodes, counted from one
   */
  public MariaDbServer dataNode(MariaDbOptions options, int number) {
    MariaDbOptions inMemory =
        options
            .withoutDurability()
            .withSetting("max-connections", "400")
            .withSetting("innodb-buffer-pool-size", "64M")
            // A file system of memory has none.
            .withSetting("innodb-use-native-aio", "0");
    return joining(server(member(inMemory, number)), number);
  }

  /**
   * A data node that keeps what it commits on its disk, as a member of a plain Galera cluster of
   * two does: with no SQL node before it.
   *
   * @param options its place and its account
   * @param number its number among all data nodes, counted from one
   */
  public MariaDbServer durableNode(MariaDbOptions options, int number) {
    return joining(programs.durableServer(member(options, number)), number);
  }

  private MariaDbServer joining(MariaDbServer node, int number) {
    return node.put(
        GROUP_STATE, groups.get((number - 1) / REPLICAS).state((number - 1) % REPLICAS == 0));
  }

  private MariaDbOptions member(MariaDbOptions options, int number) {
    NodeGroup group = groups.get((number - 1) / REPLICAS);
    Place own = group.nodes().get((number - 1) % REPLICAS);
    boolean first = (number - 1) % REPLICAS == 0;
    return options
        .withSetting("binlog-format", "ROW")
        .withSetting("innodb-autoinc-lock-mode", "2")
        .withSetting("wsrep-on", "ON")
        .withSetting("wsrep-provider", programs.file(NdbLikePrograms.GALERA))
        .withSetting("wsrep-cluster-name", group.name())
        .withSetting("wsrep-cluster-address", first ? "gcomm://" : group.address())
        .withSetting("wsrep-node-name", "data" + number)
        .withSetting("wsrep-node-address", own.address() + ":" + own.groupPort())
        .withSetting(
            "wsrep-provider-options",
            "gmcast.listen_addr=tcp://%s:%d;ist.recv_addr=%s:%d;gcache.size=16M;pc.recovery=no"
                .formatted(own.address(), own.groupPort(), own.address(), own.catchUpPort()));
  }

  /** An SQL node; all have the same data nodes, and know each by the name of its partition. */
  public MariaDbServer sqlNode(MariaDbOptions options) {
    return server(
        options
            .withoutDurability()
            .withSetting("max-connections", "400")
            .withSetting("innodb-buffer-pool-size", "16M")
            .withSetting("innodb-use-native-aio", "0")
            .withSetting("plugin-dir", programs.file(NdbLikePrograms.PLUGINS))
            .withSetting("plugin-maturity", "gamma")
            .withSetting("plugin-load-add", "ha_spider.so")
            .withSetting("spider-net-read-timeout", LONGEST_ANSWER_SECONDS));
  }

  private MariaDbServer server(MariaDbOptions options) {
    return new MariaDbServer(
        options, programs.server(), MemoryFolder.place(), MemoryFolder.prefix());
  }

  /**
   * The statements for {@link MariaDbServer#initialise(String)} of an SQL node. Each data node is
   * the owner of its own server by its place, which stays when another place serves its partition.
   */
  public String definitions(MariaDbOptions options) {
    String servers =
        IntStream.rangeClosed(1, dataNodes.size())
            .mapToObj(number -> definition(number, options))
            .collect(Collectors.joining());
    String rights =
        options.clientHosts().stream()
            .map(hosts -> "'%s'@'%s'".formatted(options.user(), hosts))
            .map(account ->
                "GRANT FEDERATED ADMIN ON *.* TO %1$s;\nGRANT SELECT ON mysql.servers TO %1$s;\n"
                    .formatted(account))
            .collect(Collectors.joining());
    return servers + rights;
  }

  private String definition(int number, MariaDbOptions options) {
    Place place = Place.of(dataNodes.get(number - 1));
    return ("INSERT INTO mysql.servers (Server_name, Host, Db, Username, Password, Port, Socket,"
            + " Wrapper, Owner) VALUES ('%s', '%s', '%s', '%s', '', %d, '', 'mysql', '%s');\n")
        .formatted(
            "data" + number,
            place.address(),
            options.database(),
            options.user(),
            place.port(),
            dataNodes.get(number - 1));
  }

  /**
   * The arbitrator of a group: it has a vote and no data, so that the loss of a data node leaves
   * the other with the majority.
   *
   * @param group the group's number, counted from one
   * @param address the address at which it listens
   * @param port its port, below the ephemeral ones
   */
  public Arbitrator arbitrator(int group, String address, int port) {
    NodeGroup of = groups.get(group - 1);
    List<String> command = new ArrayList<>(programs.before());
    command.addAll(
        List.of(
            programs.file(NdbLikePrograms.ARBITRATOR),
            "--address",
            of.address(),
            "--group",
            of.name(),
            "--name",
            "arbitrator" + group,
            "--options",
            "gmcast.listen_addr=tcp://%s:%d;pc.recovery=no".formatted(address, port)));
    return new Arbitrator(address, port, ServerAccount.ofThisProcess().run(command));
  }
}
