import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The front of a small shop: it asks one stock after the other how many of an article there are.
 *
 * <p>Start it with {@code java Shop.java}; Terrace tells it its place, and those of the stocks.
 */
public final class Shop {
  private static final AtomicInteger TURN = new AtomicInteger();
  private static List<String> stocks;
  private static HttpClient client;

  /** Serves until it is ended. */
  public static void main(String[] arguments) throws IOException {
    String address = System.getenv("TERRACE_ADDRESS");
    int port = Integer.parseInt(System.getenv("TERRACE_PORT"));
    stocks = List.of(System.getenv("TERRACE_NEXT").split(","));
    // From its own address, so that a capture tells which server asked.
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.getByName(address))
            .build();
    HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 1024);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/health", exchange -> answer(exchange, 200, "ready"));
    server.createContext("/articles/", Shop::article);
    server.createContext("/orders", Shop::order);
    server.start();
    System.out.println("shop at " + address + ":" + port + ", stocks at " + stocks);
  }

  private static void article(HttpExchange exchange) throws IOException {
    String article = exchange.getRequestURI().getPath().substring("/articles/".length());
    answer(exchange, 200, "article " + article + ": " + ask("/stock/" + article));
  }

  private static void order(HttpExchange exchange) throws IOException {
    String article = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    answer(exchange, 201, "ordered " + article + " of " + ask("/stock/" + article));
  }

  private static String ask(String path) throws IOException {
    String stock = stocks.get(Math.floorMod(TURN.getAndIncrement(), stocks.size()));
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + stock + path)).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
