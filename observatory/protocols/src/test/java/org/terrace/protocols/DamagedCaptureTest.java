package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TerraceException;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.captures.Captures;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.WireCount;

/** Whatever is in a capture, reading it ends, throws nothing and says what was lost. */
class DamagedCaptureTest {
  private static final int CASES = 1_500;
  private static final long START = 1_790_000_000_000_000_000L;
  private static final int FILE_HEADER = 24;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void randomDamageNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("damage"));
    List<byte[]> captures =
        List.of(
            Captures.resource("http.pcap"),
            Captures.resource("pgsql.pcap"),
            Captures.resource("mariadb.pcap"),
            Captures.resource("redis.pcap"),
            Captures.resource("http2.pcap"),
            Captures.resource("memcached.pcap"));
    for (int i = 0; i < CASES; i++) {
      byte[] damaged = damage(random, captures.get(i % captures.size()));

      assertThatCode(() -> readOrRefuse(damaged)).doesNotThrowAnyException();
    }
  }

  private static void readOrRefuse(byte[] capture) {
    try {
      Captures.Reading reading = Captures.read(capture);
      assertThat(reading.requests()).hasSizeLessThan(2_000);
      assertThat(reading.connections())
          .hasSize((int) reading.result().statistics().of(WireCount.CONNECTIONS));
      assertThat(reading.connections().stream().mapToLong(ObservedConnection::requests).sum())
          .isEqualTo(reading.requests().size());
    } catch (TerraceException e) {
      assertThat(e).hasMessageContaining("expected");
    }
  }

  private static byte[] damage(RandomGenerator random, byte[] capture) {
    byte[] damaged = capture.clone();
    int times = random.nextInt(1, 8);
    for (int i = 0; i < times && damaged.length > 100; i++) {
      int at = random.nextInt(random.nextInt(10) == 0 ? 0 : FILE_HEADER, damaged.length);
      int length = Math.min(damaged.length - at, 1 << random.nextInt(12));
      switch (random.nextInt(5)) {
        case 0 -> damaged[at] = (byte) random.nextInt();
        case 1 -> Arrays.fill(damaged, at, at + Math.min(length, 64), (byte) random.nextInt());
        case 2 -> damaged = TcpCapture.without(damaged, at, at + length);
        case 3 -> damaged = Arrays.copyOf(damaged, at);
        default -> {
          byte[] noise = new byte[Math.min(length, 16)];
          random.nextBytes(noise);
          System.arraycopy(noise, 0, damaged, at, noise.length);
        }
      }
    }
    return damaged;
  }

  @Test
  void readingGoesOnBehindADamagedStretch() {
    byte[] whole = Captures.resource("http.pcap");
    byte[] damaged = whole.clone();
    Arrays.fill(damaged, 2_000, 2_060, (byte) 0xff);

    Captures.Reading reading = Captures.read(damaged);

    assertThat(reading.result().statistics().of(WireCount.DAMAGED_RECORDS)).isLessThanOrEqualTo(1);
    assertThat(reading.requests()).hasSizeBetween(27, 30);
    assertThat(Captures.read(Arrays.copyOf(whole, whole.length - 1)).result().statistics().losses())
        .anyMatch(loss -> loss.contains("ends in the middle of a packet"));
  }

  @Test
  void lostPacketsAreGapsAndOnlyTheirRequestsSuffer() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    connection.open(START);
    String get = "GET /a HTTP/1.1\r\n\r\n";
    String ok = "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n" + "x".repeat(4_000);
    for (int i = 0; i < 6; i++) {
      long time = START + (i + 1) * 1_000_000_000L;
      if (i == 1) {
        connection.lose(true, get.length());
      } else {
        connection.send(true, time, get);
      }
      if (i == 2) {
        connection.lose(false, ok.length());
        connection.acknowledge(true, time + 1_000_000);
      } else if (i == 3) {
        connection.send(false, time, ok.substring(0, 1_000));
        connection.lose(false, 2_000);
        connection.send(false, time + 1_000_000, ok.substring(3_000));
      } else {
        connection.send(false, time + 1_000_000, ok);
      }
    }
    connection.close(START + 10_000_000_000L);

    Captures.Reading reading = Captures.read(bytes.toByteArray());

    assertThat(reading.requests())
        .extracting(Request::outcome)
        .containsExactly(Outcome.OK, Outcome.UNFINISHED, Outcome.OK, Outcome.OK, Outcome.OK);
    assertThat(reading.requests())
        .extracting(Request::residenceNanos)
        .containsExactly(1_000_000L, 1_000_000L, 1_000_000L, 1_000_000L, 1_000_000L);
    assertThat(reading.result().statistics().gaps()).isEqualTo(3);
    assertThat(reading.result().statistics().of(WireCount.RESPONSES_WITHOUT_REQUEST)).isEqualTo(1);
  }

  @Test
  void snapLengthLeavesRequestsOutcomesAndTimes() {
    byte[] whole = Captures.resource("http.pcap");
    List<Request> expected = Captures.read(whole).requests();
    Captures.Reading reading = Captures.read(cut(whole, 150));

    // Of eight requests pipelined in one segment only two are within the snap length.
    assertThat(reading.requests()).hasSize(expected.size() - 6);
    assertThat(reading.result().statistics().of(WireCount.TRUNCATED_PACKETS)).isPositive();
    assertThat(reading.result().statistics().of(WireCount.ESTIMATED_ENDS)).isPositive();
    assertThat(Captures.read(cut(Captures.resource("pgsql.pcap"), 200)).requests())
        .hasSizeBetween(30, 50);
  }

  @Test
  void answersWhoseEndIsBeyondTheSnapLengthAreEstimated() {
    for (String name : List.of("ajp.pcap", "fastcgi.pcap", "giop.pcap", "memcached-text.pcap")) {
      byte[] whole = Captures.resource(name);
      Captures.Reading reading = Captures.read(cut(whole, 180));

      assertThat(reading.result().statistics().of(WireCount.TRUNCATED_PACKETS)).isPositive();
      assertThat(answered(reading))
          .as(name)
          .hasSizeGreaterThan(answered(Captures.read(whole)).size() * 3 / 5);
    }
  }

  private static List<Request> answered(Captures.Reading reading) {
    return reading.requests().stream()
        .filter(request -> request.outcome() == Outcome.OK || request.outcome() == Outcome.ERROR)
        .toList();
  }

  /** The capture as it would be with a snap length. */
  private static byte[] cut(byte[] capture, int snapLength) {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    result.write(capture, 0, FILE_HEADER);
    int at = FILE_HEADER;
    while (at < capture.length) {
      int length = (capture[at + 8] & 0xff) | (capture[at + 9] & 0xff) << 8;
      int kept = Math.min(length, snapLength);
      byte[] header = Arrays.copyOfRange(capture, at, at + 16);
      header[8] = (byte) kept;
      header[9] = (byte) (kept >> 8);
      result.writeBytes(header);
      result.write(capture, at + 16, kept);
      at += 16 + length;
    }
    return result.toByteArray();
  }

  @Test
  void captureThatBeginsMidStreamFindsClientServerAndProtocol() {
    for (String name : List.of("http.pcap", "pgsql.pcap", "mariadb.pcap", "redis.pcap")) {
      byte[] whole = Captures.resource(name);
      int at = FILE_HEADER;
      for (int packet = 0; packet < 30; packet++) {
        at += 16 + ((whole[at + 8] & 0xff) | (whole[at + 9] & 0xff) << 8);
      }
      Captures.Reading reading = Captures.read(TcpCapture.without(whole, FILE_HEADER, at));

      assertThat(reading.result().statistics().midStreamConnections()).isEqualTo(1);
      assertThat(reading.result().servers()).hasSize(1);
      assertThat(reading.requests()).hasSizeGreaterThan(15);
    }
  }

  @Test
  void connectionsBeyondTheLimitDisplaceTheEldest() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TcpCapture capture = TcpCapture.inMemory(bytes);
    for (int i = 0; i < 1_000; i++) {
      TcpCapture.Connection connection =
          capture.connection("127.0.9.1", 10_000 + i, "127.0.2.1", 8080);
      connection.open(START + i * 1_000_000L);
      connection.send(true, START + i * 1_000_000L + 1_000, "GET / HTTP/1.1\r\n\r\n");
    }
    ReadOptions narrow =
        new ReadOptions(List.of(), 100, 1_000, 1_000, Duration.ofHours(1), 16, 100, List.of());

    Captures.Reading reading = Captures.read(bytes.toByteArray(), narrow);

    assertThat(reading.requests()).hasSize(1_000);
    assertThat(reading.requests()).allMatch(request -> request.outcome() == Outcome.UNFINISHED);
    assertThat(reading.result().statistics().of(WireCount.EVICTED_CONNECTIONS)).isEqualTo(900);
  }
}
