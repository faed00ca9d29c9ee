package org.terrace.cart;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.terrace.cart.process.Flags;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.collections.CollectionsOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.RequestLedger;
import org.terrace.collections.WriteLevel;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.invocation.ServerOptions;
import org.terrace.invocation.ServiceServer;
import org.terrace.invocation.Style;
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
      --name NAME --address ADDRESS --port PORT --group ADDRESS:PORT,...
        [--level LOCAL|ALL|K] [--gossip-ms 100] [--calls-max 4096]
      --group lists all replicas of the group; one of them is at this server's address.\
      """;

  private final Group group;
  private final ReplicatedCollections collections;
  private final ServiceServer server;

  private CartServer(Group group, ReplicatedCollections collections, ServiceServer server) {
    this.group = group;
    this.collections = collections;
    this.server = server;
  }

  /** Runs a replica until the process is told to end. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      CartServer server = start(new Flags(arguments));
      SoftStateProcess.serveUntilTold(server::close);
    } catch (TerraceException e) {
      System.err.println("cart: " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: CartServer " + USAGE);
      }
      System.exit(e.code().exitCode());
    }
  }

  /** Starts a replica; it accepts calls when this returns. */
  static CartServer start(Flags flags) {
    String name = flags.text("--name");
    InetSocketAddress address =
        new InetSocketAddress(flags.text("--address"), flags.number("--port", "8080", 0, 65_535));
    List<InetSocketAddress> members = flags.addresses("--group");
    WriteLevel level =
        flags.parse("--level", "LOCAL", SoftStateProcess::level, "LOCAL, ALL or a number");
    int gossipMillis = flags.number("--gossip-ms", "100", 1, 60_000);
    int callsMax = flags.number("--calls-max", "4096", 1, 1_000_000);
    flags.end();
    Group group = SoftStateProcess.join(SERVICE, name, address, members);
    ReplicatedCollections collections =
        ReplicatedCollections.open(
            group, CollectionsOptions.defaults().withGossipPeriod(Duration.ofMillis(gossipMillis)));
    RequestLedger ledger = RequestLedger.open(collections, SERVICE, level);
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withAddress(address)
                .withCallsMax(callsMax)
                .withExecution((service, epoch) ->
                    new SoftStateExecution(
                        ledger::execute, () -> collections.metrics().gaps() > 0)));
    server.export(SERVICE, ShoppingCart.class, new SoftCart(collections, level), Style.SOFT_STATE);
    return new CartServer(group, collections, server);
  }

  /** The port at which it listens for calls. */
  int port() {
    return server.profile().port();
  }

  @Override
  public void close() {
    server.close();
    collections.close();
    group.close();
  }
}
