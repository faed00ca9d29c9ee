package org.terrace.microbenchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;

/**
 * Captures of a bulletin board that was never run: connections of users to a web server, or of an
 * application server to PostgreSQL, each with exchanges of the sizes of the real thing. A function
 * of constants, so that two commits are given the same packets. Stateless.
 */
final class BoardTraffic {
  /** Connections in one capture. */
  static final int CONNECTIONS = 20;

  /** Requests on each connection, all of them answered. */
  static final int EXCHANGES = 20;

  private static final long SEED = 1;
  private static final long START_NANOS = 1_790_000_000_000_000_000L;
  private static final long BETWEEN_NANOS = 1_000_000;
  private static final long RESPONSE_NANOS = 300_000;
  private static final int PAGE_BYTES_MAX = 14_000;
  private static final int ROWS_MAX = 24;
  private static final int ROW_BYTES = 200;
  private static final int PROTOCOL_3 = 196_608;

  private BoardTraffic() {}

  /** A capture of pages over HTTP/1.1, half of the responses in chunks. */
  static byte[] http() {
    RandomGenerator random = Seeds.generator(SEED);
    return capture(
        8080,
        (connection, timeNanos) -> {},
        (connection, timeNanos) -> {
          connection.send(true, timeNanos, pageRequest(random));
          long answered = timeNanos + RESPONSE_NANOS;
          byte[] body =
              "<p>story ".repeat(random.nextInt(100, PAGE_BYTES_MAX) / 9).getBytes(ascii());
          String head = "HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=UTF-8\r\n";
          if (random.nextBoolean()) {
            connection.send(
                false,
                answered,
                head
                    + "Transfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(body.length)
                    + "\r\n");
            connection.send(false, answered, body);
            connection.send(false, answered, "\r\n0\r\n\r\n");
          } else {
            connection.send(false, answered, head + "Content-Length: " + body.length + "\r\n\r\n");
            connection.send(false, answered, body);
          }
          connection.acknowledge(true, answered + 10_000);
        });
  }

  private static String pageRequest(RandomGenerator random) {
    boolean post = random.nextInt(8) == 0;
    return (post ? "POST /store-comment" : "GET /view-story?story=" + random.nextInt(500_000))
        + " HTTP/1.1\r\nHost: board:8080\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
        + "Accept: text/html,application/xhtml+xml\r\nAccept-Language: en\r\nCookie: session="
        + Long.toHexString(random.nextLong())
        + "\r\nConnection: keep-alive\r\n"
        + (post ? "Content-Length: 600\r\n\r\n" + "x".repeat(600) : "\r\n");
  }

  /**
   * A capture of queries to PostgreSQL: half of them of a prepared statement, half of plain text.
   */
  static byte[] postgresql() {
    RandomGenerator random = Seeds.generator(SEED);
    return capture(
        5432,
        BoardTraffic::logIn,
        (connection, timeNanos) -> {
          connection.send(true, timeNanos, random.nextBoolean() ? bind(random) : query(random));
          long answered = timeNanos + RESPONSE_NANOS;
          connection.send(false, answered, rows(random.nextInt(1, ROWS_MAX)));
          connection.acknowledge(true, answered + 10_000);
        });
  }

  /** A piece of traffic on a connection at a time. */
  @FunctionalInterface
  private interface Step {
    void on(TcpCapture.Connection connection, long timeNanos);
  }

  /** All connections open, then all of them take turns, then all close. */
  private static byte[] capture(int port, Step opening, Step exchange) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      TcpCapture.Connection[] connections = new TcpCapture.Connection[CONNECTIONS];
      long now = START_NANOS;
      for (int i = 0; i < CONNECTIONS; i++) {
        connections[i] = capture.connection("127.0.9.1", 10_000 + i, "127.0.2.1", port);
        connections[i].open(now);
        opening.on(connections[i], now + BETWEEN_NANOS);
        now += 2 * BETWEEN_NANOS;
      }
      for (int i = 0; i < EXCHANGES; i++) {
        for (TcpCapture.Connection connection : connections) {
          exchange.on(connection, now);
          now += BETWEEN_NANOS;
        }
      }
      for (TcpCapture.Connection connection : connections) {
        connection.close(now);
        now += BETWEEN_NANOS;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The greeting, and a statement that is prepared without asking for an answer of its own. */
  private static void logIn(TcpCapture.Connection connection, long timeNanos) {
    byte[] parameters = "user\0board\0database\0board\0\0".getBytes(ascii());
    int length = 8 + parameters.length;
    connection.send(
        true,
        timeNanos,
        ByteBuffer.allocate(length).putInt(length).putInt(PROTOCOL_3).put(parameters).array());
    ByteBuffer welcome = ByteBuffer.allocate(64);
    message(welcome, 'R', new byte[4]);
    message(welcome, 'Z', new byte[] {'I'});
    connection.send(false, timeNanos + 10_000, written(welcome));
    ByteBuffer prepare = ByteBuffer.allocate(200);
    String sql = "S_1\0SELECT s.id, s.title FROM stories s WHERE s.id = $1 AND s.category = 3\0";
    message(prepare, 'P', (sql + "\0\0").getBytes(ascii()));
    message(prepare, 'S', new byte[0]);
    connection.send(true, timeNanos + 20_000, written(prepare));
    ByteBuffer prepared = ByteBuffer.allocate(64);
    message(prepared, '1', new byte[0]);
    message(prepared, 'Z', new byte[] {'I'});
    connection.send(false, timeNanos + 30_000, written(prepared));
  }

  private static byte[] bind(RandomGenerator random) {
    byte[] value = Integer.toString(random.nextInt(500_000)).getBytes(ascii());
    ByteBuffer bind = ByteBuffer.allocate(64).put((byte) 0).put("S_1\0".getBytes(ascii()));
    bind.putShort((short) 0).putShort((short) 1);
    bind.putInt(value.length).put(value).putShort((short) 0);
    ByteBuffer ask = ByteBuffer.allocate(200);
    message(ask, 'B', written(bind));
    message(ask, 'E', new byte[5]);
    message(ask, 'S', new byte[0]);
    return written(ask);
  }

  private static byte[] query(RandomGenerator random) {
    String sql = "SELECT id, title, body FROM stories WHERE id = " + random.nextInt(1_000) + "\0";
    ByteBuffer ask = ByteBuffer.allocate(200);
    message(ask, 'Q', sql.getBytes(ascii()));
    return written(ask);
  }

  private static byte[] rows(int count) {
    ByteBuffer answer = ByteBuffer.allocate(ROWS_MAX * (ROW_BYTES + 20) + 100);
    message(answer, '2', new byte[0]);
    byte[] row = new byte[6 + ROW_BYTES];
    Arrays.fill(row, (byte) 'v');
    ByteBuffer.wrap(row).putShort((short) 1).putInt(ROW_BYTES);
    for (int i = 0; i < count; i++) {
      message(answer, 'D', row);
    }
    message(answer, 'C', "SELECT 1\0".getBytes(ascii()));
    message(answer, 'Z', new byte[] {'I'});
    return written(answer);
  }

  private static void message(ByteBuffer out, char type, byte[] body) {
    out.put((byte) type).putInt(4 + body.length).put(body);
  }

  private static byte[] written(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.position()];
    buffer.get(0, bytes);
    return bytes;
  }

  private static Charset ascii() {
    return StandardCharsets.US_ASCII;
  }
}
