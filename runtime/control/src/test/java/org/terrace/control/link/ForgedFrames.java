package org.terrace.control.link;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Frames that nobody who keeps to a protocol would send. Stateless but for its randomness. */
public final class ForgedFrames {
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int NOISE_BYTES_MAX = 200;

  private final RandomGenerator random;
  private final List<byte[]> genuine;

  /** Forges from genuine bodies of frames. */
  public ForgedFrames(RandomGenerator random, List<byte[]> genuine) {
    this.random = random;
    this.genuine = List.copyOf(genuine);
  }

  /** The body of a frame: a genuine one cut short, one with bytes changed, or noise. */
  public byte[] next() {
    byte[] body = genuine.get(random.nextInt(genuine.size())).clone();
    switch (random.nextInt(3)) {
      case 0 -> body = Arrays.copyOf(body, random.nextInt(body.length));
      case 1 -> {
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
          body[random.nextInt(body.length)] = (byte) random.nextInt();
        }
      }
      default -> {
        body = new byte[random.nextInt(1, NOISE_BYTES_MAX)];
        random.nextBytes(body);
      }
    }
    return body;
  }

  /** Sends bytes over a connection of their own, and waits until the other end closes it. */
  public static void sendAndAwaitEnd(InetSocketAddress address, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      try {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (SocketException closedMeanwhile) {
        assert socket.isConnected() : "it was open";
      }
    }
  }

  /** A frame of that body. */
  public static byte[] frame(byte[] body) {
    return ByteBuffer.allocate(Integer.BYTES + body.length).putInt(body.length).put(body).array();
  }

  /** The beginning of a frame of that length. */
  public static byte[] head(int length) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
  }
}
