package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.nodes.setting.DeclaredMetrics;
import org.terrace.nodes.setting.DeclaredMetrics.Pool;
import org.terrace.nodes.setting.MetricSelector;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.observation.Sample;
import org.terrace.testing.Await;

/** Metrics read over real sockets, from a server that answers and one that stands still. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class PoolMonitorTest {
  private static final byte[] METRICS =
      "terrace_pool_in_use{pool=\"threads\"} 3\nterrace_pool_size{pool=\"threads\"} 4\nendless_size -1\n"
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
      KeptSamples kept = new KeptSamples(ReadingRoom.ofHeap());
      try (PoolMonitor monitor =
          new PoolMonitor(
              Map.of(
                  "app1", MetricsPlace.own(URI.create(where + "/good")),
                  "app2", MetricsPlace.own(URI.create(where + "/still")),
                  "app3", MetricsPlace.own(URI.create("http://127.0.0.1:1/nobody")),
                  "app4", MetricsPlace.own(URI.create(where + "/still"))),
              Duration.ofMillis(100),
              TimeSource.system(),
              asked -> !asked.equals("app4"),
              kept)) {
        monitor.countFromNow();
        assertThat(
                Await.until(
                    Duration.ofSeconds(60),
                    () -> kept.list().size() >= 3 && monitor.gaps().size() >= 2))
            .isTrue();
        assertThat(monitor.gaps())
            .as("of own servers too, but of none that was not there to answer")
            .noneMatch(each -> each.startsWith("app4"))
            .anyMatch(each -> each.matches("app2 did not tell .* [1-9]\\d* of the \\d+ times .*"))
            .anyMatch(each -> each.startsWith("app3 did not tell "));
        assertThat(kept.list())
            .extracting(Sample::node, Sample::resource, Sample::value)
            .containsOnly(tuple("app1", "pool-threads", 0.75));
        assertThat(monitor.warnings()).isEmpty();
      } finally {
        still.countDown();
        server.stop(0);
      }
    }
  }

  @Test
  void declaredMetricsAreAskedForFromTheNamedAddressAndWhatIsMissingIsSaid() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    List<String> askers = Collections.synchronizedList(new ArrayList<>());
    List<String> upgrades = Collections.synchronizedList(new ArrayList<>());
    server.createContext(
        "/good",
        exchange -> {
          askers.add(exchange.getRemoteAddress().getAddress().getHostAddress());
          upgrades.addAll(exchange.getRequestHeaders().getOrDefault("Upgrade", List.of()));
          exchange.sendResponseHeaders(200, METRICS.length);
          exchange.getResponseBody().write(METRICS);
          exchange.close();
        });
    server.createContext(
        "/endless",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] part = new byte[1 << 20];
          try (OutputStream body = exchange.getResponseBody()) {
            while (true) {
              body.write(part);
            }
          } catch (IOException e) {
            exchange.close(); // the monitor had enough
          }
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    String where = "http://127.0.0.1:" + server.getAddress().getPort();
    MetricSelector used = MetricSelector.parse("terrace_pool_in_use").orElseThrow();
    MetricSelector other = MetricSelector.parse("no_such{a=\"b\"}").orElseThrow();
    Pool threads = new Pool(used, MetricSelector.parse("terrace_pool_size"), 0);
    Pool endless = new Pool(used, MetricSelector.parse("endless_size"), 0);
    DeclaredMetrics metrics =
        new DeclaredMetrics(Map.of("workers", threads, "endless", endless), List.of(used, other));
    Optional<String> from = Optional.of("127.12.9.1");
    KeptSamples kept = new KeptSamples(ReadingRoom.ofHeap());
    try (PoolMonitor monitor =
        new PoolMonitor(
            Map.of(
                "app1", new MetricsPlace(URI.create(where + "/good"), from, Optional.of(metrics)),
                "app2", new MetricsPlace(URI.create(where + "/no"), from, Optional.of(metrics)),
                "app3",
                    new MetricsPlace(URI.create(where + "/endless"), from, Optional.of(metrics))),
            Duration.ofMillis(200),
            TimeSource.system(),
            _ -> true,
            kept)) {
      assertThat(
              Await.until(
                  Duration.ofSeconds(60),
                  () ->
                      kept.list().size() >= 4
                          && monitor.warnings().toString().contains("status 404")))
          .isTrue();
      assertThat(kept.list())
          .extracting(Sample::node, Sample::resource, Sample::value)
          .containsOnly(
              tuple("app1", "pool-workers", 0.75), tuple("app1", "terrace_pool_in_use", 3.0));
      assertThat(askers).containsOnly("127.12.9.1");
      assertThat(upgrades).as("of a program that may not know another protocol").isEmpty();
      assertThat(monitor.warnings())
          .hasSize(4)
          .anyMatch(each ->
              each.matches(
                  "app1 told figures at .*/good of which there is no reading: pool endless .*"))
          .anyMatch(
              each -> each.matches("app1 tells no finite number at .*/good for no_such\\{a=\"b\"}"))
          .anyMatch(
              each -> each.matches("the metrics of app2 at .*/no were never read: .* status 404"))
          .anyMatch(
              each -> each.startsWith("the metrics of app3 at " + where + "/endless were never"));
    } finally {
      server.stop(0);
    }
  }
}
