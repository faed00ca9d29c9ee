package org.terrace.experiment.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of one user. Confined to that user's thread, except {@link #close}, which any
 * thread may call to end a wait.
 */
final class Connection {
  private final SocketChannel channel;
  private final InputStream in;
  private final int number;
  private boolean used;

  private Connection(SocketChannel channel, int number) throws IOException {
    this.channel = channel;
    this.in = channel.socket().getInputStream();
    this.number = number;
  }

  /**
   * Connects from a source address, or from any when it is null.
   *
   * @param number the number that names the connection in results
   */
  static Connection open(
      InetSocketAddress target, @Nullable InetAddress source, Duration limit, int number)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      if (source != null) {
        channel.bind(new InetSocketAddress(source, 0));
      }
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(target, (int) Math.min(limit.toMillis(), Integer.MAX_VALUE));
      return new Connection(channel, number);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  int number() {
    return number;
  }

  /** Whether the connection has answered before, so that its server may have closed it since. */
  boolean used() {
    return used;
  }

  void markUsed() {
    used = true;
  }

  /**
   * Whether the server has closed the connection, or sent something unasked, since the last answer.
   * Asks the kernel without waiting, so that a request is not sent into a connection known to be
   * dead: such a request would fail without having reached the service.
   */
  boolean stale() {
    try {
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read != 0;
    } catch (IOException e) {
      return true;
    }
  }

  void send(byte[] request) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(request);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /**
   * Reads at least one byte, waiting no longer than the given time.
   *
   * @return how many bytes were read, or -1 when the server ended the connection
   * @throws SocketTimeoutException if none came in time
   */
  int read(byte[] bytes, int offset, int length, long limitNanos) throws IOException {
    long millis = limitNanos / 1_000_000;
    if (millis < 1) {
      throw new SocketTimeoutException("no time left for the response");
    }
    channel.socket().setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
    return in.read(bytes, offset, length);
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone whatever the kernel said about it.
    }
  }
}
