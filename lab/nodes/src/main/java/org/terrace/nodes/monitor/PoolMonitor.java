package org.terrace.nodes.monitor;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.nodes.setting.PrometheusText;
import org.terrace.nodes.setting.PrometheusText.Figure;
import org.terrace.observation.Sample;

/**
 * A monitor of the soft resources of servers, their pools of threads and connections: it reads each
 * server's metrics at a fixed interval and keeps what share of each pool was in use, and of a
 * program of the user's own what its specification declares. A server that does not answer within
 * the interval, since it stands still or is gone, has no reading then, and is not asked again
 * before it has answered or failed; what lacks of one that is there is counted. Thread-safe.
 */
public final class PoolMonitor implements AutoCloseable {
  /** The figure that says how many of a pool are in use; its label {@code pool} names the pool. */
  public static final String IN_USE = "terrace_pool_in_use";

  /** The figure that says how many a pool has. */
  public static final String SIZE = "terrace_pool_size";

  private static final String POOL = "pool";
  private static final long KEPT_SECONDS = 60;
  private static final int OK = 200;

  /** The most bytes of an answer; of a longer one nothing is read. */
  static final int LONGEST_ANSWER = 8 << 20;

  /** The presence of servers that are asked. */
  public interface Presence {
    /** Whether a server could have answered. */
    boolean isThere(String server);

    /** Whether a server's process began within such a time; false where that is not known. */
    default boolean beganWithin(String server, Duration within) {
      return false;
    }
  }

  private final TimeSource time;
  private final Map<String, MetricsPlace> servers;
  private final Duration interval;
  private final MonitorThreads threads = new MonitorThreads("pool-monitor");
  private final Map<Optional<String>, HttpClient> clients = new HashMap<>();
  private final ScheduledThreadPoolExecutor clock;
  private final Map<String, Boolean> underWay = new ConcurrentHashMap<>();
  private final Map<String, DeclaredReadings> declared = new TreeMap<>();
  private final Map<String, String> unheard = new TreeMap<>();
  private final EarlyEnd early = new EarlyEnd();
  private final AnswerCounts answers = new AnswerCounts();
  private final Presence presence;
  private final KeptSamples kept;

  /**
   * Starts to read.
   *
   * @param servers where each server's metrics are, by the server's name
   * @param presence tells of a server that gave no answer whether it could have
   * @param kept takes what is read
   */
  public PoolMonitor(
      Map<String, MetricsPlace> servers,
      Duration interval,
      TimeSource time,
      Presence presence,
      KeptSamples kept) {
    this.presence = presence;
    this.kept = kept;
    this.servers = Map.copyOf(servers);
    this.interval = interval;
    this.time = time;
    ThreadPoolExecutor work =
        new ThreadPoolExecutor(
            1, 1, KEPT_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    // Its thread ends by itself: the client may still hand it something when it is shut down.
    work.allowCoreThreadTimeOut(true);
    servers.forEach((server, place) -> {
      clients.computeIfAbsent(place.from(), from -> client(work, from));
      place
          .declared()
          .ifPresent(metrics -> {
            declared.put(server, new DeclaredReadings(server, metrics));
            unheard.put(server, "it did not answer within " + interval.toMillis() + " ms");
          });
    });
    this.clock = new ScheduledThreadPoolExecutor(1, threads);
    if (!servers.isEmpty()) {
      var _ =
          clock.scheduleAtFixedRate(
              early.noting(this::ask), 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private HttpClient client(ThreadPoolExecutor work, Optional<String> from) {
    // A program may refuse, or not understand, the offer to go on in a later version.
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(work)
            .connectTimeout(interval);
    from.map(InetAddress::ofLiteral).ifPresent(builder::localAddress);
    return threads.counting("HttpClient-", builder::build);
  }

  private void ask() {
    servers.forEach((server, place) -> {
      HttpClient client = clients.get(place.from());
      answers.due(server);
      if (client == null || underWay.putIfAbsent(server, true) != null) {
        lacks(server, "it had not answered the time before");
      } else {
        HttpRequest request = HttpRequest.newBuilder(place.at()).timeout(interval).build();
        var _ =
            client
                .sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST_ANSWER))
                .whenComplete((response, failure) -> {
                  try {
                    early.noting(() -> take(server, response, failure)).run();
                  } finally {
                    underWay.remove(server);
                  }
                });
      }
    });
  }

  private void take(
      String server, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
    count(server, response, failure);
    heard(server, response, failure);
  }

  private void lacks(String server, String why) {
    if (presence.isThere(server)) {
      answers.missed(server, why);
    } else {
      answers.absent(server);
    }
  }

  private void count(
      String server, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
    if (response != null && response.statusCode() == OK) {
      answers.told(server, time.elapsedNanos());
    } else if (failure != null && isRefused(failure) && presence.isThere(server)) {
      answers.refused(
          server,
          reason(failure),
          time.elapsedNanos(),
          within -> presence.beganWithin(server, within));
    } else {
      lacks(server, why(response, failure));
    }
  }

  /** Whether nobody listened; who listens and is busy lets the attempt time out. */
  private static boolean isRefused(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof HttpTimeoutException) {
        return false;
      }
      if (each instanceof ConnectException) {
        return true;
      }
    }
    return false;
  }

  private static String why(@Nullable HttpResponse<String> response, @Nullable Throwable failure) {
    return response != null
        ? "it answered with the status " + response.statusCode()
        : reason(Objects.requireNonNull(failure));
  }

  private synchronized void heard(
      String server, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
    DeclaredReadings readings = declared.get(server);
    if (response == null || response.statusCode() != OK) {
      String why = why(response, failure);
      unheard.computeIfPresent(server, (_, _) -> why);
    } else if (readings == null) {
      shares(server, time.epochNanos(), response.body()).forEach(kept::add);
    } else {
      unheard.remove(server);
      readings.samples(response.body(), time.epochNanos(), time.elapsedNanos()).forEach(kept::add);
    }
  }

  /** The reason of a failure in words, of which that beneath others says most. */
  private static String reason(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
  }

  /** The declared metrics of which there is no reading, a sentence for each server and reason. */
  public synchronized List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    declared.forEach((server, readings) -> {
      MetricsPlace place = Objects.requireNonNull(servers.get(server));
      String why = unheard.get(server);
      if (why != null) {
        warnings.add(
            "the metrics of %s at %s were never read: %s".formatted(server, place.at(), why));
        return;
      }
      if (!readings.untold().isEmpty()) {
        warnings.add(
            "%s tells no finite number at %s for %s"
                .formatted(server, place.at(), String.join(", ", readings.untold())));
      }
      if (!readings.unread().isEmpty()) {
        warnings.add(
            "%s told figures at %s of which there is no reading: %s"
                .formatted(server, place.at(), String.join(", ", readings.unread())));
      }
    });
    return warnings;
  }

  /** Counts answers from now on, for {@link #gaps}. */
  public void countFromNow() {
    answers.begin();
  }

  /** The reason for which a reading was not taken by an error of its own; empty if each was. */
  public Optional<String> failure() {
    return early.reason();
  }

  /** The servers of which so much lacks since then that what is there may mislead. */
  public List<String> gaps() {
    return answers.gaps();
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

  /** The processor time in nanoseconds that the reading has taken; 0 after its end. */
  public long cpuNanos() {
    return threads.cpuNanos();
  }

  /** Stops to read. */
  @Override
  public void close() {
    answers.end(); // what is still under way is not cut off by its server
    clock.shutdownNow();
    clients.values().forEach(HttpClient::shutdownNow);
  }
}
