import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * The stock behind a small shop. A look into it takes LOOK_MILLIS (5), and at most READERS (64)
 * look at once: with one reader they wait for each other. Every COUNT_EVERY_MILLIS (0: never) it is
 * counted for COUNT_MILLIS, and nobody may look meanwhile. At /metrics it tells Prometheus how many
 * readers are busy.
 */
public final class Stock {
  private static final long LOOK_MILLIS = number("LOOK_MILLIS", 5);
  private static final int READERS = (int) number("READERS", 64);
  private static final long COUNT_EVERY_MILLIS = number("COUNT_EVERY_MILLIS", 0);
  private static final long COUNT_MILLIS = number("COUNT_MILLIS", 400);
  private static final Semaphore PLACES = new Semaphore(READERS, true);
  private static final LongAdder LOOKS = new LongAdder();

  /** Serves until it is ended. */
  public static void main(String[] arguments) throws IOException {
    String address = System.getenv("TERRACE_ADDRESS");
    int port = Integer.parseInt(System.getenv("TERRACE_PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 1024);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/health", exchange -> answer(exchange, "ready"));
    server.createContext("/metrics", exchange -> answer(exchange, metrics()));
    server.createContext("/stock/", Stock::look);
    server.start();
    if (COUNT_EVERY_MILLIS > 0) {
      Thread counter = new Thread(Stock::count);
      counter.setDaemon(true);
      counter.start();
    }
    System.out.println("stock at " + address + ":" + port);
  }

  /** Counts again and again. */
  private static void count() {
    while (true) {
      pause(COUNT_EVERY_MILLIS);
      hold(READERS, COUNT_MILLIS);
    }
  }

  private static void look(HttpExchange exchange) throws IOException {
    hold(1, LOOK_MILLIS);
    LOOKS.increment();
    String path = exchange.getRequestURI().getPath();
    answer(exchange, Integer.toString(Math.floorMod(path.hashCode(), 100)));
  }

  private static String metrics() {
    return """
    # TYPE stock_readers gauge
    stock_readers %d
    # TYPE stock_readers_busy gauge
    stock_readers_busy %d
    # TYPE stock_looks_total counter
    stock_looks_total %d
    """
        .formatted(READERS, READERS - PLACES.availablePermits(), LOOKS.sum());
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static void hold(int places, long millis) {
    PLACES.acquireUninterruptibly(places);
    try {
      pause(millis);
    } finally {
      PLACES.release(places);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts here", e);
    }
  }

  private static long number(String variable, long usual) {
    String value = System.getenv(variable);
    return value == null ? usual : Long.parseLong(value);
  }
}
