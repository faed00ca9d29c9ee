package org.terrace.cart;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.terrace.cart.process.DataTimes;
import org.terrace.cart.process.LoadMeter;
import org.terrace.cart.process.ServiceMembership;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.cart.process.TimedExecution;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.RequestDeduplication;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.control.Style;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.invocation.Execution;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.invocation.softstate.SoftStateExecution;

/**
 * One replica of the cart: a member of the group whose collections hold it.
 *
 * <p>As a program it prints {@code ready} when it accepts calls and ends cleanly on SIGTERM. Start
 * and close are called by one thread.
 */
public final class CartServer implements AutoCloseable {
  /** The name of the service. */
  public static final String SERVICE = "cart";

  static final String USAGE =
      """
      --name NAME --address ADDRESS --port PORT [--calls-max 4096] [--times FILE]
        --group ADDRESS:PORT,... [--level LOCAL|ALL|K] [--gossip-ms 100]
      or, over a database, to compare with:
        --store postgresql|h2 --database-url URL [--database-user cart] [--connections 64]
      --group lists all replicas of the group; one of them is at this server's address. In its
      place, --join ADDRESS:PORT,... names some that run, for one more.
      --times samples how long calls spend with the data, and writes it at the end.
      """
          + ServiceMembership.USAGE;

  private final ServiceServer server;
  private final DataTimes times;
  private final Optional<Path> timesFile;
  private final List<Runnable> before;
  private final List<Runnable> behind;

  private CartServer(
      ServiceServer server,
      DataTimes times,
      Optional<Path> timesFile,
      List<Runnable> before,
      List<Runnable> behind) {
    this.server = server;
    this.times = times;
    this.timesFile = timesFile;
    this.before = List.copyOf(before);
    this.behind = List.copyOf(behind);
  }

  /** Runs a replica until the process is told to end; then it says how many calls it refused. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    int exitCode =
        SoftStateProcess.run(
            "CartServer",
            USAGE,
            arguments,
            flags -> {
              CartServer server = start(flags);
              SoftStateProcess.serveUntilTold(server::close);
              return 0;
            });
    System.exit(exitCode);
  }

  /** Starts a replica; it accepts calls when this returns. */
  static CartServer start(Flags flags) {
    String name = flags.text("--name");
    ServerOptions options =
        ServerOptions.of(name)
            .withAddress(
                new InetSocketAddress(
                    flags.text("--address"), flags.number("--port", 8080, 0, 65_535)))
            .withCallsMax(flags.number("--calls-max", 4096, 1, 1_000_000));
    Optional<Path> timesFile = flags.path("--times");
    String store = flags.text("--store", "collections");
    return switch (store) {
      case "collections" -> overCollections(flags, options, timesFile);
      case "postgresql" -> overDatabase(flags, CartDatabase.Kind.POSTGRESQL, options, timesFile);
      case "h2" -> overDatabase(flags, CartDatabase.Kind.H2, options, timesFile);
      default ->
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              "--store is '" + store + "'; expected collections, postgresql or h2");
    };
  }

  private static CartServer overCollections(
      Flags flags, ServerOptions options, Optional<Path> timesFile) {
    String levelText = flags.text("--level", "LOCAL");
    WriteLevel level = SoftStateProcess.level(flags);
    int gossipMillis = flags.number("--gossip-ms", 100, 1, 60_000);
    ServiceMembership.Settings settings = ServiceMembership.Settings.of(flags);
    Group group = SoftStateProcess.join(SERVICE, options.replica(), options.address(), flags);
    flags.end();
    group.watch(view -> System.out.println("members " + view.members().size()));
    ReplicatedCollections collections =
        ReplicatedCollections.open(
            group, CollectionsOptions.defaults().withGossipPeriod(Duration.ofMillis(gossipMillis)));
    RequestDeduplication requests = RequestDeduplication.open(collections, SERVICE, level);
    DataTimes times = new DataTimes();
    Execution execution =
        new SoftStateExecution(requests::execute, () -> collections.metrics().gaps() > 0);
    Execution timed = timesFile.isPresent() ? new TimedExecution(execution, times) : execution;
    LoadMeter meter = new LoadMeter(timed, settings.full());
    ServiceServer server = ServiceServer.open(options.withExecution((service, epoch) -> meter));
    server.export(SERVICE, ShoppingCart.class, new SoftCart(collections, level), Style.SOFT_STATE);
    List<String> further =
        List.of(
            "--level",
            levelText,
            "--gossip-ms",
            String.valueOf(gossipMillis),
            "--calls-max",
            String.valueOf(options.callsMax()));
    ServiceMembership membership =
        ServiceMembership.open(group, server, settings, CartServer.class, service -> further);
    membership.offer(SERVICE, meter::load);
    membership.scale(List.of(SERVICE), settings);
    return new CartServer(
        server,
        times,
        timesFile,
        List.of(membership::leave),
        List.of(() -> membership.handOver(collections), collections::close, group::close));
  }

  /**
   * A server that keeps carts in a database: there the effects of an update are when it ends, so
   * its scope is none of the replica's.
   */
  private static CartServer overDatabase(
      Flags flags, CartDatabase.Kind kind, ServerOptions options, Optional<Path> timesFile) {
    String url = flags.text("--database-url");
    String user = flags.text("--database-user", SERVICE);
    int connections = flags.number("--connections", 64, 1, 10_000);
    flags.end();
    CartDatabase database = CartDatabase.open(kind, url, user, connections);
    DataTimes times = new DataTimes();
    Execution execution =
        new SoftStateExecution(
            (request, answers, work, effective) -> Optional.of(work.call()), () -> false);
    ServiceServer server = ServiceServer.open(options.withExecution((service, epoch) -> execution));
    server.export(SERVICE, ShoppingCart.class, new DatabaseCart(database, times), Style.SOFT_STATE);
    return new CartServer(server, times, timesFile, List.of(), List.of(database::close));
  }

  /** The port at which it listens for calls. */
  int port() {
    return server.endpoint().port();
  }

  @Override
  public void close() {
    before.forEach(Runnable::run);
    server.close();
    System.out.println("refused " + server.rejected());
    behind.forEach(Runnable::run);
    timesFile.ifPresent(times::write);
  }
}
