package org.terrace.proxy;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.ResponseCodeHandler;
import io.undertow.server.handlers.proxy.ProxyHandler;
import io.undertow.util.StatusCodes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.terrace.core.TimeSource;
import org.xnio.Options;

/**
 * A web server of a trial: a process that passes requests on to application servers, with load
 * balancing, sessions bound to a server by a cookie, health checks and fail-over. Requests that may
 * be repeated (GET, HEAD and so on) are sent once more, to another server, when a connection fails.
 *
 * <p>Arguments: {@code --address A --port N --policy least-connections|round-robin --backend
 * NAME=ADDRESS:PORT ...}. Prints {@code ready} when it accepts, and ends at once on SIGTERM. Its
 * connections to the servers come from its own address.
 */
public final class ReverseProxy {
  /** Undertow takes 512 bytes in a heap this small, and cuts every page into as many segments. */
  private static final int BUFFER_BYTES = 16 << 10;

  private static final int IO_THREADS = 2;
  private static final int MAXIMUM_REQUEST_MILLIS = 60_000;
  private static final int RETRIES = 1;
  private static final int BACKLOG = 4_096;

  /** Held here because the log manager holds its loggers weakly. */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("io.undertow"),
          Logger.getLogger("io.undertow.proxy"),
          Logger.getLogger("org.xnio"));

  private ReverseProxy() {}

  /** Starts the proxy; it runs until the process is ended. */
  public static void main(String[] arguments) throws UnknownHostException {
    String address = "";
    int port = 0;
    BalancingPolicy policy = BalancingPolicy.LEAST_CONNECTIONS;
    List<String> named = new ArrayList<>();
    for (int index = 0; index + 1 < arguments.length; index += 2) {
      String value = arguments[index + 1];
      switch (arguments[index]) {
        case "--address" -> address = value;
        case "--port" -> port = Integer.parseInt(value);
        case "--policy" ->
            policy = BalancingPolicy.valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
        case "--backend" -> named.add(value);
        default -> throw new IllegalArgumentException("unknown argument " + arguments[index]);
      }
    }
    quieten();
    start(InetAddress.getByName(address), port, policy, named);
    System.out.println("ready");
  }

  /**
   * A killed server fails hundreds of requests at once, each with a stack trace: that would cost
   * the proxy its processor time just when it has to fail over. The health checker reports instead.
   */
  private static void quieten() {
    for (Logger logger : QUIET) {
      logger.setLevel(Level.OFF);
    }
  }

  private static void start(
      InetAddress address, int port, BalancingPolicy policy, List<String> named)
      throws UnknownHostException {
    List<Backend> backends = new ArrayList<>();
    for (String one : named) {
      int equals = one.indexOf('=');
      int colon = one.lastIndexOf(':');
      InetSocketAddress target =
          new InetSocketAddress(
              InetAddress.getByName(one.substring(equals + 1, colon)),
              Integer.parseInt(one.substring(colon + 1)));
      backends.add(
          new Backend(one.substring(0, equals), target, new InetSocketAddress(address, 0)));
    }
    HealthChecker checker = new HealthChecker(backends, address, TimeSource.system());
    ProxyHandler handler =
        ProxyHandler.builder()
            .setProxyClient(new BalancingClient(backends, policy, checker::requestFailed))
            .setMaxRequestTime(MAXIMUM_REQUEST_MILLIS)
            .setMaxConnectionRetries(RETRIES)
            .setNext(new ResponseCodeHandler(StatusCodes.SERVICE_UNAVAILABLE))
            .build();
    Undertow.builder()
        .setIoThreads(IO_THREADS)
        .setWorkerThreads(1)
        .setBufferSize(BUFFER_BYTES)
        .setDirectBuffers(true)
        .setServerOption(UndertowOptions.ALWAYS_SET_DATE, false)
        .setSocketOption(Options.BACKLOG, BACKLOG)
        .addHttpListener(port, address.getHostAddress(), handler)
        .build()
        .start();
    Thread.ofPlatform().daemon().name("health").start(checker);
  }
}
