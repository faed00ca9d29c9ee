package org.terrace.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.PacketCapture;
import org.terrace.core.TimeSource;

/**
 * A server, its clients, the capture of both, and two ways to stand still, in a network of its own:
 * first the application holds a lock; later the packets to the server's host are dropped. Prints
 * when each began and ended, in nanoseconds since the epoch.
 */
final class SilentHostProgram {
  static final String SERVER = "127.0.2.1";
  static final int PORT = 8_080;
  private static final String USERS = "127.0.9.1";
  private static final int CLIENTS = 8;
  private static final long DROPPED_MILLIS = 700;
  private static final TimeSource CLOCK = TimeSource.system();

  private volatile boolean over;

  /** Captures into the file that the argument names. */
  public static void main(String[] arguments) throws Exception {
    run("ip", "link", "set", "lo", "up");
    new SilentHostProgram().captured(Path.of(arguments[0]));
    System.exit(0);
  }

  private void captured(Path file) throws Exception {
    CaptureOptions options =
        CaptureOptions.to(file)
            .withNames(Map.of(SERVER, "app1", USERS, "clients"))
            .withFilter(CaptureFilter.networks("127.0.2.0/24", "127.0.9.0/24"));
    try (var _ = PacketCapture.open(options);
        ExecutorService users = Executors.newCachedThreadPool()) {
      WorkingServer.serve(SERVER, PORT, 200_000);
      List<Future<?>> asking = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        asking.add(users.submit(this::ask));
      }
      pass(4_000);
      try (WorkingClient client = new WorkingClient(USERS, SERVER, PORT)) {
        long start = CLOCK.epochNanos();
        client.get("/hold");
        System.out.println("application " + start + " " + CLOCK.epochNanos());
      }
      pass(2_500);
      drop();
      pass(4_000);
      over = true;
      for (Future<?> each : asking) {
        each.get(10, TimeUnit.SECONDS);
      }
    }
  }

  private static void drop() throws Exception {
    run("nft", "add", "table", "ip", "silent");
    run("nft", "add chain ip silent arriving { type filter hook input priority 0 ; }");
    long start = CLOCK.epochNanos();
    run("nft", "add rule ip silent arriving ip daddr " + SERVER + " drop");
    pass(DROPPED_MILLIS);
    run("nft", "delete", "table", "ip", "silent");
    System.out.println("host " + start + " " + CLOCK.epochNanos());
  }

  private Void ask() throws IOException {
    try (WorkingClient client = new WorkingClient(USERS, SERVER, PORT)) {
      while (!over) {
        client.get("/page");
      }
    }
    return null;
  }

  private static void pass(long millis) throws InterruptedException {
    new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
  }

  private static void run(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + output);
    }
  }
}
