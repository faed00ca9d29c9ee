package org.terrace.middleware.terrace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.Endpoint;

/**
 * The connection beside those of calls: its end tells that the replica is gone while none of them
 * is read, and it carries pings and cancellations. Thread-safe.
 */
final class ControlLine implements AutoCloseable {
  private final Endpoint endpoint;
  private final TransportOptions options;
  private final Runnable onEnd;
  private final Map<Long, CompletableFuture<Void>> pings = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> connected = new CompletableFuture<>();

  @GuardedBy("this")
  private @Nullable Line line;

  @GuardedBy("this")
  private long pingsSent;

  @GuardedBy("this")
  private boolean closed;

  ControlLine(Endpoint endpoint, TransportOptions options, Runnable onEnd) {
    this.endpoint = endpoint;
    this.options = options;
    this.onEnd = onEnd;
  }

  /** Connects and listens on a thread of its own. */
  void start(long timeoutNanos) {
    Thread.ofVirtual().name("terrace-control").start(() -> run(timeoutNanos));
  }

  private void run(long timeoutNanos) {
    try (Line mine = Line.connect(endpoint, true, timeoutNanos, options)) {
      if (adopt(mine)) {
        connected.complete(null);
        while (true) {
          CompletableFuture<Void> waiting = pings.remove(mine.readPong());
          if (waiting != null) {
            waiting.complete(null);
          }
        }
      }
    } catch (IOException | MalformedDataException e) {
      connected.completeExceptionally(e);
    } finally {
      pings.values().forEach(ping -> ping.completeExceptionally(new IOException("it ended")));
      if (!connected.isCompletedExceptionally()) {
        onEnd.run();
      }
    }
  }

  private synchronized boolean adopt(Line mine) {
    line = mine;
    return !closed;
  }

  void check(Duration timeout) throws CallFailedException {
    try {
      connected.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      CompletableFuture<Void> pong = new CompletableFuture<>();
      long number = ping(pong);
      try {
        pong.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } finally {
        pings.remove(number);
      }
    } catch (TimeoutException e) {
      throw new CallFailedException(false, true, endpoint + " does not answer a ping", e);
    } catch (ExecutionException | IOException e) {
      throw new CallFailedException(false, false, endpoint + " is gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallFailedException(false, true, "the check was interrupted", e);
    }
  }

  private synchronized long ping(CompletableFuture<Void> pong) throws IOException {
    if (line == null) {
      throw new IOException("it is not connected");
    }
    long number = ++pingsSent;
    pings.put(number, pong);
    line.ping(number);
    return number;
  }

  /** Asks the replica to interrupt a call; whether that comes in time is not known. */
  synchronized void cancel(long connection, long number) {
    if (line != null) {
      try {
        line.cancel(connection, number);
      } catch (IOException replicaGone) {
        // The call ends with the replica, and the reader of this line sees that too.
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (line != null) {
      line.close();
    }
  }
}
