package org.terrace.protocols.correlated;

import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/**
 * FastCGI: a request begins with a record of its own and goes on with parameters, which name it as
 * HTTP's are named, and a body; its answer is what its process writes, and ends with a record that
 * says so. It has failed when its status is 400 or more, or when the process refused it. A question
 * for the process's own settings is a request. Confined to one thread.
 */
final class FastCgiFormat implements MessageFormat {
  static final int HEADER_BYTES = 8;
  private static final int VERSION = 1;
  private static final int BEGIN_REQUEST = 1;
  private static final int END_REQUEST = 3;
  private static final int PARAMETERS = 4;
  private static final int INPUT = 5;
  private static final int OUTPUT = 6;
  private static final int ERRORS = 7;
  private static final int MORE_INPUT = 8;
  private static final int GET_VALUES = 9;
  private static final int VALUES = 10;
  private static final int TYPE_MAX = 11;
  private static final int PARAMETER_BYTES_READ = 32 << 10;
  private static final int OUTPUT_BYTES_READ = 1_024;
  private static final int LINE_BYTES_MAX = 1_024;
  private static final int PROTOCOL_STATUS_AT = 4;
  private static final byte[] METHOD = Ascii.of("REQUEST_METHOD");
  private static final byte[] TARGET = Ascii.of("REQUEST_URI");
  private static final byte[] SCRIPT = Ascii.of("SCRIPT_NAME");
  private static final byte[] STATUS = Ascii.of("Status: ");

  private final DecoderContext context;
  private final byte[] line = new byte[LINE_BYTES_MAX];

  FastCgiFormat(DecoderContext context) {
    this.context = context;
  }

  /** Whether a record of one side may begin here, as far as its bytes are there. */
  static boolean isSound(byte[] bytes, int at, int to) {
    int count = to - at;
    return bytes[at] == VERSION
        && (count < 2 || (bytes[at + 1] > 0 && bytes[at + 1] <= TYPE_MAX))
        && (count < HEADER_BYTES || bytes[at + 7] == 0);
  }

  /** Whether a request begins here: its record has eight bytes of content, and one of the roles. */
  static boolean isBeginning(byte[] bytes, int at, int to) {
    int count = to - at;
    return isSound(bytes, at, to)
        && (count < 2 || bytes[at + 1] == BEGIN_REQUEST)
        && (count < 6 || Bytes.u16(bytes, at + 4) == HEADER_BYTES)
        && (count < 7 || bytes[at + 6] == 0)
        && (count < 10 || (bytes[at + 8] == 0 && bytes[at + 9] > 0 && bytes[at + 9] <= 3));
  }

  /** Whether a segment begins with a record of an answer, and ends with it or goes on with one. */
  static boolean isAnswer(byte[] bytes, int from, int to) {
    if (to - from < HEADER_BYTES || !isSound(bytes, from, to)) {
      return false;
    }
    int type = bytes[from + 1];
    int next = from + HEADER_BYTES + Bytes.u16(bytes, from + 4) + (bytes[from + 6] & 0xff);
    boolean follows = next < to && isSound(bytes, next, to);
    return (type == OUTPUT || type == ERRORS || type == END_REQUEST) && (next >= to || follows);
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    if (!isSound(bytes, at, at + HEADER_BYTES)) {
      return NO_MESSAGE;
    }
    int content = Bytes.u16(bytes, at + 4);
    int type = bytes[at + 1];
    into.id = Bytes.u16(bytes, at + 2);
    into.kind = content << 8 | type;
    if (ofClient) {
      into.continues = type == PARAMETERS || type == INPUT || type == MORE_INPUT;
      into.answered = type == BEGIN_REQUEST || type == GET_VALUES;
      into.name(type == GET_VALUES ? "GET_VALUES" : "");
    } else {
      into.more = type == OUTPUT || type == ERRORS;
      into.settles = type == OUTPUT && content > 0;
      into.answered = into.more || type == END_REQUEST || type == VALUES;
    }
    return (long) content + (bytes[at + 6] & 0xff);
  }

  private static int typeOf(MessageHead head) {
    return head.kind & 0xff;
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return switch (typeOf(head)) {
      case PARAMETERS -> PARAMETER_BYTES_READ;
      case OUTPUT -> OUTPUT_BYTES_READ;
      case END_REQUEST -> HEADER_BYTES;
      default -> 0;
    };
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    int end = Math.min(to, from + (into.kind >>> 8));
    switch (typeOf(into)) {
      case PARAMETERS -> parameters(bytes, from, end, into);
      case OUTPUT -> into.failed = isFailure(bytes, from, end);
      case END_REQUEST ->
          into.failed = end - from > PROTOCOL_STATUS_AT && bytes[from + PROTOCOL_STATUS_AT] != 0;
      default -> {}
    }
  }

  private void parameters(byte[] bytes, int from, int to, MessageHead into) {
    int method = -1;
    int methodEnd = -1;
    int target = -1;
    int targetEnd = -1;
    boolean whole = false;
    int at = from;
    while (at < to) {
      int valueLengthAt = at + lengthBytes(bytes, at);
      if (valueLengthAt >= to) {
        break;
      }
      int name = valueLengthAt + lengthBytes(bytes, valueLengthAt);
      long value = name + length(bytes, at, to);
      long end = value + length(bytes, valueLengthAt, to);
      if (end > to) {
        break;
      }
      at = (int) end;
      int valueAt = (int) value;
      if (Bytes.equal(bytes, name, valueAt, METHOD)) {
        method = valueAt;
        methodEnd = at;
      } else if (Bytes.equal(bytes, name, valueAt, TARGET)
          || (!whole && Bytes.equal(bytes, name, valueAt, SCRIPT))) {
        whole |= name + TARGET.length == valueAt && bytes[name] == TARGET[0];
        target = valueAt;
        targetEnd = at;
      }
    }
    if (method >= 0 && target >= 0) {
      into.requestClass = classOf(bytes, method, methodEnd, target, targetEnd);
    }
  }

  /** The class of a method and a target, as a line of HTTP has them. */
  private int classOf(byte[] bytes, int method, int methodEnd, int target, int targetEnd) {
    int letters = Math.min(methodEnd - method, line.length / 2);
    System.arraycopy(bytes, method, line, 0, letters);
    line[letters] = ' ';
    int count = Math.min(targetEnd - target, line.length - letters - 1);
    System.arraycopy(bytes, target, line, letters + 1, count);
    return context.urls.classOf(line, 0, letters, letters + 1 + count);
  }

  private static int lengthBytes(byte[] bytes, int at) {
    return bytes[at] < 0 ? Integer.BYTES : 1;
  }

  private static long length(byte[] bytes, int at, int to) {
    if (bytes[at] >= 0) {
      return bytes[at];
    }
    return to - at < Integer.BYTES ? to : Bytes.u32(bytes, at) & Integer.MAX_VALUE;
  }

  /** Whether one of the headers that begin an output is a status of 400 or more. */
  private static boolean isFailure(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\r' && bytes[at] != '\n') {
      int digit = at + STATUS.length;
      if (digit < to && Bytes.startsWith(bytes, at, to, STATUS)) {
        return bytes[digit] >= '4' && bytes[digit] <= '9';
      }
      int newline = Bytes.indexOf(bytes, at, to, (byte) '\n');
      at = newline < 0 ? to : newline + 1;
    }
    return false;
  }
}
