package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The port of metrics, and callers who ask as no caller should. */
@Tag("real-processes")
class PoolMetricsPortTest {
  /** More than all buffers between two sockets hold. */
  private static final int ENDLESS_BYTES = 64 << 20;

  private static final Duration DRIBBLE = Duration.ofMillis(100);
  private static final int ANSWERED_WITHIN_MILLIS = 5_000;

  /** Ten times as long as a request may take, in dribbles. */
  private static final int MOST_DRIBBLES = 100;

  private PoolMetrics metrics;

  @BeforeEach
  void open() throws IOException {
    metrics =
        PoolMetrics.serve(
            InetAddress.getLoopbackAddress(),
            0,
            Map.of("threads", new PoolMetrics.Pool(100, () -> 3)));
  }

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void aCallerIsToldWithWhateverLineEnds() throws IOException {
    assertThat(ask("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")).contains("{pool=\"threads\"} 3");
    assertThat(ask("GET / HTTP/1.0\n\n")).contains("{pool=\"threads\"} 3");
  }

  @Test
  void aRequestWithoutAnEndIsReadNoFurther() throws IOException {
    try (Socket endless = connect()) {
      OutputStream to = endless.getOutputStream();
      byte[] part = new byte[1 << 16];

      assertThatThrownBy(
              () -> {
                for (int sent = 0; sent < ENDLESS_BYTES; sent += part.length) {
                  to.write(part);
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(ask("GET / HTTP/1.0\r\n\r\n")).contains("{pool=\"threads\"} 3");
  }

  @Test
  void callersWhoSendByteAfterByteHoldNobodyUpAndAreLeft() throws Exception {
    AtomicInteger left = new AtomicInteger();
    List<Thread> slow = new ArrayList<>();
    for (int each = 0; each < PoolMetrics.CALLERS - 1; each++) {
      Socket caller = connect();
      slow.add(
          Thread.ofVirtual()
              .start(() -> {
                if (dribble(caller) < MOST_DRIBBLES) {
                  left.incrementAndGet();
                }
              }));
    }
    while (slow.stream().anyMatch(Thread::isAlive)) {
      assertThat(ask("GET / HTTP/1.0\r\n\r\n")).contains("{pool=\"threads\"} 3");
      LockSupport.parkNanos(DRIBBLE.toNanos());
    }

    assertThat(left).hasValue(slow.size());
  }

  /** The bytes that a caller could send before it was left. */
  private static int dribble(Socket caller) {
    int sent = 0;
    try (caller) {
      while (sent < MOST_DRIBBLES) {
        caller.getOutputStream().write('a');
        sent++;
        LockSupport.parkNanos(DRIBBLE.toNanos());
      }
    } catch (IOException e) {
      // It was left.
      assert e != null;
    }
    return sent;
  }

  @Test
  void aPoolThatFailsCostsItsCallerTheAnswerAlone() throws IOException {
    AtomicBoolean fails = new AtomicBoolean(true);
    AtomicInteger asked = new AtomicInteger();
    try (PoolMetrics failing =
        PoolMetrics.serve(
            InetAddress.getLoopbackAddress(),
            0,
            Map.of("threads", new PoolMetrics.Pool(1, () -> inUse(fails.get(), asked))))) {
      for (int each = 0; each < 2 * PoolMetrics.CALLERS; each++) {
        assertThat(ask(failing, "GET / HTTP/1.0\r\n\r\n")).isEmpty();
      }
      fails.set(false);
      assertThat(ask(failing, "GET / HTTP/1.0\r\n\r\n")).contains("{pool=\"threads\"} 1");
    }
  }

  /** A pool may take a lock that the work of others needs. */
  @Test
  void aPoolIsAskedTenTimesASecondAtMostHoweverManyAsk() throws IOException {
    AtomicLong now = new AtomicLong();
    AtomicInteger asked = new AtomicInteger();
    try (PoolMetrics counting =
        PoolMetrics.serve(
            InetAddress.getLoopbackAddress(),
            0,
            Map.of("lock", new PoolMetrics.Pool(9, asked::incrementAndGet)),
            new RecentValueTest.StandingTime(now))) {
      for (int each = 0; each < 2 * PoolMetrics.CALLERS; each++) {
        assertThat(ask(counting, "GET / HTTP/1.0\r\n\r\n")).contains("{pool=\"lock\"} 1\n");
      }
      now.addAndGet(100_000_000);
      assertThat(ask(counting, "GET / HTTP/1.0\r\n\r\n")).contains("{pool=\"lock\"} 2\n");
    }
  }

  /** One in use, or an exception and an error by turns. */
  private static int inUse(boolean fails, AtomicInteger asked) {
    if (fails && asked.incrementAndGet() % 2 == 0) {
      throw new AssertionError("planted");
    }
    return 1 / (fails ? 0 : 1);
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), metrics.port());
  }

  private String ask(String request) throws IOException {
    return ask(metrics, request);
  }

  private static String ask(PoolMetrics of, String request) throws IOException {
    try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), of.port())) {
      caller.setSoTimeout(ANSWERED_WITHIN_MILLIS);
      caller.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(caller.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
