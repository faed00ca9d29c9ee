package org.terrace.invocation.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.invocation.Profile;
import org.terrace.invocation.middleware.CallChannel;
import org.terrace.invocation.middleware.CallFailedException;
import org.terrace.invocation.middleware.CallReply;
import org.terrace.invocation.middleware.CallRequest;

/** A client's connections to one replica: each is one caller's for the time of its call. */
final class TerraceChannel implements CallChannel {
  private static final int NANOS_PER_MILLI = 1_000_000;

  /** A connection of its own encoder and number of calls. */
  private static final class Line implements AutoCloseable {
    final FramedSocket frames;
    final Encoder out = new Encoder();
    long calls;

    Line(FramedSocket frames) {
      this.frames = frames;
    }

    @Override
    public void close() {
      frames.close();
    }
  }

  private final Profile profile;
  private final TransportOptions options;
  private final TransportCounters counters;
  private final TimeSource time = TimeSource.system();
  private final ConcurrentLinkedDeque<Line> idle = new ConcurrentLinkedDeque<>();
  private final AtomicReference<@Nullable Runnable> closedHandler = new AtomicReference<>();
  private volatile boolean open = true;

  private TerraceChannel(Profile profile, TransportOptions options, TransportCounters counters) {
    this.profile = profile;
    this.options = options;
    this.counters = counters;
  }

  static TerraceChannel open(
      Profile profile, Duration timeout, TransportOptions options, TransportCounters counters)
      throws IOException {
    TerraceChannel channel = new TerraceChannel(profile, options, counters);
    channel.idle.addFirst(channel.connect(timeout.toNanos()));
    return channel;
  }

  @Override
  public CallReply call(CallRequest request, Duration timeout) throws CallFailedException {
    long end = time.elapsedNanos() + timeout.toNanos();
    Line line = idle.pollFirst();
    if (line == null) {
      line = connectForCall(timeout.toNanos());
    }
    boolean written = false;
    try {
      long number = ++line.calls;
      Frames.putCall(line.out, number, request);
      line.frames.write(line.out);
      written = true;
      CallReply reply =
          request.replyWanted()
              ? await(line, number, end)
              : new CallReply(CallReply.Status.RESULT, new byte[0]);
      idle.addFirst(line);
      return reply;
    } catch (SocketTimeoutException e) {
      line.close();
      throw new CallFailedException(written, true, "no reply in time from " + profile, e);
    } catch (FrameTooLargeException e) {
      line.close();
      throw new CallFailedException(written, false, String.valueOf(e.getMessage()), e);
    } catch (IOException | MalformedDataException e) {
      line.close();
      close();
      throw new CallFailedException(
          written, false, "the connection to " + profile + " ended: " + e.getMessage(), e);
    }
  }

  private CallReply await(Line line, long number, long end) throws IOException {
    long left = end - time.elapsedNanos();
    line.frames.socket().setSoTimeout(Math.clamp(left / NANOS_PER_MILLI, 1, 1 << 30));
    Decoder in = new Decoder(line.frames.read());
    Frames.expect(in, Frames.REPLY);
    Frames.NumberedReply reply = Frames.getReply(in);
    if (reply.number() != number) {
      throw new MalformedDataException("expected reply " + number + ", got " + reply.number());
    }
    return reply.reply();
  }

  private Line connectForCall(long timeoutNanos) throws CallFailedException {
    try {
      return connect(timeoutNanos);
    } catch (IOException e) {
      close();
      throw new CallFailedException(
          false,
          e instanceof SocketTimeoutException,
          "no connection to " + profile + ": " + e.getMessage(),
          e);
    }
  }

  private Line connect(long timeoutNanos) throws IOException {
    int timeoutMillis = Math.clamp(timeoutNanos / NANOS_PER_MILLI, 1, 1 << 30);
    Socket socket =
        options.tls().isPresent()
            ? options.tls().get().getSocketFactory().createSocket()
            : new Socket();
    try {
      socket.connect(new InetSocketAddress(profile.host(), profile.port()), timeoutMillis);
      socket.setSoTimeout(timeoutMillis);
      Line line = new Line(new FramedSocket(socket, options.frameBytesMax()));
      Frames.putHello(line.out, options.secret());
      line.frames.write(line.out);
      Decoder answer = new Decoder(line.frames.read());
      int kind = answer.getByte();
      if (kind == Frames.REFUSAL) {
        throw new IOException(profile + " refused the connection: " + answer.getString());
      } else if (kind != Frames.WELCOME) {
        throw new IOException(profile + " does not speak this protocol");
      }
      counters.connections.increment();
      return line;
    } catch (IOException | MalformedDataException e) {
      socket.close();
      throw e instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  @Override
  public boolean isOpen() {
    return open;
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

  @Override
  public void close() {
    open = false;
    for (Line line = idle.pollFirst(); line != null; line = idle.pollFirst()) {
      line.close();
    }
    runClosedHandler();
  }
}
