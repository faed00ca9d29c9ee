package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.observation.Sample;
import org.terrace.testing.Await;

/** Metrics read over real sockets, from a server that answers and one that stands still. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class PoolMonitorTest {
  private static final byte[] METRICS =
      "terrace_pool_in_use{pool=\"threads\"} 3\nterrace_pool_size{pool=\"threads\"} 4\n"
          .getBytes(StandardCharsets.UTF_8);

  @Test
  void aServerThatStandsStillHoldsUpNoOther() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    CountDownLatch still = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.setExecutor(threads);
      server.createContext(
          "/good",
          exchange -> {
            exchange.sendResponseHeaders(200, METRICS.length);
            exchange.getResponseBody().write(METRICS);
            exchange.close();
          });
      server.createContext(
          "/still",
          exchange -> {
            try {
              still.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            exchange.close();
          });
      server.start();
      String where = "http://127.0.0.1:" + server.getAddress().getPort();
      try (PoolMonitor monitor =
          new PoolMonitor(
              Map.of(
                  "app1", URI.create(where + "/good"),
                  "app2", URI.create(where + "/still"),
                  "app3", URI.create("http://127.0.0.1:1/nobody")),
              Duration.ofMillis(100),
              TimeSource.system())) {
        assertThat(Await.until(Duration.ofSeconds(60), () -> monitor.samples().size() >= 3))
            .isTrue();
        assertThat(monitor.samples())
            .extracting(Sample::node, Sample::resource, Sample::value)
            .containsOnly(tuple("app1", "pool-threads", 0.75));
      } finally {
        still.countDown();
        server.stop(0);
      }
    }
  }
}
