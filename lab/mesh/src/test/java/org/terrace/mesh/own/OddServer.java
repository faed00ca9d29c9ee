package org.terrace.mesh.own;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/** A small server that a specification starts, at its own address or at another. */
final class OddServer {
  private OddServer() {}

  /**
   * Serves every path until it is ended.
   *
   * @param arguments {@code right} or {@code wrong}, its address
   */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> told = System.getenv();
    String address =
        arguments[0].equals("right") ? told.getOrDefault("TERRACE_ADDRESS", "") : "127.0.0.1";
    int port = Integer.parseInt(told.getOrDefault("TERRACE_PORT", ""));
    HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 100);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
    System.out.println("told " + told.get("SAID"));
  }
}
