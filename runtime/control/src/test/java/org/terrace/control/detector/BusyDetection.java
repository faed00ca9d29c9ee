package org.terrace.control.detector;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.terrace.control.DetectorOptions;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/**
 * Counts suspicions and declarations of failure of live processes on a machine that is kept busy:
 * two processes beat to a detector with its default options, while one thread for each core burns
 * the given share of it.
 *
 * <pre>{@code java -cp ... org.terrace.control.detector.BusyDetection SECONDS LOAD_PERCENT}
 * </pre>
 */
public final class BusyDetection {
  private static final int REPLICAS = 2;
  private static final long TICK_NANOS = 10_000_000;
  private static final long SLICE_NANOS = 10_000_000;
  private static final TimeSource TIME = TimeSource.system();

  private record Beat(String replica, boolean first) {}

  private BusyDetection() {}

  /** Runs, prints the counts, and fails with status 1 if a live process was declared failed. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("beat")) {
      beat(Integer.parseInt(arguments[1]), arguments[2]);
      return;
    }
    long seconds = Long.parseLong(arguments[0]);
    int percent = Integer.parseInt(arguments[1]);
    List<Process> replicas = new ArrayList<>();
    long failures;
    BlockingQueue<Beat> beats = new ArrayBlockingQueue<>(100_000);
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> accept(server, beats));
      for (int i = 0; i < REPLICAS; i++) {
        replicas.add(start(server.getLocalPort(), "replica" + i));
      }
      for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
        Thread.ofPlatform().daemon().start(() -> burn(percent));
      }
      failures = watch(beats, seconds, percent);
    } finally {
      replicas.forEach(Process::destroyForcibly);
    }
    System.exit(failures == 0 ? 0 : 1);
  }

  private static long watch(BlockingQueue<Beat> beats, long seconds, int percent)
      throws InterruptedException {
    long startNanos = TIME.elapsedNanos();
    FaultDetector detector = new FaultDetector(DetectorOptions.defaults(), TICK_NANOS, startNanos);
    long endNanos = startNanos + TimeUnit.SECONDS.toNanos(seconds);
    long nextTickNanos = startNanos + TICK_NANOS;
    long failures = 0;
    long received = 0;
    double phiMax = 0;
    while (TIME.elapsedNanos() < endNanos) {
      Beat beat = beats.poll(nextTickNanos - TIME.elapsedNanos(), TimeUnit.NANOSECONDS);
      long nowNanos = TIME.elapsedNanos();
      if (beat != null && beat.first()) {
        detector.connected(beat.replica(), nowNanos);
      } else if (beat != null) {
        received++;
        detector.heartbeat(beat.replica(), nowNanos);
      }
      if (nowNanos >= nextTickNanos && beats.isEmpty()) {
        nextTickNanos = nowNanos + TICK_NANOS;
        for (FaultDetector.Change change : detector.tick(nowNanos)) {
          phiMax = Math.max(phiMax, change.phi());
          failures += change.verdict() == Verdict.HUNG ? 1 : 0;
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d s at %d %% CPU: %d beats, %d suspicions (phi at most %.1f), %d declarations of failure%n",
        seconds,
        percent,
        received,
        detector.suspicions(),
        phiMax,
        failures);
    return failures;
  }

  private static Process start(int port, String name) throws IOException {
    return Keeper.ofThisProcess()
        .start(
            new ProcessBuilder(
                    JavaCommand.of(
                        List.of("-XX:+UseSerialGC"),
                        BusyDetection.class,
                        "beat",
                        Integer.toString(port),
                        name))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  private static void beat(int port, String name) throws IOException {
    long periodNanos = DetectorOptions.defaults().heartbeatPeriod().toNanos();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeUTF(name);
      while (true) {
        LockSupport.parkNanos(periodNanos);
        out.writeByte(1);
      }
    }
  }

  private static void accept(ServerSocket server, BlockingQueue<Beat> beats) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> receive(socket, beats));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void receive(Socket socket, BlockingQueue<Beat> beats) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      String name = in.readUTF();
      beats.put(new Beat(name, true));
      while (in.read() >= 0) {
        beats.put(new Beat(name, false));
      }
    } catch (IOException e) {
      System.err.println("a beating process is gone");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void burn(int percent) {
    long busyNanos = SLICE_NANOS * percent / 100;
    while (true) {
      long startNanos = TIME.elapsedNanos();
      while (TIME.elapsedNanos() - startNanos < busyNanos) {
        Thread.onSpinWait();
      }
      LockSupport.parkNanos(SLICE_NANOS - busyNanos);
    }
  }
}
