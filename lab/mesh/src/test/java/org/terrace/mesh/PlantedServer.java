package org.terrace.mesh;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
  private static final int LARGE_BYTES = 1 << 13;
  private static final int HASHED_BYTES = 1 << 20;
  private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long TURN_MILLIS = 2_000;
  private static final int DOOR_BACKLOG = 4;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private PlantedServer() {}

  /** The need of a request. */
  private interface Need {
    void meet() throws IOException;
  }

  /**
   * Serves every path until it is ended.
   *
   * @param arguments {@code processor}, {@code lock}, {@code disk}, {@code network} or {@code
   *     door}: the need of each request, which of the network is a large answer; behind a door
   *     connections are taken one by one, and of those that wait few have room; a disk is to be had
   *     in every other stretch of {@value #TURN_MILLIS} ms, which for servers with even numbers are
   *     those in which the others' are not, and is waited for
   */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> told = System.getenv();
    InetSocketAddress place =
        new InetSocketAddress(
            InetAddress.ofLiteral(told.getOrDefault("TERRACE_ADDRESS", "")),
            Integer.parseInt(told.getOrDefault("TERRACE_PORT", "")));
    if (arguments[0].equals("door")) {
      door(place);
    }
    Need need =
        switch (arguments[0]) {
          case "processor" -> PlantedServer::hash;
          case "lock" -> lock();
          case "network" -> () -> {};
          default -> disk(Integer.parseInt(told.getOrDefault("TERRACE_NUMBER", "")));
        };
    HttpServer server = HttpServer.create(place, 100);
    server.setExecutor(Executors.newFixedThreadPool(32));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            if (exchange.getRequestURI().getPath().equals("/work")) {
              need.meet();
            }
            boolean isLarge = arguments[0].equals("network");
            exchange.sendResponseHeaders(200, isLarge ? LARGE_BYTES : -1);
            if (isLarge) {
              exchange.getResponseBody().write(new byte[LARGE_BYTES]);
            }
          }
        });
    server.start();
    System.out.println("ready");
  }

  /** Serves one connection after the other, each for one request. */
  private static void door(InetSocketAddress place) throws IOException {
    try (ServerSocket server =
        new ServerSocket(place.getPort(), DOOR_BACKLOG, place.getAddress())) {
      System.out.println("ready");
      while (!server.isClosed()) {
        try (Socket client = server.accept()) {
          client.setSoTimeout(1_000);
          BufferedReader request =
              new BufferedReader(
                  new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
          String first = request.readLine();
          for (String line = first; line != null && !line.isEmpty(); line = request.readLine()) {}
          if (first != null && first.contains("/work")) {
            LockSupport.parkNanos(HELD_NANOS);
          }
          client.getOutputStream().write(ANSWER);
        } catch (IOException e) {
          System.err.println("a client has gone: " + e.getMessage());
        }
      }
    }
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
