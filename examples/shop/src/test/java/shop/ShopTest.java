package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/** The promises of the shop, on real processes of which the first is killed with SIGKILL. */
class ShopTest {
  private static final int CUSTOMERS = 4;
  private static final int ORDERS_EACH = 100;
  private static final int ORDERS_BEFORE_THE_KILL = 100;

  /** Addresses that another run on this machine does not use. */
  private final Places places =
      new Places(
          "127."
              + (64 + ProcessHandle.current().pid() % 128)
              + "."
              + ProcessHandle.current().pid() / 128 % 256);

  private Shop shop;

  @BeforeEach
  void open() throws Exception {
    shop = Shop.open(places);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  /** Every order whose call returned is in the book once, although the primary died under them. */
  @Test
  void ordersSurviveThePrimary() throws Exception {
    AtomicInteger placed = new AtomicInteger();
    try (ServiceClient client =
            ServiceClient.open(ClientOptions.of(Naming.fixed(places.orderBook())));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Orders orders = client.stub(Orders.class, "orders");
      List<Future<Integer>> customers = new ArrayList<>();
      for (int customer = 0; customer < CUSTOMERS; customer++) {
        String name = "customer" + customer;
        customers.add(
            threads.submit(() -> {
              for (int i = 0; i < ORDERS_EACH; i++) {
                orders.place(name + "-" + i, "tea", 1);
                if (placed.incrementAndGet() == ORDERS_BEFORE_THE_KILL) {
                  shop.replica(1).destroyForcibly();
                }
              }
              return orders.countOf(name + "-0");
            }));
      }
      for (Future<Integer> customer : customers) {
        assertEquals(1, customer.get());
      }
    }

    assertTrue(!shop.replica(1).isAlive() && shop.replica(2).isAlive());
    int all = CUSTOMERS * ORDERS_EACH;
    assertEquals(all, placed.get());
    List<String> book = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(places.jdbcUrl());
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT customer FROM orders");
      while (rows.next()) {
        book.add(rows.getString(1));
      }
      ResultSet left = statement.executeQuery("SELECT pieces FROM products WHERE name = 'tea'");
      left.next();
      assertEquals(100_000 - all, left.getInt(1));
    }
    Set<String> different = new HashSet<>(book);
    assertEquals(all, different.size(), "orders that are there");
    assertEquals(all, book.size(), "orders that are there, the doubled counted twice");
  }

  /**
   * A visitor goes on at the second server where the first one died, and orders what was chosen.
   */
  @Test
  void aSessionSurvivesItsServer() throws Exception {
    try (HttpClient browser = HttpClient.newHttpClient()) {
      HttpResponse<String> chosen = call(browser, 1, "POST", "/cart?product=tea&pieces=3", "");
      assertEquals("3 x tea", chosen.body().strip());
      String cookie = chosen.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];

      shop.replica(1).destroyForcibly().waitFor();

      assertEquals("3 x tea", call(browser, 2, "GET", "/cart", cookie).body().strip());
      assertEquals(
          "ordered 3 x tea; 99997 left", call(browser, 2, "POST", "/order", cookie).body().strip());
      assertEquals("nothing", call(browser, 2, "GET", "/cart", cookie).body().strip());
      assertEquals(409, call(browser, 2, "POST", "/order", cookie).statusCode());
    }
  }

  private HttpResponse<String> call(
      HttpClient browser, int replica, String method, String path, String cookie) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http:/" + places.web(replica) + path))
            .method(method, BodyPublishers.noBody());
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    return browser.send(request.build(), BodyHandlers.ofString());
  }
}
