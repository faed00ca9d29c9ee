package org.terrace.load.page;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of one user. Reads and writes wait without a limit of their own: a watchdog
 * closes a connection whose time is over. Confined to the user's thread, except {@link #close},
 * which any thread may call and which ends a wait.
 */
public final class Connection {
  /** Ports tried for one connection, of which each may still rest from an earlier one. */
  private static final int TRIES = 100;

  private final int number;
  private volatile SocketChannel channel;
  private volatile boolean closed;
  private boolean used;
  private @Nullable SourcePorts ports;
  private int port;

  private Connection(SocketChannel channel, int number) {
    this.channel = channel;
    this.number = number;
  }

  /**
   * A connection that is not yet connected, so that it can be closed while it is being so.
   *
   * @param number the number that names the connection in results
   */
  public static Connection create(int number) throws IOException {
    return new Connection(SocketChannel.open(), number);
  }

  /**
   * Connects from one of the given ports, or from any when they are null.
   *
   * <p>A port that rests after an earlier connection (TIME_WAIT) may be bound again, and Linux lets
   * it connect to the same server on the loopback interface after a second. Elsewhere it refuses,
   * and the next port is tried.
   */
  public void connect(InetSocketAddress target, @Nullable SourcePorts source) throws IOException {
    if (source == null) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(target);
      return;
    }
    ports = source;
    for (int attempt = 1; ; attempt++) {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      port = source.bind(channel);
      try {
        channel.connect(target);
        return;
      } catch (IOException e) {
        if (attempt == TRIES || closed || !isPortAtRest(e)) {
          throw e;
        }
        release();
        closed = false;
        channel = SocketChannel.open();
      }
    }
  }

  private static boolean isPortAtRest(IOException e) {
    return e.getMessage() != null && e.getMessage().contains("assign requested address");
  }

  public int number() {
    return number;
  }

  /** Whether the connection has answered before, so that its server may have closed it since. */
  public boolean used() {
    return used;
  }

  public void markUsed() {
    used = true;
  }

  /**
   * Whether the server has closed the connection, or sent something unasked, since the last answer.
   * Asks the kernel without waiting, so that a request is not sent into a connection known to be
   * dead: such a request would fail without having reached the service.
   */
  public boolean stale() {
    try {
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read != 0;
    } catch (IOException e) {
      return true;
    }
  }

  public void send(byte[] request) throws IOException {
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
  public int read(ByteBuffer buffer) throws IOException {
    return channel.read(buffer);
  }

  /** Closes the connection for good and gives its port back; for the user's thread alone. */
  public void release() {
    close();
    if (ports != null && port != 0) {
      ports.giveBack(port);
      port = 0;
    }
  }

  /** Closes the connection; a wait under way ends. */
  public void close() {
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone whatever the kernel said about it.
    }
  }
}
