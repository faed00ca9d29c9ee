package org.terrace.dashboard;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.AccessToken;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageServer;
import org.terrace.dashboard.results.ServedDirectory;

/**
 * A server of the results below a directory, for a browser: what runs, each report, two compared, a
 * mesh under other prices, the packets of a stall. It reads and never writes. It is told from
 * others by its port, listens on loopback unless told otherwise, and asks no other server for
 * anything. Thread-safe.
 */
public final class Dashboard implements AutoCloseable {
  /** The time in which results are read before the first page is asked for. */
  private static final Duration FIRST_READING = Duration.ofMinutes(1);

  private final PageServer server;
  private final String host;

  private Dashboard(PageServer server, String host) {
    this.server = server;
    this.host = host;
  }

  /**
   * Starts to serve.
   *
   * @throws org.terrace.core.TerraceException if the directory is none, the token is no secret, or
   *     the address cannot be listened at
   */
  public static Dashboard start(DashboardOptions options, TimeSource time) {
    ServedDirectory served = ServedDirectory.open(options.directory());
    InetSocketAddress address = options.address();
    AnswerMemory memory = AnswerMemory.ofHeap();
    DashboardPages pages = new DashboardPages(served, memory, time);
    PageServer server =
        PageServer.start(address, options.token().map(AccessToken::read), pages, memory, time);
    Thread.ofVirtual().name("read-first").start(() -> pages.readAhead(FIRST_READING));
    String host = options.host();
    return new Dashboard(server, host.contains(":") ? "[" + host + "]" : host);
  }

  /** The address for a browser, without the token. */
  public String address() {
    return "http://" + host + ":" + server.port() + "/";
  }

  /** The port that it listens at. */
  public int port() {
    return server.port();
  }

  /** Ends streams and answers under way, and listens no more. */
  @Override
  public void close() {
    server.close();
  }
}
