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
  /** No frame is longer: a statement with its values, or a row, of more bytes is refused. */
  static final int BYTES_MAX = 64 << 20;

  /** A page of a result ends after the row with which it has so many bytes. */
  static final int PAGE_BYTES = 2 << 20;

  /** The version of the protocol. */
  static final int VERSION = 3;

  // What a connection is for.
  static final int FOR_SESSION = 's';
  static final int FOR_CANCEL = 'c';
  static final int FOR_OUTCOME = 'o';

  static final int EXECUTE = 'x';
  static final int NEXT_PAGE = 'n';
  static final int CLOSE_RESULT = 'e';
  static final int AUTO_COMMIT = 'a';
  static final int COMMIT = 'c';
  static final int ROLL_BACK = 'r';
  static final int SAVEPOINT = 's';
  static final int SETTING = 'o';
  static final int META_DATA = 'm';
  static final int PING = 'p';
  static final int TURN = 't';

  /**
   * A sign of life, of one byte and without an answer. An application sends them all the time, a
   * controller those that it hears while it is at work on a request.
   */
  static final int BEAT = 'b';

  /** The last word of a controller that ends a connection, with its reason. */
  static final int ENDED = 'z';

  static final int DONE = 'd';
  static final int ROWS = 'w';
  static final int FAILED = 'f';

  private ControllerFrame() {}

  static void write(DataOutputStream out, Encoder frame) throws IOException {
    out.writeInt(frame.length());
    out.write(frame.array(), 0, frame.length());
    out.flush();
  }

  /** A frame of its kind alone. */
  static Encoder of(int kind) {
    Encoder frame = new Encoder();
    frame.putByte(kind);
    return frame;
  }

  /** Whether a frame is a sign of life, and nothing else. */
  static boolean isBeat(byte[] frame) {
    return frame.length == 1 && frame[0] == BEAT;
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
