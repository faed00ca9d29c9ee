package org.terrace.middleware.terrace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.CallReply;

/** One connection at the server, with the thread that reads it and runs its calls. */
final class ServedConnection implements AutoCloseable {
  private static final int HELLO_TIMEOUT_MILLIS = 5_000;
  private static final int HELLO_BYTES_MAX = 4_096;

  private final long id;
  private final Socket socket;
  private final CallHandler handler;
  private final TransportOptions options;
  private final TransportCounters counters;
  private final Map<Long, ServedConnection> siblings;
  private final Places places;
  private final Encoder out = new Encoder();

  @GuardedBy("this")
  private long running;

  @GuardedBy("this")
  private @Nullable Thread runner;

  ServedConnection(
      long id,
      Socket socket,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters,
      Map<Long, ServedConnection> siblings,
      Places places) {
    this.id = id;
    this.socket = socket;
    this.handler = handler;
    this.options = options;
    this.counters = counters;
    this.siblings = siblings;
    this.places = places;
  }

  /** Serves the connection to its end, on a thread of its own. */
  void serve() {
    try (FramedSocket frames = new FramedSocket(socket, options.frameBytesMax())) {
      Frames.Hello hello = readHello(frames);
      String refusal = refusal(hello);
      if (!refusal.isEmpty()) {
        counters.connectionsRefused.increment();
        Frames.putText(out, Frames.REFUSAL, refusal);
        frames.write(out);
        return;
      }
      welcome(frames, hello);
    } catch (FrameTooLargeException e) {
      counters.framesTooLarge.increment();
    } catch (MalformedDataException e) {
      counters.framesMalformed.increment();
    } catch (IOException clientGone) {
      // There is nobody to answer, and a new connection starts afresh.
    } finally {
      siblings.remove(id);
    }
  }

  /** Serves a connection of somebody known, if there is a place. */
  private void welcome(FramedSocket frames, Frames.Hello hello) throws IOException {
    Semaphore place = places.of(hello);
    if (!place.tryAcquire()) {
      counters.connectionsRefused.increment();
      Frames.putText(
          out, Frames.NO_PLACE, options.connectionsMax() + " connections are there already");
      frames.write(out);
      return;
    }
    try {
      counters.connections.increment();
      Frames.putNumber(out, Frames.WELCOME, id);
      frames.write(out);
      while (true) {
        serve(frames, hello.control());
      }
    } finally {
      place.release();
    }
  }

  /**
   * The first frame, which must come soon. Not by a timeout of the socket: one that has ever had it
   * is polled before each read, which costs every later call two more turns into the kernel.
   */
  private Frames.Hello readHello(FramedSocket frames) throws IOException {
    CompletableFuture<Void> tooLate =
        CompletableFuture.runAsync(
            this::close,
            CompletableFuture.delayedExecutor(HELLO_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
    try {
      return Frames.getHello(new Decoder(frames.read(HELLO_BYTES_MAX)));
    } finally {
      tooLate.cancel(false);
    }
  }

  private String refusal(Frames.Hello hello) {
    if (hello.version() != Frames.VERSION) {
      return "version " + hello.version() + " is not spoken here, but " + Frames.VERSION;
    }
    return options.accepts(hello.secret()) ? "" : "the secret is another";
  }

  private void serve(FramedSocket frames, boolean control) throws IOException {
    Decoder in = new Decoder(frames.read());
    int kind = in.getByte();
    if (kind == Frames.CALL && !control) {
      Frames.NumberedCall call = Frames.getCall(in);
      CallReply reply = run(call);
      if (call.request().replyWanted()) {
        Frames.putReply(out, call.number(), reply);
        write(frames, call, reply);
      }
    } else if (kind == Frames.PING && control) {
      Frames.putNumber(out, Frames.PONG, in.getUnsigned());
      frames.write(out);
    } else if (kind == Frames.CANCEL && control) {
      ServedConnection other = siblings.get(in.getUnsigned());
      if (other != null) {
        other.cancel(in.getUnsigned());
      }
    } else {
      throw new MalformedDataException("a frame of kind " + kind + " does not belong here");
    }
  }

  private void write(FramedSocket frames, Frames.NumberedCall call, CallReply reply)
      throws IOException {
    try {
      frames.write(out);
    } catch (FrameTooLargeException e) {
      counters.framesTooLarge.increment();
      String reason = "the reply of " + reply.body().length + " bytes is too large to be sent";
      Frames.putReply(
          out,
          call.number(),
          new CallReply(CallReply.Status.FAILED, reason.getBytes(StandardCharsets.UTF_8)));
      frames.write(out);
    }
  }

  private CallReply run(Frames.NumberedCall call) {
    synchronized (this) {
      running = call.number();
      runner = Thread.currentThread();
    }
    try {
      return handler.handle(call.request());
    } finally {
      synchronized (this) {
        running = 0;
        runner = null;
        Thread.interrupted();
      }
    }
  }

  private synchronized void cancel(long number) {
    if (runner != null && running == number) {
      counters.cancellations.increment();
      runner.interrupt();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // A socket that fails to close is closed.
    }
  }
}
