package org.terrace.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * A capture of a bulletin board that was never run: users on keep-alive connections to one
 * application server, and its pool of connections to PostgreSQL, with the sizes and the
 * interleaving of the real thing. The whole output is a function of the seed. Confined to one
 * thread.
 */
public final class SyntheticBoard {
  private static final long START_NANOS = 1_790_000_000_000_000_000L;
  private static final int USERS = 2_000;
  private static final int POOL = 40;
  private static final int PAGES_A_SECOND = 1_500;
  private static final int STATEMENTS = 24;
  private static final int BODIES = 64;
  private static final String[] WORDS = {
    "story", "comment", "<b>author</b>", "moderate", "rating", "<p>", "the", "of", "board", "page"
  };

  private final RandomGenerator random;
  private final TcpCapture capture;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final TcpCapture.Connection[] users = new TcpCapture.Connection[USERS];
  private final TcpCapture.Connection[] pool = new TcpCapture.Connection[POOL];
  private final long[] userFree = new long[USERS];
  private final long[] poolFree = new long[POOL];
  private final byte[][] pages = new byte[BODIES][];
  private final byte[][] rows = new byte[BODIES][];
  private long order;
  private long exchanges;

  private record Event(long timeNanos, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(timeNanos, other.timeNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private SyntheticBoard(TcpCapture capture, long seed) {
    this.capture = capture;
    random = Seeds.generator(seed);
  }

  /**
   * Writes a capture of at least so many bytes.
   *
   * @return the number of its exchanges
   */
  public static long write(Path file, long bytes, long seed) throws IOException {
    try (TcpCapture capture = TcpCapture.to(file)) {
      return new SyntheticBoard(capture, seed).run(bytes);
    }
  }

  private long run(long bytes) {
    for (int i = 0; i < BODIES; i++) {
      pages[i] = words(1_000 + random.nextInt(14_000));
      rows[i] = rows(random.nextInt(1, 24));
    }
    for (int i = 0; i < POOL; i++) {
      pool[i] = capture.connection("127.0.2.1", 30_000 + i, "127.0.4.1", 5432);
      openPooled(pool[i], START_NANOS + i * 1_000_000L);
    }
    for (int i = 0; i < USERS; i++) {
      users[i] = capture.connection("127.0.9.1", 10_000 + i, "127.0.2.1", 8080);
      users[i].open(START_NANOS + 100_000_000L + i * 50_000L);
    }
    long now = START_NANOS + 1_000_000_000L;
    while (capture.bytesWritten() < bytes) {
      now += (long) (-Math.log(1 - random.nextDouble()) / PAGES_A_SECOND * 1e9);
      drain(now);
      page(now);
    }
    drain(Long.MAX_VALUE);
    return exchanges;
  }

  private void drain(long until) {
    while (!events.isEmpty() && events.peek().timeNanos <= until) {
      events.remove().action.run();
    }
  }

  private void at(long timeNanos, Runnable action) {
    events.add(new Event(timeNanos, order++, action));
  }

  private static int firstFree(long[] free, long now, int from) {
    for (int i = 0; i < free.length; i++) {
      int candidate = (from + i) % free.length;
      if (free[candidate] <= now) {
        return candidate;
      }
    }
    return -1;
  }

  /** One page: a request, some queries on one pooled connection, a response. */
  private void page(long now) {
    int user = firstFree(userFree, now, random.nextInt(USERS));
    int pooled = firstFree(poolFree, now, random.nextInt(POOL));
    if (user < 0 || pooled < 0) {
      return;
    }
    TcpCapture.Connection client = users[user];
    boolean post = random.nextInt(8) == 0;
    String request =
        (post ? "POST /store-comment" : "GET /view-story?story=" + random.nextInt(500_000))
            + " HTTP/1.1\r\nHost: board:8080\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
            + "Accept: text/html,application/xhtml+xml\r\nAccept-Language: en\r\n"
            + "Cookie: session="
            + Long.toHexString(random.nextLong())
            + "\r\nConnection: keep-alive\r\n"
            + (post ? "Content-Length: 600\r\n\r\n" + "x".repeat(600) : "\r\n");
    at(now, () -> client.send(true, now, request));
    long time = now + 200_000;
    int queries = random.nextInt(2, 8);
    for (int i = 0; i < queries; i++) {
      time = query(pool[pooled], time);
    }
    poolFree[pooled] = time;
    userFree[user] = time + 1_000_000;
    byte[] body = pages[random.nextInt(BODIES)];
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=UTF-8\r\nDate: Sat, 21 Nov 2026 00:00:00"
            + " GMT\r\n";
    boolean chunked = random.nextBoolean();
    long end = time + 300_000;
    at(
        end,
        () -> {
          if (chunked) {
            client.send(false, end, head + "Transfer-Encoding: chunked\r\n\r\n");
            client.send(false, end, Integer.toHexString(body.length) + "\r\n");
            client.send(false, end, body);
            client.send(false, end, "\r\n0\r\n\r\n");
          } else {
            client.send(false, end, head + "Content-Length: " + body.length + "\r\n\r\n");
            client.send(false, end, body);
          }
          client.acknowledge(true, end + 20_000);
        });
    exchanges++;
  }

  private long query(TcpCapture.Connection connection, long time) {
    int statement = random.nextInt(STATEMENTS);
    byte[] value = Integer.toString(random.nextInt(500_000)).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer ask = ByteBuffer.allocate(200);
    if (random.nextInt(10) == 0) {
      String sql = "SELECT id, title, body FROM stories WHERE id = " + random.nextInt(1_000);
      put(ask, 'Q', (sql + "\0").getBytes(StandardCharsets.US_ASCII));
    } else {
      String name = "S_" + statement;
      ByteBuffer bind = ByteBuffer.allocate(64);
      bind.put((byte) 0).put(name.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
      bind.putShort((short) 0)
          .putShort((short) 1)
          .putInt(value.length)
          .put(value)
          .putShort((short) 0);
      put(ask, 'B', Arrays.copyOf(bind.array(), bind.position()));
      put(ask, 'E', new byte[5]);
      put(ask, 'S', new byte[0]);
    }
    byte[] asked = Arrays.copyOf(ask.array(), ask.position());
    at(time, () -> connection.send(true, time, asked));
    long end = time + 100_000 + random.nextInt(900_000);
    byte[] answer = rows[random.nextInt(BODIES)];
    at(
        end,
        () -> {
          connection.send(false, end, answer);
          connection.acknowledge(true, end + 10_000);
        });
    exchanges++;
    return end + 50_000;
  }

  private void openPooled(TcpCapture.Connection connection, long time) {
    connection.open(time);
    byte[] parameters = "user\0board\0database\0board\0\0".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer startup = ByteBuffer.allocate(8 + parameters.length);
    connection.send(
        true,
        time + 100_000,
        startup.putInt(8 + parameters.length).putInt(196_608).put(parameters).array());
    ByteBuffer welcome = ByteBuffer.allocate(15);
    put(welcome, 'R', new byte[4]);
    put(welcome, 'Z', new byte[] {'I'});
    connection.send(false, time + 200_000, welcome.array());
    exchanges++;
    for (int i = 0; i < STATEMENTS; i++) {
      String sql =
          "S_"
              + i
              + "\0SELECT s.id, s.title, u.nickname FROM stories s JOIN users u ON u.id ="
              + " s.writer WHERE s.id = $1 AND s.category = "
              + i
              + "\0\0\0";
      byte[] body = sql.getBytes(StandardCharsets.US_ASCII);
      ByteBuffer ask = ByteBuffer.allocate(10 + body.length);
      put(ask, 'P', body);
      put(ask, 'S', new byte[0]);
      connection.send(true, time + 300_000 + i * 10_000L, ask.array());
      ByteBuffer answer = ByteBuffer.allocate(11);
      put(answer, '1', new byte[0]);
      put(answer, 'Z', new byte[] {'I'});
      connection.send(false, time + 305_000 + i * 10_000L, answer.array());
      exchanges++;
    }
  }

  private static void put(ByteBuffer buffer, char type, byte[] body) {
    buffer.put((byte) type).putInt(4 + body.length).put(body);
  }

  private byte[] words(int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(3) == 0 ? '\n' : ' ');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** A whole answer: bind complete, rows, command complete, ready for query. */
  private byte[] rows(int count) {
    ByteBuffer answer = ByteBuffer.allocate(16_000);
    put(answer, '2', new byte[0]);
    for (int i = 0; i < count; i++) {
      byte[] value = words(random.nextInt(20, 500));
      byte[] row = new byte[6 + value.length];
      ByteBuffer.wrap(row).putShort((short) 1).putInt(value.length).put(value);
      put(answer, 'D', row);
    }
    put(answer, 'C', "SELECT 1\0".getBytes(StandardCharsets.US_ASCII));
    put(answer, 'Z', new byte[] {'I'});
    return Arrays.copyOf(answer.array(), answer.position());
  }
}
