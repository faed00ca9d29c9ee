package org.terrace.load;

import java.nio.ByteBuffer;
import org.terrace.load.mix.Mix;

/**
 * The layout of {@link LoadResult#REQUESTS_FILE}: a header of {@value #HEADER_BYTES} bytes (magic
 * and version), then rows of {@value #ROW_BYTES} bytes in big-endian order. Row fields: intended,
 * start and end in nanoseconds since the Unix epoch (long each), lateness in microseconds, user,
 * connection, bytes sent, bytes received (int each), state (short), failure (byte).
 */
final class RowFormat {
  static final long MAGIC = 0x54_65_72_4C_6F_61_64_02L; // "TerLoad", version 2
  static final int HEADER_BYTES = Long.BYTES;
  static final int ROW_BYTES = 3 * Long.BYTES + 5 * Integer.BYTES + Short.BYTES + 1;

  private RowFormat() {}

  static void put(ByteBuffer rows, PageTimes times, PageFacts facts) {
    rows.putLong(times.intendedNanos()).putLong(times.startNanos()).putLong(times.endNanos());
    rows.putInt((int) Math.min(times.latenessNanos() / 1000, Integer.MAX_VALUE));
    rows.putInt(facts.user()).putInt(facts.connection());
    rows.putInt(facts.bytesSent()).putInt(facts.bytesReceived());
    rows.putShort((short) facts.state()).put((byte) facts.failure().ordinal());
  }

  /**
   * The moments when one page was due, asked for and there, in nanoseconds since the Unix epoch.
   *
   * @param intendedNanos when the user was due to ask
   * @param readyNanos the later of that and the moment the user was free to ask
   * @param startNanos when the user began to ask
   * @param endNanos when the last byte was there, or the failure was seen
   */
  record PageTimes(long intendedNanos, long readyNanos, long startNanos, long endNanos) {
    long latenessNanos() {
      return Math.max(0, startNanos - readyNanos);
    }

    long responseNanos() {
      return endNanos - startNanos;
    }
  }

  /**
   * The rest of one page's row.
   *
   * @param user the number of the emulated user
   * @param connection the number of the connection, 0 when there was none
   * @param bytesSent bytes of its requests, redirects included
   * @param bytesReceived bytes of its responses
   * @param state the index of its state in the mix, less than {@link Mix#MAXIMUM_CLASSES}
   * @param failure how it ended
   */
  record PageFacts(
      int user, int connection, int bytesSent, int bytesReceived, int state, Failure failure) {}
}
