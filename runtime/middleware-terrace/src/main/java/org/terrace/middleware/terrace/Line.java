package org.terrace.middleware.terrace;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/** One connection of a client to a replica, of one caller at a time. */
final class Line implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final FramedSocket frames;
  private final Encoder out = new Encoder();
  private long id;
  private long calls;

  private Line(FramedSocket frames) {
    this.frames = frames;
  }

  /**
   * Connects and says hello.
   *
   * @param control whether it is to carry pings and cancellations instead of calls
   */
  static Line connect(
      Endpoint endpoint, boolean control, long timeoutNanos, TransportOptions options)
      throws IOException {
    Socket socket =
        options.tls().isPresent()
            ? options.tls().get().getSocketFactory().createSocket()
            : new Socket();
    try {
      int timeoutMillis = millis(timeoutNanos);
      InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
      String exposure = address.isUnresolved() ? "" : options.exposure(address.getAddress());
      if (!exposure.isEmpty()) {
        throw new IOException("cannot connect to " + endpoint + ": " + exposure);
      }
      socket.connect(address, timeoutMillis);
      socket.setSoTimeout(timeoutMillis);
      if (socket instanceof SSLSocket secure) {
        identify(secure);
      }
      Line line = new Line(new FramedSocket(socket, options.frameBytesMax()));
      Frames.putHello(line.out, control, options.secret());
      line.frames.write(line.out);
      line.welcome(endpoint);
      socket.setSoTimeout(0);
      return line;
    } catch (IOException e) {
      socket.close();
      throw e;
    } catch (MalformedDataException e) {
      socket.close();
      throw new IOException(endpoint + " does not speak this protocol: " + e.getMessage(), e);
    }
  }

  /**
   * Makes the other end show a certificate of the host that the endpoint names, before a secret.
   */
  private static void identify(SSLSocket socket) throws IOException {
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
  }

  private void welcome(Endpoint endpoint) throws IOException {
    Decoder answer = new Decoder(frames.read());
    int kind = answer.getByte();
    if (kind == Frames.REFUSAL) {
      throw new IOException(endpoint + " refused the connection: " + answer.getString());
    } else if (kind == Frames.NO_PLACE) {
      throw new NoPlaceException(endpoint + " has no place: " + answer.getString());
    } else if (kind != Frames.WELCOME) {
      throw new MalformedDataException("expected a welcome, got a frame of kind " + kind);
    }
    id = answer.getUnsigned();
  }

  private static int millis(long nanos) {
    return Math.clamp((nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI, 1, Integer.MAX_VALUE);
  }

  /** The number the server knows the connection by. */
  long id() {
    return id;
  }

  /** Sends a call and gives its number. */
  long send(CallRequest request) throws IOException {
    long number = ++calls;
    Frames.putCall(out, number, request);
    frames.write(out);
    return number;
  }

  /** The reply to a call; a timeout loses nothing of it. */
  CallReply read(long number, long timeoutNanos) throws IOException {
    frames.socket().setSoTimeout(timeoutNanos == 0 ? 0 : millis(timeoutNanos));
    Decoder in = new Decoder(frames.read());
    Frames.expect(in, Frames.REPLY);
    Frames.NumberedReply reply = Frames.getReply(in);
    if (reply.number() != number) {
      throw new MalformedDataException("expected reply " + number + ", got " + reply.number());
    }
    return reply.reply();
  }

  void ping(long number) throws IOException {
    Frames.putNumber(out, Frames.PING, number);
    frames.write(out);
  }

  void cancel(long connection, long number) throws IOException {
    Frames.putCancel(out, connection, number);
    frames.write(out);
  }

  /** Sends a ping and waits for its pong. */
  void check(long timeoutNanos) throws IOException {
    frames.socket().setSoTimeout(millis(timeoutNanos));
    ping(1);
    try {
      readPong();
    } catch (MalformedDataException e) {
      throw new IOException("no pong, but " + e.getMessage(), e);
    }
  }

  /** The number of the next pong. */
  long readPong() throws IOException {
    Decoder in = new Decoder(frames.read());
    Frames.expect(in, Frames.PONG);
    return in.getUnsigned();
  }

  @Override
  public void close() {
    frames.close();
  }
}
