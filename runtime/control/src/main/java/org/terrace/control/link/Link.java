package org.terrace.control.link;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;

/**
 * A TCP connection that carries frames: four bytes of length, most significant first, then that
 * many bytes; encrypted, if the two ends share a secret.
 *
 * <p>Sending queues and never blocks, so that a peer that stands still holds nobody up; a peer that
 * takes nothing for {@value #QUEUE_FRAMES} frames loses the connection. Thread-safe, but for one
 * receiver at a time.
 */
public final class Link implements AutoCloseable {
  /** Longest frame; a longer one ends the connection. */
  public static final int FRAME_BYTES_MAX = 1 << 20;

  private static final int QUEUE_FRAMES = 1_024;

  /** The time in which the other end must show the secret, or is let go. */
  private static final int AGREEMENT_MILLIS = 5_000;

  /** A host that is gone is noticed after about eight seconds, or after hours where unsupported. */
  static final int KEEP_ALIVE_IDLE_SECONDS = 5;

  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 1;
  private static final int KEEP_ALIVE_PROBES = 3;
  private static final byte[] END = new byte[0];

  private final Socket socket;
  private final DataInputStream in;
  private final @Nullable LinkCipher cipher;
  private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(QUEUE_FRAMES);
  private final AtomicBoolean closed = new AtomicBoolean();

  private Link(Socket socket, ControlSecret secret, boolean connecting) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    keepAlive(socket);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    if (secret.isSet()) {
      socket.setSoTimeout(AGREEMENT_MILLIS);
      this.cipher = LinkCipher.agree(secret, connecting, in, socket.getOutputStream());
      socket.setSoTimeout(0);
    } else {
      this.cipher = null;
    }
    Thread.ofVirtual().name("link-to-" + socket.getRemoteSocketAddress()).start(this::write);
  }

  /** Lets the system find out that the other host is gone, though nobody sends anything. */
  private static void keepAlive(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    Map<SocketOption<Integer>, Integer> wanted =
        Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS,
            ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
    for (Map.Entry<SocketOption<Integer>, Integer> option : wanted.entrySet()) {
      if (socket.supportedOptions().contains(option.getKey())) {
        socket.setOption(option.getKey(), option.getValue());
      }
    }
  }

  /**
   * A link over a socket that was accepted, which belongs to the link from now on.
   *
   * @throws java.net.ProtocolException if there is a secret and the other end does not have it
   * @throws IOException if the connection ends, or the other end says nothing in time
   */
  public static Link accept(Socket socket, ControlSecret secret) throws IOException {
    return new Link(socket, secret, false);
  }

  /**
   * Connects.
   *
   * @throws java.net.ProtocolException if one end has a secret that the other does not have
   * @throws IOException if nobody accepts within the timeout
   */
  public static Link connect(InetSocketAddress address, Duration timeout, ControlSecret secret)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(address, Math.toIntExact(timeout.toMillis()));
      return new Link(socket, secret, true);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Sends a frame soon; a closed link drops it. */
  public void send(byte[] body) {
    if (body.length > FRAME_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a frame has at most " + FRAME_BYTES_MAX + " bytes, not " + body.length);
    }
    if (!closed.get() && !outgoing.offer(body)) {
      close();
    }
  }

  /**
   * Waits for the next frame. Its memory grows with what arrives of it: a length that is only
   * announced costs none.
   *
   * @throws IOException at the end of the connection, or after a frame that is too long
   */
  public byte[] receive() throws IOException {
    int length = in.readInt();
    if (length < 0 || length > FRAME_BYTES_MAX + (cipher == null ? 0 : LinkCipher.OVERHEAD_BYTES)) {
      throw new ProtocolException(
          cipher == null && length == LinkCipher.MARK_AS_LENGTH
              ? "the other end, "
                  + socket.getRemoteSocketAddress()
                  + ", has a secret, and this one has none"
              : "a frame of " + length + " bytes from " + socket.getRemoteSocketAddress());
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the connection ended inside a frame of " + length + " bytes");
    }
    return cipher == null ? body : cipher.open(body);
  }

  /**
   * Limits the silence after which {@link #receive} ends the connection.
   *
   * @throws IOException if the connection has ended
   */
  public void endAfterSilenceOf(Duration limit) throws IOException {
    socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
  }

  /** Whether neither side is known to have closed. */
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      outgoing.clear();
      outgoing.offer(END);
      try {
        socket.close();
      } catch (IOException e) {
        // The connection is gone either way.
        outgoing.clear();
        outgoing.offer(END);
      }
    }
  }

  private void write() {
    try {
      for (byte[] body = outgoing.take(); !closed.get(); body = outgoing.take()) {
        byte[] sent = cipher == null ? body : cipher.seal(body);
        socket
            .getOutputStream()
            .write(
                ByteBuffer.allocate(Integer.BYTES + sent.length)
                    .putInt(sent.length)
                    .put(sent)
                    .array());
      }
    } catch (IOException | RuntimeException | Error e) {
      // A link that says nothing any more but is not closed would be taken for a silent end.
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
  }
}
