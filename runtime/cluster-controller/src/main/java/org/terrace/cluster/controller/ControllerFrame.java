package org.terrace.cluster.controller;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.sql.SQLException;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** The messages of the protocol on a stream: a length of four bytes, then so many. Stateless. */
final class ControllerFrame {
  /** No frame is longer: a result of more bytes is refused. */
  static final int BYTES_MAX = 64 << 20;

  /** The version of the protocol. */
  static final int VERSION = 1;

  static final int QUERY = 'q';
  static final int UPDATE = 'u';
  static final int AUTO_COMMIT = 'a';
  static final int COMMIT = 'c';
  static final int ROLL_BACK = 'r';
  static final int PING = 'p';

  static final int DONE = 'd';
  static final int ROWS = 'w';
  static final int FAILED = 'f';

  private ControllerFrame() {}

  static void write(DataOutputStream out, Encoder frame) throws IOException {
    out.writeInt(frame.length());
    out.write(frame.array(), 0, frame.length());
    out.flush();
  }

  /** The failure of a statement whose answer, or whose request, cannot be read. */
  static SQLException unreadable(MalformedDataException cause) {
    return new SQLException(cause.getMessage(), "08P01", cause);
  }

  /** The next frame. */
  static byte[] read(DataInputStream in, int bytesMax) throws IOException {
    int length = in.readInt();
    if (length < 1 || length > bytesMax) {
      throw new IOException("a frame of " + length + " bytes, expected 1 to " + bytesMax);
    }
    byte[] frame = in.readNBytes(length);
    if (frame.length < length) {
      throw new EOFException("the connection ended within a frame");
    }
    return frame;
  }
}
