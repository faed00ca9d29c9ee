package org.terrace.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** An application server that says who it is, who asked it, and hangs when asked to. */
final class EchoBackend {
  private EchoBackend() {}

  /**
   * Arguments: name, address, port, and the name of the server on which {@code /hang} hangs. One
   * called deaf does not answer health checks.
   */
  public static void main(String[] arguments) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/health",
        exchange -> {
          if (arguments[0].startsWith("deaf")) {
            System.out.println("asked");
            hang();
          }
          answer(exchange, "ok");
        });
    server.createContext(
        "/hang",
        exchange -> {
          if (arguments[3].equals(arguments[0])) {
            System.out.println("hanging");
            hang();
          }
          answer(exchange, arguments[0]);
        });
    server.createContext(
        "/",
        exchange ->
            answer(
                exchange,
                arguments[0]
                    + " "
                    + exchange.getRemoteAddress().getAddress().getHostAddress()
                    + " "
                    + exchange.getRequestHeaders().getFirst("X-Forwarded-For")));
    server.start();
    System.out.println("ready");
  }

  private static void hang() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    exchange.getRequestBody().readAllBytes();
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
