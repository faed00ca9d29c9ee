package org.terrace.nodes.fault;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Endpoints.Endpoint;

/** Two servers in a network namespace of their own, one of which answers late. */
final class DelayProbe {
  private static final String STRUCK = "127.18.1.1";
  private static final String OTHER = "127.18.2.1";

  /** A server of another network, whose address ends like that of the struck one. */
  private static final String ALIKE = "127.19.1.1";

  private static final String CLIENT = "127.18.9.1";

  /** Holds each packet of 1,000 bytes for 8 ms where a kernel has no queue that only delays. */
  private static final String SLOW = "tbf rate 1mbit burst 1600 latency 4s";

  private static final int DATAGRAMS = 10;
  private static final int BYTES = 1_000;
  private static final int ROUNDS = 3;
  private static final int CROWD = 5;
  private static final int TURNS = 4;

  private DelayProbe() {}

  private static Endpoint endpoint(String server, String address) {
    return new Endpoint(server, address, 8080);
  }

  private static PacketDelay slow(Endpoint endpoint, String shell) {
    return new PacketDelay(endpoint, endpoint.address(), SLOW, Duration.ofMillis(500), shell);
  }

  /** The argument says what is done. */
  public static void main(String[] arguments) throws Exception {
    Endpoint struck = endpoint("app1", STRUCK);
    switch (arguments[0]) {
      case "try" -> {
        try {
          PacketDelay.tryOut(struck);
          System.out.println("permitted");
        } catch (TerraceException e) {
          System.out.println(e.getMessage());
        }
      }
      case "netem" -> measure(PacketDelay.of(struck, Duration.ofMillis(60), Duration.ofMillis(5)));
      case "slow" -> measure(slow(struck, ""));
      case "ssh" -> ssh();
      case "two" -> two(OTHER);
      case "alike" -> two(ALIKE);
      case "crowd" -> crowd();
      case "refused" -> refused();
      case "end" -> end(slow(struck, ""), false);
      case "killed" -> end(slow(struck, ""), true);
      case "hold" -> {
        slow(struck, "").begin();
        System.out.println("held");
        new CountDownLatch(1).await();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void measure(PacketDelay delay) throws IOException {
    System.out.println("before " + leastMillis(STRUCK));
    delay.begin();
    System.out.println("during " + leastMillis(STRUCK));
    System.out.println("other " + leastMillis(OTHER));
    System.out.println("packets " + delay.end().get("delayedPackets"));
    System.out.println("after " + leastMillis(STRUCK));
  }

  /** Two delays of one device, of which the first ends first. */
  private static void two(String address) throws IOException {
    PacketDelay one = slow(endpoint("app1", STRUCK), "");
    PacketDelay other = slow(endpoint("app2", address), "");
    one.begin();
    other.begin();
    var _ = one.end();
    System.out.println("healed " + leastMillis(STRUCK));
    System.out.println("held " + leastMillis(address));
    var _ = other.end();
    System.out.println("after " + leastMillis(address));
  }

  /** Delays of one device, by a process each, that begin and end in the same moments. */
  private static void crowd() throws InterruptedException {
    AtomicInteger failed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int number = 1; number <= CROWD; number++) {
      Endpoint endpoint = endpoint("app" + number, "127.18.3." + number);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int turn = 0; turn < TURNS; turn++) {
                  try {
                    PacketDelay delay =
                        new PacketDelay(
                            endpoint, endpoint.address(), SLOW, Duration.ofMillis(1), "");
                    delay.begin();
                    var _ = delay.end();
                  } catch (TerraceException e) {
                    System.err.println(e.getMessage());
                    failed.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("failed " + failed);
  }

  /** A delay whose queue the kernel does not have, beside one of the same address. */
  private static void refused() throws IOException {
    Endpoint struck = endpoint("app1", STRUCK);
    PacketDelay one = slow(struck, "");
    one.begin();
    try {
      new PacketDelay(struck, STRUCK, "no-such-queue", Duration.ofMillis(1), "").begin();
      System.out.println("refused 0");
    } catch (TerraceException e) {
      System.out.println("refused 1");
    }
    System.out.println("held " + leastMillis(STRUCK));
    var _ = one.end();
  }

  /** The end of a delay, before which the process that heals may be killed. */
  private static void end(PacketDelay delay, boolean isKilled) {
    delay.begin();
    if (isKilled) {
      ProcessHandle.current()
          .children()
          .forEach(child -> {
            child.destroyForcibly();
            child.onExit().join();
          });
    }
    try {
      var _ = delay.end();
      System.out.println("healed");
    } catch (TerraceException e) {
      System.out.println(e.getMessage());
    }
  }

  /** Packets of a connection from the port of ssh, and of one from another port. */
  private static void ssh() throws IOException {
    try (ServerSocket shell = new ServerSocket(0, 5, InetAddress.ofLiteral(STRUCK));
        ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral(STRUCK))) {
      PacketDelay delay =
          slow(
              endpoint("app1", STRUCK),
              "127.0.0.1 50000 %s %d".formatted(STRUCK, shell.getLocalPort()));
      delay.begin();
      exchange(shell);
      System.out.println("shell " + delay.end().get("delayedPackets"));
      delay.begin();
      exchange(server);
      System.out.println("server " + delay.end().get("delayedPackets"));
    }
  }

  private static void exchange(ServerSocket server) throws IOException {
    try (Socket client = new Socket()) {
      client.bind(new InetSocketAddress(CLIENT, 0));
      client.connect(server.getLocalSocketAddress());
      try (Socket accepted = server.accept()) {
        for (int turn = 0; turn < DATAGRAMS; turn++) {
          accepted.getOutputStream().write(turn);
          if (client.getInputStream().read() != turn) {
            throw new IOException("another byte");
          }
        }
      }
    }
  }

  /** The time until ten datagrams that a server sends at once have all come; the least of three. */
  private static long leastMillis(String address) throws IOException {
    TimeSource time = TimeSource.system();
    long least = Long.MAX_VALUE;
    try (DatagramSocket server = new DatagramSocket(new InetSocketAddress(address, 0));
        DatagramSocket client = new DatagramSocket(new InetSocketAddress(CLIENT, 0))) {
      client.setSoTimeout(10_000);
      SocketAddress place = client.getLocalSocketAddress();
      for (int round = 0; round < ROUNDS; round++) {
        long start = time.elapsedNanos();
        for (int datagram = 0; datagram < DATAGRAMS; datagram++) {
          server.send(new DatagramPacket(new byte[BYTES], BYTES, place));
        }
        for (int datagram = 0; datagram < DATAGRAMS; datagram++) {
          client.receive(new DatagramPacket(new byte[BYTES], BYTES));
        }
        least = Math.min(least, time.elapsedNanos() - start);
      }
    }
    return least / 1_000_000;
  }
}
