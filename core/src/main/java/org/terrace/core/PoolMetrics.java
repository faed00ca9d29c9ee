package org.terrace.core;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The pools of a server in Prometheus's text format, told at a port of their own, whatever path is
 * asked for, to four callers at a time: whoever asks needs none of the threads that he asks about.
 * The pools are asked ten times a second at most, however many ask for them. A pool may be anything
 * of which a server has a number, such as threads, connections or a lock. A request that is longer
 * than 8 KiB, or takes longer than a second, is not answered. There is no secret: whoever reaches
 * the port is told. Thread-safe.
 */
public final class PoolMetrics implements AutoCloseable {
  /** The callers who are answered at a time. */
  static final int CALLERS = 4;

  private static final int WAITING_CALLERS = 10;
  private static final int LONGEST_REQUEST_MILLIS = 1_000;
  private static final int LONGEST_REQUEST_BYTES = 8_192;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long PAUSE_NANOS = 10 * NANOS_PER_MILLI;

  private final ServerSocket socket;

  private PoolMetrics(ServerSocket socket) {
    this.socket = socket;
  }

  /**
   * The use of a pool at one moment.
   *
   * @param size how many it has
   * @param inUse how many of them are in use; no more than there are, nor fewer than none: what is
   *     counted while a pool changes may be a little off
   */
  public record Usage(int size, int inUse) {
    /** Bounds what is in use. */
    public Usage {
      inUse = Math.clamp(inUse, 0, Math.max(0, size));
    }
  }

  /**
   * A pool.
   *
   * @param usage its use at the moment, both of its numbers at once; must not block; a caller gets
   *     no answer if it throws
   */
  public record Pool(Supplier<Usage> usage) {
    /** A pool that always has as many. */
    public Pool(int size, IntSupplier inUse) {
      this(() -> new Usage(size, inUse.getAsInt()));
    }
  }

  /**
   * Tells of pools, by their names, until it is closed.
   *
   * @throws IOException if it cannot listen there
   */
  public static PoolMetrics serve(InetAddress address, int port, Map<String, Pool> pools)
      throws IOException {
    return serve(address, port, pools, TimeSource.system());
  }

  static PoolMetrics serve(
      InetAddress address, int port, Map<String, Pool> pools, TimeSource ageOfAnswers)
      throws IOException {
    PoolMetrics metrics = new PoolMetrics(new ServerSocket(port, WAITING_CALLERS, address));
    Map<String, Pool> sorted = new TreeMap<>(pools);
    // A pool may need a lock for its numbers, which is none that strangers are to take at will.
    RecentValue<String> text =
        new RecentValue<>(() -> text(sorted), ageOfAnswers, RecentValue.METRICS_NANOS);
    for (int each = 1; each <= CALLERS; each++) {
      Thread.ofPlatform().name("metrics-" + each).daemon().start(() -> metrics.answer(text));
    }
    return metrics;
  }

  /** The port at which it listens. */
  public int port() {
    return socket.getLocalPort();
  }

  private void answer(Supplier<String> text) {
    while (!socket.isClosed()) {
      try (Socket caller = socket.accept()) {
        if (hasAsked(caller)) {
          caller.getOutputStream().write(response(text.get()));
        }
      } catch (IOException | RuntimeException | Error e) {
        // The caller has gone, a pool has no number, or the port is closed, which the loop sees.
        // Where connections cannot be taken for lack of descriptors, the next attempt waits.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Whether a caller has sent a whole request, within the bounds of time and length. */
  private static boolean hasAsked(Socket caller) throws IOException {
    long beginNanos = TimeSource.system().elapsedNanos();
    InputStream request = new BufferedInputStream(caller.getInputStream());
    boolean isLineEmpty = true;
    for (int bytes = 0; bytes < LONGEST_REQUEST_BYTES; bytes++) {
      long usedNanos = TimeSource.system().elapsedNanos() - beginNanos;
      int leftMillis = LONGEST_REQUEST_MILLIS - (int) (usedNanos / NANOS_PER_MILLI);
      if (leftMillis <= 0) {
        return false;
      }
      // A bound for each read alone would let a caller stay who sends byte after byte.
      caller.setSoTimeout(leftMillis);
      int next = request.read();
      if (next < 0 || (next == '\n' && isLineEmpty)) {
        return true;
      }
      isLineEmpty = next == '\n' || (next == '\r' && isLineEmpty);
    }
    return false;
  }

  private static byte[] response(String text) {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: "
            + text.length()
            + "\r\nConnection: close\r\n\r\n";
    return (head + text).getBytes(StandardCharsets.US_ASCII);
  }

  static String text(Map<String, Pool> pools) {
    Map<String, Usage> usages = new TreeMap<>();
    pools.forEach((name, pool) -> usages.put(name, pool.usage().get()));
    StringBuilder text = new StringBuilder();
    text.append("# HELP terrace_pool_in_use How many of a pool are in use.\n");
    text.append("# TYPE terrace_pool_in_use gauge\n");
    usages.forEach((name, usage) -> line(text, "in_use", name, usage.inUse()));
    text.append("# HELP terrace_pool_size How many a pool has.\n");
    text.append("# TYPE terrace_pool_size gauge\n");
    usages.forEach((name, usage) -> line(text, "size", name, usage.size()));
    return text.toString();
  }

  private static void line(StringBuilder text, String figure, String pool, int value) {
    text.append("terrace_pool_").append(figure).append("{pool=\"").append(pool).append("\"} ");
    text.append(value).append('\n');
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the descriptor is gone all the same
    }
  }
}
