package org.terrace.benchmarks.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Keeper;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.ndblike.NdbLikeNodes;
import org.terrace.databases.ndblike.NdbLikePrograms;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.machine.ControlGroup;

/**
 * One real server, held to a share of a core if it has a control group. Its commits wait for the
 * disk, whichever its kind. Confined to one thread.
 */
final class MeasuredServer implements AutoCloseable {
  /** The address of all servers and controllers. */
  static final String HOST = "127.0.0.1";

  /** The name of the database and of its user, who has no password. */
  static final String DATABASE = "board";

  private static final int LOOKS = 2;

  /** A Galera node's port is below those that are given to others, so that its next are free. */
  private static final int GALERA_PORT = 3_306;

  private static final String GALERA_NETWORK = "127.0.14.";
  private static final List<String> GALERA_NODES =
      List.of(GALERA_NETWORK + "1:" + GALERA_PORT, GALERA_NETWORK + "2:" + GALERA_PORT);

  /** Controls that both kinds of servers have. */
  private record Controls(
      String jdbcUrl,
      InetSocketAddress address,
      Runnable begin,
      Runnable crash,
      Runnable suspend,
      Runnable resume,
      Runnable end) {}

  private final Controls controls;
  private final Optional<ControlGroup> group;
  private Set<Long> processes = Set.of();

  private MeasuredServer(Controls controls, Optional<ControlGroup> group) {
    this.controls = controls;
    this.group = group;
  }

  /**
   * A server with an empty database, which runs.
   *
   * @param index its number in its fleet, from 0 on
   */
  static MeasuredServer start(ServerKind kind, int index, Optional<ControlGroup> group)
      throws IOException {
    int port = freePort();
    MariaDbOptions mariaDb = MariaDbOptions.at(HOST, port, DATABASE);
    Controls controls =
        switch (kind) {
          case POSTGRESQL -> {
            PostgresServer server =
                new PostgresServer(PostgresOptions.at(HOST, port).withDatabase(DATABASE, DATABASE))
                    .initialise();
            yield new Controls(
                server.jdbcUrl(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                server::start,
                server::crash,
                server::suspend,
                server::resume,
                server::close);
          }
          case MARIADB -> controls(new MariaDbServer(mariaDb));
          case DEBIAN_MARIADB ->
              controls(NdbLikePrograms.find().orElseThrow().durableServer(mariaDb));
          case GALERA ->
              controls(
                  new NdbLikeNodes(GALERA_NODES)
                      .durableNode(
                          MariaDbOptions.at(GALERA_NETWORK + (index + 1), GALERA_PORT, DATABASE)
                              // A session reads what it wrote, as one of the cluster's does.
                              .withSetting("wsrep-sync-wait", "1"),
                          index + 1));
        };
    MeasuredServer server = new MeasuredServer(controls, group);
    server.start();
    return server;
  }

  private static Controls controls(MariaDbServer server) {
    server.initialise();
    return new Controls(
        server.jdbcUrl(),
        new InetSocketAddress(
            InetAddress.ofLiteral(server.options().address()), server.options().port()),
        server::start,
        server::crash,
        server::suspend,
        server::resume,
        server::close);
  }

  /** Starts it, also after a crash, and returns when it accepts connections. */
  void start() {
    // The keeper is a child of this process too, and none of the server's.
    Objects.requireNonNull(Keeper.ofThisProcess());
    Set<Long> before = children();
    controls.begin().run();
    // What was started while the others were moved is found by the second look.
    for (int look = 0; look < LOOKS; look++) {
      Set<Long> own = children();
      own.removeAll(before);
      group.ifPresent(limited -> own.forEach(pid -> join(limited, pid)));
      processes = own;
    }
  }

  private static void join(ControlGroup limited, long pid) {
    try {
      limited.add(pid);
    } catch (TerraceException e) {
      if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
        throw e;
      }
    }
  }

  private static Set<Long> children() {
    return ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Kills all its processes. */
  void crash() {
    controls.crash().run();
  }

  /** Stops all its processes without ending them. */
  void suspend() {
    controls.suspend().run();
  }

  /** Lets the processes that were stopped go on. */
  void resume() {
    controls.resume().run();
  }

  /** Lets it use all processors until {@link #enforce}. */
  void lift() {
    group.ifPresent(ControlGroup::suspend);
  }

  /** Puts its limit in force again. */
  void enforce() {
    group.ifPresent(ControlGroup::enforce);
  }

  String jdbcUrl() {
    return controls.jdbcUrl();
  }

  InetSocketAddress address() {
    return controls.address();
  }

  /** Its place as it stands in a cluster's URL. */
  String place() {
    return address().getAddress().getHostAddress() + ":" + address().getPort();
  }

  /**
   * The processor time of the processes it has now, in seconds. A server with a process for each
   * connection has those of the connections that are open.
   */
  double cpuSeconds() {
    Set<Long> all = new TreeSet<>(processes);
    for (long pid : processes) {
      ProcessHandle.of(pid)
          .ifPresent(process -> process.descendants().forEach(child -> all.add(child.pid())));
    }
    return all.stream().mapToDouble(MeasuredServer::cpuSeconds).sum();
  }

  /** The processor time of a process, in seconds; 0 if it has ended. */
  static double cpuSeconds(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e9;
  }

  /** A port at which nobody listens. */
  static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return probe.getLocalPort();
    }
  }

  @Override
  public void close() {
    controls.resume().run();
    controls.end().run();
    for (ControlGroup limited : group.map(List::of).orElse(List.of())) {
      limited.close();
    }
  }
}
