package org.terrace.cluster.controller;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * The input of an application's connection, which ends a wait at two limits: that of all that is
 * waited for, and that of a silence. Confined to one thread at a time.
 */
final class TimedInput extends InputStream {
  private final Socket socket;
  private final InputStream in;
  private Deadline deadline;
  private int silenceMillis = Integer.MAX_VALUE;

  /** The input of a connected socket, until a moment. */
  TimedInput(Socket socket, Deadline deadline) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.deadline = deadline;
  }

  /** Waits no longer than this from now on. */
  void until(Deadline next) {
    deadline = next;
  }

  /** Waits no longer than this for the next byte from now on. */
  void silence(int millis) {
    silenceMillis = millis;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (deadline.isOver()) {
      throw new SocketTimeoutException("no answer in time");
    }
    int left = deadline.leftMillis();
    socket.setSoTimeout(Math.min(left, silenceMillis));
    try {
      return in.read(bytes, offset, length);
    } catch (SocketTimeoutException e) {
      SocketTimeoutException told =
          new SocketTimeoutException(
              silenceMillis < left
                  ? "no sign of life for %d ms".formatted(silenceMillis)
                  : "no answer in time");
      told.initCause(e);
      throw told;
    }
  }
}
