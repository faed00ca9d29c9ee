package org.terrace.dashboard.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * A server of pages over HTTP/1.1: the JDK's own, with a virtual thread for each request. It
 * answers {@value #MOST_ANSWERS} requests and {@value #MOST_STREAMS} streams of events at once, and
 * refuses more; headers and addresses have limits, and a request has to come within {@value
 * #REQUEST_SECONDS} seconds. A reader who does not read is cut off ({@link StalledWrites}).
 * Thread-safe.
 */
public final class PageServer implements AutoCloseable {
  /** The requests that are answered at once. */
  public static final int MOST_ANSWERS = 64;

  /** The streams of events that are sent at once. */
  public static final int MOST_STREAMS = 32;

  private static final int REQUEST_SECONDS = 20;
  private static final int CONNECTIONS = 512;
  private static final int HEADER_BYTES = 32 << 10;
  private static final int HEADERS = 100;
  private static final int STOP_SECONDS = 2;
  private static final int UNPROCESSABLE = 422;

  /** The pages that are sent whatever memory is left: that which says that there is none, too. */
  private static final int SMALL_BYTES = 256 << 10;

  private static final Map<String, String> EVERY_ANSWER =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final HttpServer server;
  private final ExecutorService threads;
  private final Gatekeeper gatekeeper;
  private final PageHandler handler;
  private final StalledWrites writes;
  private final AnswerMemory memory;
  private final Semaphore answers = new Semaphore(MOST_ANSWERS);
  private final Semaphore streams = new Semaphore(MOST_STREAMS);
  private volatile boolean stopping;

  static {
    limit("jdk.httpserver.maxConnections", CONNECTIONS);
    limit("sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES);
    limit("sun.net.httpserver.maxReqHeaders", HEADERS);
    limit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  private PageServer(
      HttpServer server,
      Gatekeeper gatekeeper,
      PageHandler handler,
      AnswerMemory memory,
      TimeSource time) {
    this.memory = memory;
    this.server = server;
    this.gatekeeper = gatekeeper;
    this.handler = handler;
    this.writes = new StalledWrites(time);
    threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("page-", 0).factory());
  }

  /**
   * Starts a server.
   *
   * @param address where it listens; port 0 is any that is free
   * @param token what lets people in; empty lets in whoever reaches the address
   * @param memory the memory for pages until they are sent
   * @throws TerraceException if the address cannot be listened at
   */
  public static PageServer start(
      InetSocketAddress address,
      Optional<AccessToken> token,
      PageHandler handler,
      AnswerMemory memory,
      TimeSource time) {
    try {
      HttpServer server = HttpServer.create(address, 0);
      PageServer pages =
          new PageServer(
              server,
              new Gatekeeper(address, server.getAddress().getPort(), token, time),
              handler,
              memory,
              time);
      server.createContext("/", pages::handle);
      server.setExecutor(pages.threads);
      pages.threads.execute(() -> pages.writes.watch(() -> pages.stopping));
      server.start();
      return pages;
    } catch (BindException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          address.getHostString()
              + ":"
              + address.getPort()
              + " cannot be listened at ("
              + e.getMessage()
              + "): another program may have it; choose another --port, or --port 0 for any",
          e);
    } catch (IOException e) {
      throw new TerraceException(ErrorCode.MACHINE_LACKS, address + ": " + e, e);
    }
  }

  /** The port that it listens at. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Ends streams, lets answers that are under way end, and listens no more. */
  @Override
  public void close() {
    stopping = true;
    server.stop(STOP_SECONDS);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      PageResponse response = answer(exchange);
      Semaphore permits = response.isEvents() ? streams : answers;
      if (!permits.tryAcquire()) {
        send(exchange, busy());
        return;
      }
      try (AnswerMemory.Held _ = held(response)) {
        send(exchange, response);
      } catch (AnswerMemory.Exhausted e) {
        send(exchange, lacking());
      } catch (TerraceException e) {
        send(exchange, handler.error(UNPROCESSABLE, String.valueOf(e.getMessage())));
      } finally {
        permits.release();
      }
    } catch (IOException e) {
      // Whoever asked has gone: there is nobody to tell.
      assert e != null;
    }
  }

  private AnswerMemory.Held held(PageResponse response) {
    return memory.take(response.heldBytes() > SMALL_BYTES ? response.heldBytes() : 0);
  }

  private PageResponse lacking() {
    return handler
        .error(503, "Other answers take the memory that there is. Try again in a moment.")
        .with("Retry-After", "2");
  }

  private PageResponse busy() {
    return handler
        .error(503, "Too many requests at once. Close other windows, or try again.")
        .with("Retry-After", "2");
  }

  private PageResponse answer(HttpExchange exchange) throws IOException {
    Gatekeeper.Decision decision = gatekeeper.decide(exchange);
    return switch (decision) {
      case Gatekeeper.Decision.Refused(int status, String why) -> handler.error(status, why);
      case Gatekeeper.Decision.SignIn(int status, String why) -> handler.signIn(status, why);
      case Gatekeeper.Decision.Welcome(String cookie) ->
          PageResponse.html(WELCOME).with("Set-Cookie", cookie);
      case Gatekeeper.Decision.Admitted(PageRequest request) -> admitted(request);
    };
  }

  /**
   * The step between showing the token and the first page: the browser sends a strict cookie only
   * with what this server's own pages lead to, and not after a redirection from elsewhere.
   */
  private static final String WELCOME =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Terrace</title>"
          + "<meta http-equiv=\"refresh\" content=\"0;url=/\"></head>"
          + "<body><main><h1>Signed in</h1><a href=\"/\">Results</a></main></body></html>";

  private PageResponse admitted(PageRequest request) {
    if (!answers.tryAcquire()) {
      return busy();
    }
    try {
      return handler.answer(request);
    } catch (AnswerMemory.Exhausted e) {
      return lacking();
    } catch (TerraceException e) {
      return handler.error(UNPROCESSABLE, String.valueOf(e.getMessage()));
    } catch (IOException | UncheckedIOException e) {
      return handler.error(500, "A file cannot be read: " + e.getMessage());
    } catch (RuntimeException e) {
      // A result that others made may hold what no reader thought of; other pages go on.
      return handler.error(500, "It cannot be shown: " + e);
    } finally {
      answers.release();
    }
  }

  private void send(HttpExchange exchange, PageResponse response) throws IOException {
    EVERY_ANSWER.forEach(exchange.getResponseHeaders()::set);
    response.headers().forEach(exchange.getResponseHeaders()::set);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    if (head || response.length() == 0) {
      exchange.sendResponseHeaders(response.status(), -1);
      return;
    }
    // The JDK's server takes 0 for a length that is not known.
    exchange.sendResponseHeaders(response.status(), Math.max(0, response.length()));
    try (OutputStream output = writes.over(exchange.getResponseBody())) {
      response.body().write(output, () -> stopping);
    }
  }
}
