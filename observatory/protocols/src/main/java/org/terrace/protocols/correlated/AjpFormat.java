package org.terrace.protocols.correlated;

import java.nio.charset.StandardCharsets;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.wire.bytes.Bytes;

/**
 * AJP 1.3, by which web servers hand requests on to Tomcat and others: one request at a time, named
 * as HTTP's are; what is sent of its body belongs to it. It is answered by headers, parts of a body
 * and an end, and has failed from status 400 on. A probe (CPING) is a request. Confined to one
 * thread.
 */
final class AjpFormat implements MessageFormat {
  static final int HEADER_BYTES = 4;
  static final int OF_CLIENT = 0x1234;
  static final int OF_SERVER = 0x4142;
  private static final int FORWARD_REQUEST = 2;
  private static final int SEND_BODY = 3;
  private static final int SEND_HEADERS = 4;
  private static final int END_RESPONSE = 5;
  private static final int PROBE_ANSWER = 9;
  private static final int PROBE = 10;
  private static final int STATUS_BYTES = 2;
  private static final int ERROR_STATUS_MIN = 400;
  private static final int NO_TEXT = 0xffff;
  private static final int CODED_NAME = 0xa0;
  private static final int ATTRIBUTES_END = 0xff;
  private static final int ATTRIBUTE_WITH_NAME = 0x0a;
  private static final int KEY_SIZE = 0x0b;
  private static final int QUERY = 5;
  private static final int METHOD_IN_ATTRIBUTE = 0xff;
  private static final int LINE_BYTES_MAX = 1_024;

  /** The methods by number, from 1 on. */
  private static final String[] METHODS =
      ("OPTIONS GET HEAD POST PUT DELETE TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK ACL"
              + " REPORT VERSION-CONTROL CHECKIN CHECKOUT UNCHECKOUT SEARCH MKWORKSPACE UPDATE"
              + " LABEL MERGE BASELINE-CONTROL MKACTIVITY")
          .split(" ");

  private final DecoderContext context;
  private final byte[] line = new byte[LINE_BYTES_MAX];

  AjpFormat(DecoderContext context) {
    this.context = context;
  }

  /** Whether a segment, or its first bytes, begin with a request or a probe. */
  static boolean beginsRequest(byte[] bytes, int from, int to) {
    int body = from + HEADER_BYTES;
    if (!isSound(true, bytes, from, to)) {
      return false;
    }
    if (to <= body) {
      return true;
    }
    return bytes[body] == PROBE ? Bytes.u16(bytes, from + 2) == 1 : isForward(bytes, body, to);
  }

  /** Whether a method and the text of a version follow, as far as their bytes are there. */
  private static boolean isForward(byte[] bytes, int from, int to) {
    int count = to - from;
    if (bytes[from] != FORWARD_REQUEST) {
      return false;
    }
    int method = count < 2 ? 1 : bytes[from + 1] & 0xff;
    return method > 0
        && (method <= METHODS.length || method == METHOD_IN_ATTRIBUTE)
        && (count < 3 || bytes[from + 2] == 0)
        && (count < 5 || bytes[from + 4] == 'H');
  }

  /** Whether a message of one side may begin here, as far as its bytes are there. */
  static boolean isSound(boolean ofClient, byte[] bytes, int at, int to) {
    int magic = ofClient ? OF_CLIENT : OF_SERVER;
    return to - at < 2 ? bytes[at] == magic >>> 8 : Bytes.u16(bytes, at) == magic;
  }

  /** Whether a segment begins with an answer. */
  static boolean beginsAnswer(byte[] bytes, int from, int to) {
    int body = from + HEADER_BYTES;
    return to > body
        && isSound(false, bytes, from, to)
        && bytes[body] >= SEND_BODY
        && bytes[body] <= PROBE_ANSWER;
  }

  @Override
  public int headerBytes(boolean ofClient) {
    return HEADER_BYTES;
  }

  @Override
  public long header(boolean ofClient, byte[] bytes, int at, MessageHead into) {
    return isSound(ofClient, bytes, at, at + HEADER_BYTES) ? Bytes.u16(bytes, at + 2) : NO_MESSAGE;
  }

  @Override
  public int bytesRead(boolean ofClient, MessageHead head) {
    return ofClient ? Short.MAX_VALUE : HEADER_BYTES;
  }

  @Override
  public void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into) {
    if (!ofClient) {
      answer(bytes, from, to, into);
    } else if (to - from == 1 && bytes[from] == PROBE) {
      into.name("CPING");
    } else if (to - from > HEADER_BYTES && isForward(bytes, from, to)) {
      request(bytes, from, to, into);
    } else {
      into.continues = true;
    }
  }

  private static void answer(byte[] bytes, int from, int to, MessageHead into) {
    int type = from < to ? bytes[from] : 0;
    into.answered =
        type == SEND_BODY || type == SEND_HEADERS || type == END_RESPONSE || type == PROBE_ANSWER;
    into.more = type == SEND_BODY || type == SEND_HEADERS;
    into.failed =
        type == SEND_HEADERS
            && to - from > STATUS_BYTES
            && Bytes.u16(bytes, from + 1) >= ERROR_STATUS_MIN;
  }

  /** Puts method, path and query together as a line of HTTP has them. */
  private void request(byte[] bytes, int from, int to, MessageHead into) {
    int method = bytes[from + 1] & 0xff;
    String name = method == METHOD_IN_ATTRIBUTE ? "(method)" : METHODS[method - 1];
    byte[] letters = name.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(letters, 0, line, 0, letters.length);
    line[letters.length] = ' ';
    int path = behindText(bytes, from + 2, to);
    int end = add(bytes, path, to, letters.length + 1);
    int headers = path;
    for (int text = 0; text < 4; text++) {
      headers = behindText(bytes, headers, to);
    }
    // Behind them stand a port, and whether TLS was spoken.
    int query = queryAt(bytes, behindHeaders(bytes, headers + 3, to), to);
    if (query < to && end < line.length) {
      line[end] = '?';
      end = add(bytes, query, to, end + 1);
    }
    into.requestClass = context.urls.classOf(line, 0, letters.length, end);
  }

  /** Adds a text to the line, as far as there is room: the index behind it. */
  private int add(byte[] bytes, int text, int to, int at) {
    int from = text + STATUS_BYTES;
    int length = Math.max(0, behindText(bytes, text, to) - from - 1);
    int count = Math.min(length, line.length - at);
    System.arraycopy(bytes, Math.min(from, to), line, at, count);
    return at + count;
  }

  /** The index behind a text with its length before and a zero behind it; {@code to} if cut off. */
  private static int behindText(byte[] bytes, int at, int to) {
    if (to - at < 2) {
      return to;
    }
    int length = Bytes.u16(bytes, at);
    return length == NO_TEXT ? at + 2 : Math.min(to, at + 2 + length + 1);
  }

  private static int behindHeaders(byte[] bytes, int from, int to) {
    if (to - from < 2) {
      return to;
    }
    int at = from + 2;
    for (int left = Bytes.u16(bytes, from); left > 0 && at < to; left--) {
      boolean coded = (bytes[at] & 0xff) == CODED_NAME;
      at = behindText(bytes, coded ? at + 2 : behindText(bytes, at, to), to);
    }
    return at;
  }

  /** The index of the query among the attributes; {@code to} if there is none. */
  private static int queryAt(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && (bytes[at] & 0xff) != ATTRIBUTES_END) {
      int attribute = bytes[at++];
      if (attribute == QUERY) {
        return at;
      }
      if (attribute == KEY_SIZE) {
        at += 2;
      } else {
        at = behindText(bytes, at, to);
        at = attribute == ATTRIBUTE_WITH_NAME ? behindText(bytes, at, to) : at;
      }
    }
    return to;
  }
}
