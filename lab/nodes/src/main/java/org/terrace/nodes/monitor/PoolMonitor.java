package org.terrace.nodes.monitor;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.terrace.core.TimeSource;
import org.terrace.nodes.monitor.PrometheusText.Figure;
import org.terrace.observation.Sample;

/**
 * A monitor of the soft resources of servers, their pools of threads and connections: it reads each
 * server's metrics at a fixed interval and keeps what share of each pool was in use. A server that
 * does not answer within the interval, since it stands still or is gone, has no reading then, and
 * is not asked again before it has answered or failed. Thread-safe.
 */
public final class PoolMonitor implements AutoCloseable {
  /** The figure that says how many of a pool are in use; its label {@code pool} names the pool. */
  public static final String IN_USE = "terrace_pool_in_use";

  /** The figure that says how many a pool has. */
  public static final String SIZE = "terrace_pool_size";

  private static final String POOL = "pool";
  private static final long KEPT_SECONDS = 60;

  private final TimeSource time;
  private final Map<String, URI> servers;
  private final Duration interval;
  private final MonitorThreads threads = new MonitorThreads("pool-monitor");
  private final HttpClient client;
  private final ScheduledThreadPoolExecutor clock;
  private final Map<String, Boolean> underWay = new ConcurrentHashMap<>();
  private final List<Sample> samples = new ArrayList<>();

  /**
   * Starts to read.
   *
   * @param servers where each server's metrics are, by the server's name
   */
  public PoolMonitor(Map<String, URI> servers, Duration interval, TimeSource time) {
    this.servers = Map.copyOf(servers);
    this.interval = interval;
    this.time = time;
    ThreadPoolExecutor work =
        new ThreadPoolExecutor(
            1, 1, KEPT_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    // Its thread ends by itself: the client may still hand it something when it is shut down.
    work.allowCoreThreadTimeOut(true);
    this.client =
        threads.counting(
            "HttpClient-",
            () -> HttpClient.newBuilder().executor(work).connectTimeout(interval).build());
    this.clock = new ScheduledThreadPoolExecutor(1, threads);
    if (!servers.isEmpty()) {
      var _ = clock.scheduleAtFixedRate(this::ask, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void ask() {
    servers.forEach((server, where) -> {
      if (underWay.putIfAbsent(server, true) == null) {
        HttpRequest request = HttpRequest.newBuilder(where).timeout(interval).build();
        var _ =
            client
                .sendAsync(request, BodyHandlers.ofString())
                .whenComplete((response, failure) -> {
                  if (failure == null && response.statusCode() == 200) {
                    keep(shares(server, time.epochNanos(), response.body()));
                  }
                  underWay.remove(server);
                });
      }
    });
  }

  /** The share in use of each pool in a text of metrics, as samples named {@code pool-NAME}. */
  static List<Sample> shares(String server, long epochNanos, String metrics) {
    List<Figure> figures = PrometheusText.parse(metrics);
    Map<String, Double> sizes =
        figures.stream()
            .filter(figure -> figure.name().equals(SIZE) && figure.labels().containsKey(POOL))
            .collect(
                Collectors.toMap(
                    figure -> figure.labels().getOrDefault(POOL, ""), Figure::value, Double::sum));
    Function<Figure, Double> size =
        figure -> sizes.getOrDefault(figure.labels().getOrDefault(POOL, ""), 0.0);
    return figures.stream()
        .filter(figure -> figure.name().equals(IN_USE) && size.apply(figure) > 0)
        .map(figure ->
            new Sample(
                server,
                Resources.POOL + figure.labels().getOrDefault(POOL, ""),
                epochNanos,
                figure.value() / size.apply(figure)))
        .toList();
  }

  private synchronized void keep(List<Sample> read) {
    if (samples.size() + read.size() <= ResourceMonitor.MAXIMUM_SAMPLES) {
      samples.addAll(read);
    }
  }

  /** All readings so far. */
  public synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** The processor time in nanoseconds that the reading has taken; 0 after its end. */
  public long cpuNanos() {
    return threads.cpuNanos();
  }

  /** Stops to read. */
  @Override
  public void close() {
    clock.shutdownNow();
    client.shutdownNow();
  }
}
