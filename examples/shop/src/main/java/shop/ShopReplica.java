package shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.tomcat.ReplicatedSessionManager;
import org.terrace.collections.tomcat.SessionAttributes;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;

/**
 * One process of the shop: a replica of the order book, and a web server with its replica of all
 * sessions. It ends when its standard input does, so that it never outlives the shop.
 *
 * <p>Arguments: the prefix of the addresses, and the number of this replica, 1 or 2.
 */
public final class ShopReplica {
  private static final int CONNECTIONS = 8;

  private ShopReplica() {}

  /** Starts the replica, prints {@code ready}, and waits for the end of its standard input. */
  public static void main(String[] arguments) throws Exception {
    Places places = new Places(arguments[0]);
    int number = Integer.parseInt(arguments[1]);
    String name = "replica" + number;
    // 1: the order book. Replies are retained in the database, in the calls' own transactions.
    ServerOptions options =
        ServerOptions.of(name)
            .withAddress(places.orders(number))
            .withDatabase(pool(places.jdbcUrl()));
    ServiceServer server = ServiceServer.open(options);
    server.export("orders", Orders.class, new OrderBook(), Style.WARM_PASSIVE);
    // 2: its client. Calls go to the primary, and to the other replica when that does not answer.
    ServiceClient client = ServiceClient.open(ClientOptions.of(Naming.fixed(places.orderBook())));
    Orders orders = client.stub(Orders.class, "orders");
    // 3: the sessions. A response leaves when every replica has what it put into the session.
    Group group =
        Groups.open(
            GroupOptions.of("shop", name, Discovery.of(List.of(places.group(1), places.group(2))))
                .withAddress(places.host(number), places.group(number).getPort()));
    ReplicatedCollections collections =
        ReplicatedCollections.open(group, CollectionsOptions.defaults());
    ReplicatedSessionManager sessions =
        new ReplicatedSessionManager(
            collections,
            "sessions",
            SessionAttributes.none().with("cart", Cart.class),
            WriteLevel.ALL,
            TimeSource.system());
    Tomcat web = web(places, number, sessions, orders);
    web.start();
    System.out.println("ready");
    System.in.transferTo(OutputStream.nullOutputStream());
    web.stop();
    collections.close();
    group.close();
    client.close();
    server.close();
    System.exit(0);
  }

  private static HikariDataSource pool(String jdbcUrl) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setAutoCommit(false); // Terrace commits the call and its reply together
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }

  private static Tomcat web(
      Places places, int number, ReplicatedSessionManager sessions, Orders orders)
      throws IOException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("shop").toString());
    Connector connector = new Connector();
    connector.setPort(places.web(number).getPort());
    connector.setProperty("address", places.host(number).getHostAddress());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    context.setManager(sessions);
    var servlet = Tomcat.addServlet(context, "shop", new ShopServlet(orders));
    servlet.addMapping("/cart");
    servlet.addMapping("/order");
    return tomcat;
  }
}
