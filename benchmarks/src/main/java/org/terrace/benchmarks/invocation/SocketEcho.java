package org.terrace.benchmarks.invocation;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The floor: bytes there and back over a blocking socket, a thread a connection. */
final class SocketEcho implements AutoCloseable {
  /** The bytes of a call of {@link Echo} on the wire besides its own. */
  static final int FRAME_BYTES = 48;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  private SocketEcho(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1 << 16));
    out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream(), 1 << 16));
  }

  static SocketEcho connect(String host, int port) throws IOException {
    return new SocketEcho(new Socket(host, port));
  }

  byte[] exchange(byte[] bytes) throws IOException {
    send(bytes);
    return receive();
  }

  private void send(byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
  }

  /** The next bytes that the other end sends. */
  byte[] receive() throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  /** Serves for the life of the process and gives the port. */
  static int listen(String host) throws IOException {
    ServerSocket door = new ServerSocket();
    door.bind(new InetSocketAddress(host, 0));
    Thread.ofPlatform().start(() -> accept(door));
    return door.getLocalPort();
  }

  private static void accept(ServerSocket door) {
    try {
      while (true) {
        SocketEcho served = new SocketEcho(door.accept());
        Thread.ofPlatform().start(served::serve);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve() {
    try (socket) {
      while (true) {
        send(receive());
      }
    } catch (IOException clientGone) {
      // The client has measured enough.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
