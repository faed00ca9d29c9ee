package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.captures.Captures.Reading;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.WireCount;

/** Captures that were made to be slow, large or misread where their keys are known. */
class HostileTlsTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final String GET = "GET /story HTTP/1.1\r\nHost: shop\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  @TempDir private Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TcpCapture capture = TcpCapture.inMemory(bytes);
  private final StringBuilder keyLog = new StringBuilder();
  private long now = START;

  private TcpCapture.Connection opened(int number, Tls13Words words) {
    TcpCapture.Connection connection =
        capture.connection("10.0.0.1", 20_000 + number, "10.0.0.2", 443);
    connection.open(now += MILLI);
    connection.send(true, now += MILLI, words.clientHello());
    connection.send(false, now += MILLI, words.serverHello());
    connection.send(false, now += MILLI, words.finished(false));
    connection.send(true, now += MILLI, words.finished(true));
    keyLog.append(words.keyLog());
    return connection;
  }

  private void exchange(TcpCapture.Connection connection, Tls13Words words) {
    connection.send(true, now += MILLI, words.text(true, GET));
    connection.send(false, now += MILLI, words.text(false, OK));
  }

  private Reading read() throws IOException {
    capture.close();
    Path keys = Files.writeString(directory.resolve("keys.log"), keyLog);
    return Captures.read(bytes.toByteArray(), ReadOptions.defaults().withKeyLogs(List.of(keys)));
  }

  private static List<Request> inside(Reading reading) {
    return reading.requests().stream()
        .filter(request -> request.requestClass().startsWith("GET"))
        .toList();
  }

  @Test
  void keysThatAreUpdatedBetweenAllExchangesAreFollowed() throws IOException {
    Tls13Words words = new Tls13Words(1);
    TcpCapture.Connection connection = opened(1, words);
    for (int i = 0; i < 50; i++) {
      connection.send(true, now += MILLI, words.keyUpdates(true, 1));
      connection.send(false, now += MILLI, words.keyUpdates(false, 1));
      exchange(connection, words);
    }

    assertThat(inside(read())).hasSize(50).allMatch(request -> request.outcome() == Outcome.OK);
  }

  /** Each update takes some hashes, and 3,000 fit into a record. */
  @Test
  @Timeout(30)
  void recordFullOfUpdatesOfKeysCostsNoMoreThanOne() throws IOException {
    Tls13Words words = new Tls13Words(1);
    TcpCapture.Connection connection = opened(1, words);
    exchange(connection, words);
    for (int i = 0; i < Depth.of(300, 60); i++) {
      connection.send(true, now += MILLI, words.keyUpdates(true, 3_000));
    }
    exchange(connection, words);

    assertThat(inside(read())).hasSize(2).allMatch(request -> request.outcome() == Outcome.OK);
  }

  /** An attempt to open a record of 17 bytes takes as long as one of hundreds. */
  @Test
  @Timeout(60)
  void shortRecordsBehindLossesTakeBoundedWork() throws IOException {
    int connections = Depth.of(1_000, 100);
    for (int number = 0; number < connections; number++) {
      Tls13Words words = new Tls13Words(number);
      TcpCapture.Connection connection = opened(number, words);
      exchange(connection, words);
      connection.lose(true, 100_000);
      ByteArrayOutputStream headers = new ByteArrayOutputStream();
      for (int i = 0; i < 20; i++) {
        headers.writeBytes(new byte[] {23, 3, 3, 0, 17});
        headers.writeBytes(new byte[17]);
      }
      connection.send(true, now += MILLI, headers.toByteArray());
      connection.acknowledge(false, now += MILLI);
    }

    Reading reading = read();

    assertThat(inside(reading)).hasSize(connections);
    assertThat(reading.result().statistics().of(WireCount.DECRYPTION_LOST)).isEqualTo(connections);
  }

  /** Records and garbage in turn: each record is found behind what is left of the one before. */
  @Test
  void manySearchesWithinFewBytesDoNotNest() throws IOException {
    Tls13Words words = new Tls13Words(1);
    TcpCapture.Connection connection = opened(1, words);
    exchange(connection, words);
    connection.lose(true, 10);
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int i = 0; i < 800; i++) {
      records.writeBytes(words.sealed(true, Tls13Words.DATA, new byte[0]));
      records.write('x');
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(new byte[] {23, 3, 3, 0x47, (byte) 0xff});
    all.writeBytes(records.toByteArray());
    connection.send(true, now += MILLI, all.toByteArray());
    connection.send(true, now += MILLI, words.text(true, GET));
    connection.send(false, now += MILLI, words.text(false, OK));

    assertThat(inside(read())).isNotEmpty();
  }

  /** A server's record that begins before a request and ends behind it is read behind it. */
  @Test
  void recordsOfBothSidesInEachOthersWayFailNothing() throws IOException {
    for (long seed : Seeds.histories("crossing records", 60)) {
      RandomGenerator random = Seeds.generator(seed);
      Tls13Words words = new Tls13Words((int) seed);
      TcpCapture.Connection connection = opened(Math.floorMod(seed, 30_000), words);
      List<List<byte[]>> pieces = List.of(new ArrayList<>(), new ArrayList<>());
      String[] texts = texts(random.nextInt(6));
      for (int i = 0; i < 12; i++) {
        for (int side = 0; side < 2; side++) {
          cut(words.text(side == 0, texts[side]), random, pieces.get(side));
        }
      }
      int[] at = {0, 0};
      while (at[0] < pieces.get(0).size() || at[1] < pieces.get(1).size()) {
        int side = random.nextInt(2);
        if (at[side] < pieces.get(side).size()) {
          connection.send(
              side == 0, now += random.nextLong(1, MILLI), pieces.get(side).get(at[side]++));
        }
      }
      connection.close(now += MILLI);
    }

    Reading reading = read();

    assertThat(reading.result().statistics().of(WireCount.DECRYPTED_CONNECTIONS)).isPositive();
    assertThat(reading.requests())
        .allMatch(request -> request.departureNanos() >= request.arrivalNanos());
  }

  private static String[] texts(int which) {
    return switch (which) {
      case 0 -> new String[] {GET, OK};
      case 1 -> new String[] {"*1\r\n$4\r\nPING\r\n", "+PONG\r\n"};
      case 2 -> new String[] {"get key\r\n", "END\r\n"};
      case 3 ->
          new String[] {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", "\0\0\0\4\0\0\0\0\0"};
      case 4 -> new String[] {"Q\0\0\0\15SELECT 1\0", "C\0\0\0\15SELECT 1\0Z\0\0\0\5I"};
      default -> new String[] {"unknown words", "and answers"};
    };
  }

  private static void cut(byte[] record, RandomGenerator random, List<byte[]> pieces) {
    int from = 0;
    while (from < record.length) {
      int to = Math.min(record.length, from + random.nextInt(1, record.length + 1));
      pieces.add(java.util.Arrays.copyOfRange(record, from, to));
      from = to;
    }
  }
}
