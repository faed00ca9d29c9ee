package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** Visitors of a small site, which refuses one of them from some moment on. */
@Timeout(60)
@Tag("real-processes")
class SessionWatchTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Pattern DRAFT = Pattern.compile("body=draft\\+number\\+(\\d+)");
  private static final Pattern NICKNAME = Pattern.compile("nickname=(\\w+)");

  private final TimeSource time = TimeSource.system();
  private final Map<String, String> drafts = new ConcurrentHashMap<>();
  private final Map<String, Integer> looks = new ConcurrentHashMap<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private volatile String refused = "";
  private volatile boolean isGarbled;
  private HttpServer site;

  @BeforeEach
  void open() throws IOException {
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    site.createContext("/", this::serve);
    site.start();
  }

  @AfterEach
  void close() {
    site.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String cookie = exchange.getRequestHeaders().getFirst("Cookie");
    String who = cookie == null ? first(NICKNAME, body) : cookie.substring(cookie.indexOf('=') + 1);
    if (!who.isEmpty() && who.equals(refused)) {
      refusals.merge(who, 1, Integer::sum);
      exchange.sendResponseHeaders(503, -1);
      exchange.close();
      return;
    }
    String path = exchange.getRequestURI().getPath();
    String page = "<b>" + who + "</b>";
    if (path.equals("/")) {
      page = "<a href='/view-story?story=7'>";
    } else if (path.equals("/store-comment")) {
      drafts.put(who, first(DRAFT, body));
      exchange.getResponseHeaders().add("Set-Cookie", "board_session=" + who);
    } else {
      page += "draft number " + drafts.get(who) + (isGarbled ? "0".repeat(20) : "") + ".";
      looks.merge(who, 1, Integer::sum);
    }
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  private boolean looked(String who, int times) {
    return Await.until(SOON, () -> looks.getOrDefault(who, 0) >= times);
  }

  /** A visitor who has ended looks no more, and what is counted is of the time before. */
  @Test
  void aVisitorWhoEndedByAnErrorIsAnErrorOfTheTrial() {
    isGarbled = true;
    URI address = URI.create("http://127.0.0.1:" + site.getAddress().getPort() + "/");
    try (SessionWatch watch =
        SessionWatch.start(address, InetAddress.getLoopbackAddress(), 1, time)) {
      assertThat(looked("user1", 1)).isTrue();

      assertThatThrownBy(watch::stop)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("who watches the sessions ended before the run did")
          .hasMessageContaining("NumberFormatException");
    }
  }

  @Test
  void eachVisitorsLastLookThatFoundItsDraftIsTold() throws InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + site.getAddress().getPort() + "/");
    try (SessionWatch watch =
        SessionWatch.start(address, InetAddress.getLoopbackAddress(), 2, time)) {
      assertThat(looked("user1", 2) && looked("user2", 2)).isTrue();
      refused = "user2";
      assertThat(Await.until(SOON, () -> refusals.getOrDefault("user2", 0) >= 2)).isTrue();
      long refusedNanos = time.epochNanos();
      assertThat(looked("user1", looks.get("user1") + 2)).isTrue();

      SessionCounts counts = watch.stop();

      assertThat(counts.signedOut() + counts.lost()).isZero();
      assertThat(counts.failed()).isPositive();
      assertThat(counts.foundNanos().getFirst()).isGreaterThan(refusedNanos);
      assertThat(counts.foundNanos().getLast()).isBetween(1L, refusedNanos);
      assertThat(counts.foundSince(refusedNanos)).isEqualTo(1);
      assertThat(counts.kept(1)).isTrue();
      assertThat(counts.kept(refusedNanos)).isFalse();
    }
  }
}
