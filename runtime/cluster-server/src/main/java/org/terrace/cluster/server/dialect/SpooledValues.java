package org.terrace.cluster.server.dialect;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.sql.SQLException;
import org.terrace.cluster.core.SqlStates;

/** The reading of streams into memory, once, so that every replica gets the same. */
public final class SpooledValues {
  /** No stream of more bytes, or characters, is taken. */
  private static final int LENGTH_MAX = 256 << 20;

  private static final int CHUNK = 1 << 16;

  private SpooledValues() {}

  /** The bytes of a stream; of a length below 0: all of them. */
  public static byte[] bytes(InputStream stream, long length) throws SQLException {
    try {
      byte[] bytes = stream.readNBytes(limit(length));
      checkLength(bytes.length, length);
      return bytes;
    } catch (IOException e) {
      throw new SQLException("A parameter's stream cannot be read.", SqlStates.IO_ERROR, e);
    }
  }

  /** The characters of a stream; of a length below 0: all of them. */
  public static String text(Reader reader, long length) throws SQLException {
    int limit = limit(length);
    StringBuilder text = new StringBuilder();
    char[] chunk = new char[CHUNK];
    try {
      int read;
      while (text.length() < limit
          && (read = reader.read(chunk, 0, Math.min(CHUNK, limit - text.length()))) >= 0) {
        text.append(chunk, 0, read);
      }
    } catch (IOException e) {
      throw new SQLException("A parameter's stream cannot be read.", SqlStates.IO_ERROR, e);
    }
    checkLength(text.length(), length);
    return text.toString();
  }

  private static int limit(long length) throws SQLException {
    if (length > LENGTH_MAX) {
      throw tooLong();
    }
    return length < 0 ? LENGTH_MAX + 1 : (int) length;
  }

  private static void checkLength(int got, long wanted) throws SQLException {
    if (got > LENGTH_MAX) {
      throw tooLong();
    }
    if (wanted >= 0 && got < wanted) {
      throw new SQLException(
          "A parameter's stream ended after %d of %d.".formatted(got, wanted),
          SqlStates.BAD_PARAMETER);
    }
  }

  private static SQLException tooLong() {
    return new SQLException(
        "A parameter has more than %d MiB: the cluster keeps parameters in memory for its replicas."
            .formatted(LENGTH_MAX >> 20),
        SqlStates.BAD_PARAMETER);
  }
}
