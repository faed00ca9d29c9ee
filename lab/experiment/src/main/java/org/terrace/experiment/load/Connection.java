package org.terrace.experiment.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of one user. Reads and writes wait without a limit of their own: the {@link
 * Watchdog} closes a connection whose time is over. Confined to the user's thread, except {@link
 * #close}, which any thread may call and which ends a wait.
 */
final class Connection {
  private final SocketChannel channel;
  private final int number;
  private boolean used;

  private Connection(SocketChannel channel, int number) {
    this.channel = channel;
    this.number = number;
  }

  /**
   * A connection that is not yet connected, so that it can be closed while it is being so.
   *
   * @param number the number that names the connection in results
   */
  static Connection create(int number) throws IOException {
    return new Connection(SocketChannel.open(), number);
  }

  /** Connects from a source address, or from any when it is null. */
  void connect(InetSocketAddress target, @Nullable InetAddress source) throws IOException {
    if (source != null) {
      channel.bind(new InetSocketAddress(source, 0));
    }
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(target);
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
   * Waits for at least one byte.
   *
   * @return how many bytes were read, or -1 when the server ended the connection
   */
  int read(ByteBuffer buffer) throws IOException {
    return channel.read(buffer);
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone whatever the kernel said about it.
    }
  }
}
