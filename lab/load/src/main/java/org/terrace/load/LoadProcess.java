package org.terrace.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The process of the emulated users: {@code LoadProcess PLAN.json}, with a plan that {@link
 * LoadPlan#write} wrote.
 *
 * <p>On standard output it prints, as they happen, {@code phase NAME START END} when a phase begins
 * (nanoseconds since the Unix epoch; the end is the planned one, the real one is in the result),
 * and each second {@code progress JSON} (see {@link LoadProgress#toJson}). Messages go to standard
 * error. It ends by itself after the ramp-down with the result in the plan's output directory, and
 * exit code 0 even when a check failed: that is the reader's to judge. On SIGTERM, and when its
 * standard input ends (whoever started it is gone), it stops the load, writes the result of what
 * there was and ends; a result that cannot be written in {@value #STOP_LIMIT_SECONDS} seconds is
 * given up.
 */
public final class LoadProcess {
  /** The longest time between the request to stop and the end of the process. */
  public static final int STOP_LIMIT_SECONDS = 10;

  private static final int BAD_INPUT = 2;

  private LoadProcess() {}

  /**
   * The options that the process's JVM should have: a small fixed heap and few threads, so that it
   * takes little from the servers on the same machine, and plain IPv4 sockets.
   */
  public static List<String> jvmOptions(LoadPlan plan) {
    int users = plan.model().users();
    int heapMegabytes = 48 + users / 100;
    return List.of(
        "-Xms" + heapMegabytes + "m",
        "-Xmx" + heapMegabytes + "m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djdk.trackAllThreads=false",
        "-XX:ReservedCodeCacheSize=32m",
        "-XX:+DisableAttachMechanism",
        "-Djava.net.preferIPv4Stack=true");
  }

  /** Runs the plan in the file that is the only argument. */
  public static void main(String[] arguments) {
    if (arguments.length != 1) {
      System.err.println("usage: LoadProcess PLAN.json");
      System.exit(BAD_INPUT);
    }
    try {
      run(LoadPlan.read(Path.of(arguments[0])), System.in, System.out);
    } catch (TerraceException e) {
      System.err.println("load: " + e.getMessage());
      System.exit(e.code().exitCode());
    }
    System.exit(0);
  }

  private static void run(LoadPlan plan, InputStream in, PrintStream out) {
    LoadEngine engine = new LoadEngine(plan, TimeSource.system(), new Lines(out));
    CountDownLatch done = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              engine.stop();
              awaitEnd(done);
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    Thread.ofPlatform().daemon().name("runner-watch").start(() -> stopWithRunner(in, engine, done));
    try {
      engine.run();
    } finally {
      done.countDown();
    }
  }

  /** Reads standard input to its end, which comes when the process that started this one ends. */
  private static void stopWithRunner(InputStream in, LoadEngine engine, CountDownLatch done) {
    try {
      byte[] ignored = new byte[256];
      while (in.read(ignored) >= 0) {
        // Nothing is expected; what comes is not for us.
      }
    } catch (IOException e) {
      System.err.println("load: standard input failed, stopping: " + e);
    }
    engine.stop();
    if (!awaitEnd(done)) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static boolean awaitEnd(CountDownLatch done) {
    try {
      return done.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Prints what happens as lines. */
  private record Lines(PrintStream out) implements LoadListener {
    @Override
    public void phase(String phase, long startNanos, long endNanos) {
      out.println("phase " + phase + " " + startNanos + " " + endNanos);
      out.flush();
    }

    @Override
    public void progress(LoadProgress progress) {
      out.println("progress " + progress.toJson());
      out.flush();
    }
  }
}
