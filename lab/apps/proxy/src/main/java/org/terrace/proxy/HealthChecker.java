package org.terrace.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;

/**
 * Asks every backend for {@code /health} again and again. A backend is ejected when a request to it
 * failed, or when {@value #FAILURES_TO_EJECT} checks in a row did; it is admitted again by the
 * first check that succeeds. A failed request is followed by a check at once, so that a healthy
 * backend whose connection merely broke is back within a millisecond or so.
 *
 * <p>Prints {@code backend NAME down EPOCHNANOS REASON} and {@code backend NAME up EPOCHNANOS}. One
 * thread checks; {@link #requestFailed} may be called by any.
 */
final class HealthChecker implements Runnable {
  static final int FAILURES_TO_EJECT = 2;

  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final int MAXIMUM_WAITING = 64;

  private final List<Backend> backends;
  private final InetAddress source;
  private final TimeSource time;
  private final Map<Backend, Integer> failures = new HashMap<>();
  private final BlockingQueue<Backend> suspects = new ArrayBlockingQueue<>(MAXIMUM_WAITING);

  HealthChecker(List<Backend> backends, InetAddress source, TimeSource time) {
    this.backends = backends;
    this.source = source;
    this.time = time;
  }

  /** Ejects a backend to which a request has failed, and has it checked at once. */
  void requestFailed(Backend backend) {
    if (backend.setHealthy(false)) {
      report(backend, "down", " request failed");
    }
    // A full queue holds checks that are about to happen anyway.
    boolean queued = suspects.offer(backend);
    assert queued || suspects.remainingCapacity() == 0;
  }

  @Override
  public void run() {
    long next = time.elapsedNanos();
    try {
      while (true) {
        long waitNanos = Math.max(0, next - time.elapsedNanos());
        Backend suspect = suspects.poll(waitNanos, TimeUnit.NANOSECONDS);
        if (suspect != null) {
          check(suspect);
        } else {
          backends.forEach(this::check);
          next = time.elapsedNanos() + INTERVAL.toNanos();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void check(Backend backend) {
    long before = backend.responses();
    if (answers(backend.address()) || backend.responses() > before) {
      failures.remove(backend);
      if (backend.setHealthy(true)) {
        report(backend, "up", "");
      }
    } else if (failures.merge(backend, 1, Integer::sum) >= FAILURES_TO_EJECT
        && backend.setHealthy(false)) {
      report(backend, "down", " health check failed");
    }
  }

  private boolean answers(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout((int) TIMEOUT.toMillis());
      socket.bind(new InetSocketAddress(source, 0));
      socket.connect(address, (int) TIMEOUT.toMillis());
      String request =
          "GET /health HTTP/1.1\r\nHost: "
              + address.getHostString()
              + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String status = lines.readLine();
      return status != null && status.startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }

  private void report(Backend backend, String state, String reason) {
    System.out.println(
        "backend " + backend.name() + " " + state + " " + time.epochNanos() + reason);
  }
}
