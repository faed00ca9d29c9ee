package org.terrace.mesh;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.TimeSource;

/** A server whose bottleneck is known, since it is what each of its requests needs. */
final class PlantedServer {
  private static final int WRITE_BYTES = 1 << 15;
  private static final int HASHED_BYTES = 1 << 20;
  private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long TURN_MILLIS = 2_000;

  private PlantedServer() {}

  /** The need of a request. */
  private interface Need {
    void meet() throws IOException;
  }

  /**
   * Serves every path until it is ended.
   *
   * @param arguments {@code processor}, {@code lock} or {@code disk}: the need of each request; a
   *     disk is to be had in every other stretch of {@value #TURN_MILLIS} ms, which for servers
   *     with even numbers are those in which the others' are not, and is waited for
   */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> told = System.getenv();
    Need need =
        switch (arguments[0]) {
          case "processor" -> PlantedServer::hash;
          case "lock" -> lock();
          default -> disk(Integer.parseInt(told.getOrDefault("TERRACE_NUMBER", "")));
        };
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(
                told.getOrDefault("TERRACE_ADDRESS", ""),
                Integer.parseInt(told.getOrDefault("TERRACE_PORT", ""))),
            100);
    server.setExecutor(Executors.newFixedThreadPool(32));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            if (exchange.getRequestURI().getPath().equals("/work")) {
              need.meet();
            }
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
    System.out.println("ready");
  }

  private static void hash() {
    try {
      MessageDigest.getInstance("SHA-256").digest(new byte[HASHED_BYTES]);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Need lock() {
    ReentrantLock lock = new ReentrantLock();
    return () -> {
      lock.lock();
      try {
        LockSupport.parkNanos(HELD_NANOS);
      } finally {
        lock.unlock();
      }
    };
  }

  private static Need disk(int number) throws IOException {
    Path file = Files.createTempFile(Path.of(""), "planted", ".data");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
    return () -> {
      long now = TimeUnit.NANOSECONDS.toMillis(TimeSource.system().epochNanos());
      if (now / TURN_MILLIS % 2 != number % 2) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TURN_MILLIS - now % TURN_MILLIS));
      }
      channel.write(ByteBuffer.allocate(WRITE_BYTES), 0);
    };
  }
}
