package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;

/** The signs that packets give of a server's host and of the capture, beside requests. */
class HostSignsTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;
  private static final String SERVER = "127.0.2.1:8080";
  private static final String GET = "GET /view-story?story=17 HTTP/1.1\r\nHost: board\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TcpCapture capture = TcpCapture.inMemory(bytes);
  private final TcpCapture.Connection connection =
      capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);

  private List<Event> events() {
    return CaptureReader.read(
            CaptureSource.stream("test", new ByteArrayInputStream(bytes.toByteArray())),
            ReadOptions.defaults(),
            request -> {})
        .events()
        .stream()
        .filter(event -> !event.kind().startsWith("tcp-"))
        .toList();
  }

  private void exchange(long askedNanos, long answeredNanos) {
    connection.send(true, askedNanos, GET);
    connection.send(false, answeredNanos, OK);
    connection.acknowledge(true, answeredNanos + 10);
  }

  @Test
  void anApplicationThatStandsStillIsNoSilenceOfItsHost() {
    connection.open(START);
    exchange(START + MILLIS, START + 2 * MILLIS);
    connection.send(true, START + 10 * MILLIS, GET);
    // The kernel answers for the application, as late as it may.
    connection.acknowledge(false, START + 50 * MILLIS);
    connection.send(false, START + 900 * MILLIS, OK);
    exchange(START + 910 * MILLIS, START + 911 * MILLIS);

    assertThat(events()).isEmpty();
  }

  @Test
  void dataThatNobodyAcknowledgesAreASilenceOfTheHost() {
    connection.open(START);
    exchange(START + MILLIS, START + 2 * MILLIS);
    int sequence = connection.sequence(true);
    int acknowledged = connection.sequence(false);
    connection.send(true, START + 10 * MILLIS, GET);
    for (long after : List.of(210L, 620L)) {
      connection.segment(
          true,
          START + after * MILLIS,
          TcpCapture.ACK | TcpCapture.PSH,
          sequence,
          acknowledged,
          GET.getBytes(StandardCharsets.ISO_8859_1),
          0,
          GET.length());
    }
    connection.acknowledge(false, START + 900 * MILLIS);
    connection.send(false, START + 901 * MILLIS, OK);

    assertThat(events())
        .containsExactly(
            new Event(
                SERVER,
                EventKinds.HOST_SILENT,
                START + 10 * MILLIS,
                START + 900 * MILLIS,
                Map.of()));
  }

  @Test
  void aHostThatOnlyRepeatsItselfIsReachedByNothing() {
    connection.open(START);
    exchange(START + MILLIS, START + 2 * MILLIS);
    connection.send(true, START + 10 * MILLIS, GET);
    int sequence = connection.sequence(false);
    int acknowledged = connection.sequence(true);
    connection.send(false, START + 11 * MILLIS, OK);
    connection.send(true, START + 12 * MILLIS, GET);
    byte[] again = OK.getBytes(StandardCharsets.ISO_8859_1);
    for (long after : List.of(220L, 430L)) {
      connection.segment(
          false,
          START + after * MILLIS,
          TcpCapture.ACK | TcpCapture.PSH,
          sequence,
          acknowledged,
          again,
          0,
          again.length);
    }
    connection.send(false, START + 800 * MILLIS, OK);

    assertThat(events())
        .containsExactly(
            new Event(
                SERVER,
                EventKinds.HOST_SILENT,
                START + 12 * MILLIS,
                START + 800 * MILLIS,
                Map.of()));
  }

  @Test
  void aHostThatDiesIsSilentToTheEndOfTheCapture() {
    connection.open(START);
    exchange(START + MILLIS, START + 2 * MILLIS);
    connection.send(true, START + 10 * MILLIS, GET);
    TcpCapture.Connection other = capture.connection("127.0.9.1", 50_000, "127.0.3.1", 8080);
    other.open(START + 700 * MILLIS);

    assertThat(events())
        .singleElement()
        .satisfies(event -> {
          assertThat(event.kind()).isEqualTo(EventKinds.HOST_SILENT);
          assertThat(event.startNanos()).isEqualTo(START + 10 * MILLIS);
          assertThat(event.endNanos()).isGreaterThanOrEqualTo(START + 700 * MILLIS);
        });
  }

  @Test
  void aCaptureOfOneDirectionAloneTellsNoSilence() {
    for (int i = 0; i < 20; i++) {
      connection.send(true, START + i * 100L * MILLIS, GET);
    }

    assertThat(events()).filteredOn(e -> e.kind().equals(EventKinds.HOST_SILENT)).isEmpty();
  }

  @Test
  void aBurstOfLostPacketsIsATimeOfWhichNothingIsKnown() {
    List<TcpCapture.Connection> connections = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      connections.add(capture.connection("127.0.9.1", 40_000 + i, "127.0.2.1", 8080));
      connections.get(i).open(START + i * MILLIS);
    }
    long lostFrom = START + 1_000 * MILLIS;
    long lostUntil = START + 1_400 * MILLIS;
    for (int at = 100; at < 3_000; at += 10) {
      TcpCapture.Connection each = connections.get(at / 10 % connections.size());
      long time = START + at * MILLIS;
      if (time >= lostFrom && time < lostUntil) {
        each.lose(true, GET.length());
        each.lose(false, OK.length());
      } else {
        each.send(true, time, GET);
        each.send(false, time + MILLIS, OK);
        each.acknowledge(true, time + MILLIS + 10);
      }
    }

    assertThat(events())
        .singleElement()
        .satisfies(event -> {
          assertThat(event.node()).isEqualTo(SERVER);
          assertThat(event.kind()).isEqualTo(EventKinds.CAPTURE_LOSS);
          assertThat(event.startNanos()).isBetween(lostFrom - 110 * MILLIS, lostFrom);
          assertThat(event.endNanos()).isBetween(lostUntil, lostUntil + 110 * MILLIS);
        });
  }

  @Test
  void oneLostAnswerOfAnIdleConnectionVoidsNoneOfItsSilence() {
    TcpCapture.Connection busy = capture.connection("127.0.9.1", 50_000, "127.0.2.1", 8080);
    connection.open(START);
    busy.open(START + 5);
    connection.send(true, START + MILLIS, GET);
    connection.lose(false, OK.length());
    for (int at = 2; at < 5_000; at += 2) {
      busy.send(true, START + at * MILLIS, GET);
      busy.send(false, START + at * MILLIS + 100, OK);
      busy.acknowledge(true, START + at * MILLIS + 200);
    }
    exchange(START + 5_000 * MILLIS, START + 5_001 * MILLIS);

    long lost =
        events().stream()
            .filter(event -> event.kind().equals(EventKinds.CAPTURE_LOSS))
            .mapToLong(event -> event.endNanos() - event.startNanos())
            .sum();
    assertThat(lost).isBetween(1L, 110 * MILLIS);
  }
}
