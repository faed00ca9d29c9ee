package org.terrace.middleware.terrace;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/**
 * A client's connections to one replica: each carries one call at a time, so that its caller reads
 * the reply itself; a further connection is opened when all are in use. The end of one ends all:
 * the replica is gone.
 */
final class TerraceChannel implements CallChannel {
  /** The time after its deadline for which a reply is still awaited, to keep the connection. */
  static final long GRACE_NANOS = 1_000_000_000L;

  private static final int IDLE_LINES_MAX = 256;

  private final Endpoint endpoint;
  private final TransportOptions options;
  private final TransportCounters counters;
  private final ConcurrentLinkedDeque<Line> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private final ControlLine control;
  private final AtomicReference<@Nullable Runnable> closedHandler = new AtomicReference<>();
  private volatile boolean open = true;

  private TerraceChannel(Endpoint endpoint, TransportOptions options, TransportCounters counters) {
    this.endpoint = endpoint;
    this.options = options;
    this.counters = counters;
    control = new ControlLine(endpoint, options, this::end);
  }

  static TerraceChannel open(
      Endpoint endpoint, Duration timeout, TransportOptions options, TransportCounters counters)
      throws IOException {
    TerraceChannel channel = new TerraceChannel(endpoint, options, counters);
    channel.giveBack(channel.connect(timeout.toNanos()));
    channel.control.start(timeout.toNanos());
    return channel;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public CallReply call(CallRequest request, Duration timeout) throws CallFailedException {
    TerraceCall sent = begin(request, timeout.toNanos());
    CallReply reply = sent.await(timeout.toNanos());
    if (reply == null) {
      sent.detach(Ignored.INSTANCE);
      throw new CallFailedException(true, true, endpoint + " gave no reply in time", null);
    }
    return reply;
  }

  @Override
  public TerraceCall begin(CallRequest request) throws CallFailedException {
    return begin(request, request.remainingNanos());
  }

  private TerraceCall begin(CallRequest request, long timeoutNanos) throws CallFailedException {
    if (!open) {
      throw new CallFailedException(false, false, "the connection to " + endpoint + " ended", null);
    }
    return send(take(timeoutNanos), request);
  }

  @Override
  public @Nullable TerraceCall beginAtOnce(CallRequest request) throws CallFailedException {
    Line line = takeIdle();
    return line == null ? null : send(line, request);
  }

  private TerraceCall send(Line line, CallRequest request) throws CallFailedException {
    try {
      return new TerraceCall(this, line, line.send(request), request);
    } catch (FrameTooLargeException e) {
      giveBack(line);
      throw new CallFailedException(false, false, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      // A frame whose last byte the system did not take is one that the replica never saw whole.
      lost(line);
      throw new CallFailedException(false, false, endpoint + " is gone: " + e.getMessage(), e);
    }
  }

  private Line take(long timeoutNanos) throws CallFailedException {
    Line line = takeIdle();
    if (line != null) {
      return line;
    }
    try {
      return connect(timeoutNanos);
    } catch (NoPlaceException e) {
      // The replica is there, and the connections at hand are good.
      throw new CallFailedException(false, false, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      boolean timedOut = e instanceof SocketTimeoutException;
      if (!timedOut) {
        end();
      }
      throw new CallFailedException(
          false, timedOut, "no connection to " + endpoint + ": " + e.getMessage(), e);
    }
  }

  private @Nullable Line takeIdle() {
    Line line = idle.pollFirst();
    if (line != null) {
      idleCount.decrementAndGet();
    }
    return line;
  }

  private Line connect(long timeoutNanos) throws IOException {
    Line line = Line.connect(endpoint, false, timeoutNanos, options);
    counters.connections.increment();
    lines.add(line);
    return line;
  }

  void giveBack(Line line) {
    if (!open || idleCount.get() >= IDLE_LINES_MAX) {
      discard(line);
      return;
    }
    idleCount.incrementAndGet();
    idle.addFirst(line);
    if (!open) {
      closeIdle();
    }
  }

  void discard(Line line) {
    lines.remove(line);
    line.close();
  }

  /** The line broke: the replica is gone. */
  void lost(Line line) {
    discard(line);
    end();
  }

  void cancel(Line line, long number) {
    control.cancel(line.id(), number);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void check(Duration timeout) throws CallFailedException {
    control.check(timeout);
  }

  @Override
  public void onClosed(Runnable handler) {
    closedHandler.set(handler);
    if (!open) {
      runClosedHandler();
    }
  }

  private void runClosedHandler() {
    Runnable handler = closedHandler.getAndSet(null);
    if (handler != null) {
      handler.run();
    }
  }

  /** Lets calls under way see the end for themselves. */
  private void end() {
    open = false;
    closeIdle();
    control.close();
    runClosedHandler();
  }

  private void closeIdle() {
    for (Line line = idle.pollFirst(); line != null; line = idle.pollFirst()) {
      discard(line);
    }
  }

  @Override
  public void close() {
    end();
    lines.forEach(Line::close);
    lines.clear();
  }
}
