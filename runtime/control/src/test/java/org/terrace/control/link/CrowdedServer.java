package org.terrace.control.link;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.control.ControlSecret;

/**
 * A server whose process uses up its file descriptors when told to ({@code fill}), says how much
 * processor time its accepting thread takes meanwhile ({@code measure}), and gives them back
 * ({@code free}).
 */
final class CrowdedServer {
  private static final long MEASURED_MILLIS = 1_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<FileInputStream> open = new ArrayList<>();

  private CrowdedServer() {}

  public static void main(String[] arguments) throws Exception {
    new CrowdedServer().run(new InetSocketAddress(arguments[0], 0));
  }

  private void run(InetSocketAddress address) throws IOException, InterruptedException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (LinkServer server =
        LinkServer.open(address, ControlSecret.none(), CrowdedServer::answer)) {
      System.out.println("ready " + server.address().getPort() + " " + accepting());
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        switch (line) {
          case "fill" -> fill();
          case "measure" -> measure();
          case "free" -> free();
          default -> throw new IllegalArgumentException(line);
        }
      }
    }
  }

  private static void answer(Socket socket) throws IOException {
    socket.getOutputStream().write(1);
    socket.getInputStream().read();
  }

  private void fill() {
    try {
      while (true) {
        open.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException full) {
      System.out.println("full");
    }
  }

  private void measure() throws InterruptedException {
    long before = accepting();
    if (new CountDownLatch(1).await(MEASURED_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("nobody counts down");
    }
    System.out.println("nanos " + (accepting() - before));
  }

  private void free() throws IOException {
    for (FileInputStream file : open) {
      file.close();
    }
    open.clear();
  }

  /** The processor time that the accepting thread has taken. */
  private long accepting() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("accept-")) {
        return threads.getThreadCpuTime(thread.threadId());
      }
    }
    throw new IllegalStateException("nobody accepts");
  }
}
