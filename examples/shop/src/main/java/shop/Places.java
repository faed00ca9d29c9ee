package shop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.Endpoint;

/**
 * The addresses of the shop's parts, all on loopback under one prefix such as {@code 127.80.1}: the
 * database at .9, the replicas at .1 and .2. A real shop has a machine each, and would let
 * Terrace's naming service tell where they are.
 */
record Places(String prefix) {
  static final int REPLICAS = 2;
  static final int DATABASE_PORT = 5432;
  private static final int ORDERS_PORT = 7001;
  private static final int GROUP_PORT = 7002;
  private static final int WEB_PORT = 8080;

  InetAddress host(int replica) {
    return InetAddress.ofLiteral(prefix + "." + replica);
  }

  InetSocketAddress orders(int replica) {
    return new InetSocketAddress(host(replica), ORDERS_PORT);
  }

  InetSocketAddress group(int replica) {
    return new InetSocketAddress(host(replica), GROUP_PORT);
  }

  InetSocketAddress web(int replica) {
    return new InetSocketAddress(host(replica), WEB_PORT);
  }

  String databaseHost() {
    return prefix + ".9";
  }

  String jdbcUrl() {
    return "jdbc:postgresql://" + databaseHost() + ":" + DATABASE_PORT + "/shop?user=shop";
  }

  /** The order book's replicas, the primary first; when it is gone, the next one answers. */
  ServiceReference orderBook() {
    return new ServiceReference(
        "orders", Style.WARM_PASSIVE, 1, 1, List.of(endpoint(1), endpoint(2)));
  }

  private Endpoint endpoint(int replica) {
    InetSocketAddress at = orders(replica);
    return new Endpoint(
        "replica" + replica, "terrace", at.getAddress().getHostAddress(), at.getPort(), "");
  }
}
