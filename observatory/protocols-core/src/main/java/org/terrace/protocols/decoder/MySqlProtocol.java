package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.server.ServerRole;

/**
 * MySQL's and MariaDB's protocol, version 10: recognised by the greeting of the server, which
 * speaks first; in mid-stream by commands that fill a segment, or by a result with its first
 * column. Stateless.
 */
final class MySqlProtocol implements Protocol {
  private static final int PROTOCOL_VERSION = 10;
  private static final int GREETING_BYTES_MIN = 30;
  private static final int GREETING_BYTES_MAX = 1024;
  private static final int GREETING_TELLS_BYTES = 6;
  private static final int ERROR_TELLS_BYTES = 7;

  /** Too many connections, host blocked, host not allowed, and the user's limit of connections. */
  private static final int[] REFUSALS = {1040, 1129, 1130, 1203};

  private static final byte[] FIRST_COLUMN = {2, 3, 'd', 'e', 'f'};

  @Override
  public String name() {
    return "MySQL";
  }

  @Override
  public ServerRole role() {
    return ServerRole.DATABASE;
  }

  @Override
  public Match ofServerStart(byte[] bytes, int from, int to) {
    if (to - from <= MySqlPacket.HEADER_BYTES) {
      boolean may = to - from < MySqlPacket.HEADER_BYTES || bytes[from + 3] == 0;
      return may ? Match.MORE : Match.NO;
    }
    long length = MySqlPacket.number(bytes, from, to, 3);
    if (bytes[from + 3] != 0) {
      return Match.NO;
    }
    int first = bytes[from + MySqlPacket.HEADER_BYTES] & 0xff;
    if (first == MySqlPacket.ERROR) {
      return to - from < ERROR_TELLS_BYTES
          ? Match.MORE
          : isRefusal(MySqlPacket.number(bytes, from + 5, to, 2)) ? Match.YES : Match.NO;
    }
    if (first != PROTOCOL_VERSION || length < GREETING_BYTES_MIN || length > GREETING_BYTES_MAX) {
      return Match.NO;
    }
    if (to - from < GREETING_TELLS_BYTES) {
      return Match.MORE;
    }
    byte version = bytes[from + GREETING_TELLS_BYTES - 1];
    return version >= '1' && version <= '9' ? Match.YES : Match.NO;
  }

  private static boolean isRefusal(long error) {
    for (int refusal : REFUSALS) {
      if (error == refusal) {
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable Side senderOf(byte[] bytes, int from, int to) {
    if (isResult(bytes, from, to)) {
      return Side.SERVER;
    }
    return isCommand(bytes, from, to) ? Side.CLIENT : null;
  }

  /** The number of columns, and the first of them. */
  private static boolean isResult(byte[] bytes, int from, int to) {
    int length = (int) MySqlPacket.number(bytes, from, to, 3);
    int column = from + MySqlPacket.HEADER_BYTES + length;
    if (length < 1 || length > 4 || to - column < MySqlPacket.HEADER_BYTES + 4) {
      return false;
    }
    boolean follows = bytes[from + 3] == 1;
    for (int i = 0; i < FIRST_COLUMN.length; i++) {
      follows &= bytes[column + 3 + i] == FIRST_COLUMN[i];
    }
    return follows;
  }

  /** One command that fills the segment, of a kind that others would hardly resemble. */
  private static boolean isCommand(byte[] bytes, int from, int to) {
    MySqlCommand command = MySqlClient.commandAt(bytes, from, to);
    int body = from + MySqlPacket.HEADER_BYTES;
    if (command == null || MySqlPacket.number(bytes, from, to, 3) != to - body) {
      return false;
    }
    return switch (command) {
      case QUERY, STMT_PREPARE -> to - body > 6 && isText(bytes, body + 1, body + 7);
      case STMT_EXECUTE -> to - body >= 10 && MySqlPacket.number(bytes, body + 6, to, 4) == 1;
      case PING -> to - body == 1;
      default -> false;
    };
  }

  private static boolean isText(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      boolean printable = bytes[i] >= ' ' && bytes[i] < 0x7f;
      if (!printable && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  @Override
  public Decoder decoder(DecoderContext context, DecoderOutput output, Entry entry) {
    return entry == Entry.MID_STREAM
        ? MySqlDecoder.joinedMidStream(context, output)
        : new MySqlDecoder(context, output);
  }
}
