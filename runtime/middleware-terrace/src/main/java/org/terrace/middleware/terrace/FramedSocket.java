package org.terrace.middleware.terrace;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import org.terrace.core.codec.Encoder;

/**
 * A socket that carries frames: four bytes of length, most significant first, and that many bytes.
 * One thread reads and one writes at a time.
 */
final class FramedSocket implements AutoCloseable {
  private static final int LENGTH_BYTES = 4;
  private static final int BUFFER_BYTES = 8_192;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final int frameBytesMax;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;

  FramedSocket(Socket socket, int frameBytesMax) throws IOException {
    this.socket = socket;
    this.frameBytesMax = frameBytesMax;
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  Socket socket() {
    return socket;
  }

  /** An encoder with room for the length in front. */
  static void begin(Encoder frame) {
    frame.clear();
    for (int i = 0; i < LENGTH_BYTES; i++) {
      frame.putByte(0);
    }
  }

  /** Writes a frame that {@link #begin} began, in one piece. */
  void write(Encoder frame) throws IOException {
    int size = frame.length() - LENGTH_BYTES;
    if (size > frameBytesMax) {
      throw new FrameTooLargeException(size, frameBytesMax);
    }
    byte[] bytes = frame.array();
    bytes[0] = (byte) (size >>> 24);
    bytes[1] = (byte) (size >>> 16);
    bytes[2] = (byte) (size >>> 8);
    bytes[3] = (byte) size;
    out.write(bytes, 0, frame.length());
  }

  /**
   * The content of the next frame.
   *
   * @throws EOFException if the other end closed
   * @throws FrameTooLargeException if it announces more than may be
   */
  byte[] read() throws IOException {
    return read(frameBytesMax);
  }

  /** The content of the next frame, which may have no more than so many bytes. */
  byte[] read(int bytesMax) throws IOException {
    fill(LENGTH_BYTES);
    int size =
        (buffer[start] & 0xFF) << 24
            | (buffer[start + 1] & 0xFF) << 16
            | (buffer[start + 2] & 0xFF) << 8
            | (buffer[start + 3] & 0xFF);
    if (size < 0 || size > bytesMax) {
      throw new FrameTooLargeException(size & 0xFFFF_FFFFL, bytesMax);
    }
    fill(LENGTH_BYTES + size);
    byte[] content = Arrays.copyOfRange(buffer, start + LENGTH_BYTES, start + LENGTH_BYTES + size);
    start += LENGTH_BYTES + size;
    if (start == end) {
      start = 0;
      end = 0;
    }
    return content;
  }

  /**
   * Reads until the buffer has at least so many bytes; what a timed-out read got is kept. The
   * buffer grows with what arrives, so that a length that is only announced costs no memory.
   */
  private void fill(int count) throws IOException {
    while (end - start < count) {
      if (end == buffer.length) {
        makeRoom(count);
      }
      int read = in.read(buffer, end, buffer.length - end);
      if (read < 0) {
        throw new EOFException("the other end closed the connection");
      }
      end += read;
    }
  }

  private void makeRoom(int count) {
    int held = end - start;
    int size = start > 0 ? buffer.length : Math.min(Math.max(count, BUFFER_BYTES), 2 * held);
    byte[] roomier = size > buffer.length ? new byte[size] : buffer;
    System.arraycopy(buffer, start, roomier, 0, held);
    buffer = roomier;
    end = held;
    start = 0;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // Closing is all that was wanted, and a socket that fails to close is closed.
    }
  }
}
