package org.terrace.protocols.decoder;

import java.util.Arrays;
import org.terrace.wire.bytes.Bytes;

/**
 * One direction of an HTTP/1.1 connection as a step machine: start line, headers, and a body
 * delimited by length, by chunks or by the end of the connection (RFC 9112). Lines are read where
 * they lie; only one that is cut by the end of its segment is copied. Confined to one thread.
 */
abstract class HttpStream {
  /** What comes next. */
  enum State {
    START_LINE,
    HEADERS,
    BODY,
    CHUNK_SIZE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILERS,
    /** A body that ends with the connection. */
    UNTIL_CLOSE,
    /** A message whose end cannot be found: it ends when the other side's turn comes. */
    UNTIL_TURN,
    /** Nothing is known until a segment begins with a start line. */
    LOST,
    /** The connection speaks another protocol from here on. */
    SWITCHED
  }

  /** A line longer than this breaks the protocol. */
  static final int LINE_BYTES_MAX = 64 << 10;

  private static final int HEAD_BYTES_MAX = 256 << 10;
  private static final int LINE_BYTES_MIN = 128;
  private static final int CHUNK_DIGITS_MAX = 15;
  private static final int LENGTH_DIGITS_MAX = 18;
  private static final byte[] CONTENT_LENGTH = Ascii.of("content-length");
  private static final byte[] TRANSFER_ENCODING = Ascii.of("transfer-encoding");
  private static final byte[] UPGRADE = Ascii.of("upgrade");
  private static final byte[] CHUNKED = Ascii.of("chunked");
  private static final byte[] NO_LINE = {};

  State state = State.START_LINE;
  long startNanos;
  long lastNanos;
  long messageBytes;
  long contentLength;
  boolean chunked;
  boolean upgrade;

  private final MemoryBudget memory;
  private long remaining;
  private byte[] line = NO_LINE;
  private int lineLength;

  HttpStream(MemoryBudget memory) {
    this.memory = memory;
  }

  /** Reads a start line; false when it is none. */
  abstract boolean startLine(byte[] bytes, int from, int to);

  /** The headers are complete: says how the body is delimited by setting the state. */
  abstract void headersEnd();

  /** The message is complete; the next state is {@link State#START_LINE} unless set otherwise. */
  abstract void messageEnd();

  /** The message breaks the protocol or too much of it is missing. */
  abstract void broken(boolean byGap);

  /** Whether a segment begins like a message. */
  abstract boolean looksLikeStart(byte[] bytes, int from, int to);

  /** Takes the next bytes; returns where it stopped, which is the end unless switched. */
  int accept(byte[] bytes, int from, int to, long timeNanos) {
    int at = from;
    lastNanos = Math.max(lastNanos, timeNanos);
    if (state == State.LOST && looksLikeStart(bytes, from, to)) {
      state = State.START_LINE;
      lineLength = 0;
    }
    while (at < to) {
      switch (state) {
        case START_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS ->
            at = line(bytes, at, to, timeNanos);
        case BODY, CHUNK_DATA -> at = body(at, to);
        case UNTIL_CLOSE, UNTIL_TURN -> {
          messageBytes += to - at;
          return to;
        }
        case LOST -> {
          return to;
        }
        case SWITCHED -> {
          return at;
        }
      }
    }
    return at;
  }

  private int body(int at, int to) {
    int count = (int) Math.min(remaining, to - at);
    takeBody(count);
    return at + count;
  }

  private void takeBody(long count) {
    messageBytes += count;
    remaining -= count;
    if (remaining == 0) {
      if (state == State.BODY) {
        complete();
      } else {
        state = State.CHUNK_END;
      }
    }
  }

  private int line(byte[] bytes, int at, int to, long timeNanos) {
    if (state == State.START_LINE && lineLength == 0) {
      startNanos = timeNanos;
      messageBytes = 0;
    }
    int newline = Bytes.indexOf(bytes, at, to, (byte) '\n');
    int end = newline < 0 ? to : newline;
    if (lineLength + (end - at) > LINE_BYTES_MAX || messageBytesOfHeadTooMany()) {
      lineLength = 0;
      broken(false);
      return to;
    }
    if ((newline < 0 || lineLength > 0) && !keep(bytes, at, end)) {
      broken(false);
      return to;
    }
    if (newline < 0) {
      messageBytes += to - at;
      return to;
    }
    messageBytes += newline + 1 - at;
    if (lineLength > 0) {
      int length = lineLength;
      lineLength = 0;
      wholeLine(line, 0, length);
    } else {
      wholeLine(bytes, at, newline);
    }
    // A message that broke the protocol: the rest of its segment is of no use.
    return state == State.LOST ? to : newline + 1;
  }

  private boolean messageBytesOfHeadTooMany() {
    return state == State.HEADERS && messageBytes > HEAD_BYTES_MAX;
  }

  /** Keeps a part of a line until the rest comes; false when there is no memory for it. */
  private boolean keep(byte[] bytes, int from, int to) {
    int needed = lineLength + to - from;
    if (needed > line.length) {
      int capacity = Math.max(LINE_BYTES_MIN, Integer.highestOneBit(needed) * 2);
      if (!memory.take(capacity - line.length)) {
        return false;
      }
      line = Arrays.copyOf(line, capacity);
    }
    System.arraycopy(bytes, from, line, lineLength, to - from);
    lineLength = needed;
    return true;
  }

  private void wholeLine(byte[] bytes, int from, int lineEnd) {
    int to = lineEnd > from && bytes[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    switch (state) {
      case START_LINE -> {
        if (to > from) {
          start(bytes, from, to);
        }
      }
      case HEADERS -> {
        if (to > from) {
          header(bytes, from, to);
        } else {
          releaseLine();
          headersEnd();
        }
      }
      case CHUNK_SIZE -> chunkSize(bytes, from, to);
      case CHUNK_END -> {
        if (to > from) {
          broken(false);
        } else {
          state = State.CHUNK_SIZE;
        }
      }
      case TRAILERS -> {
        if (to == from) {
          releaseLine();
          complete();
        }
      }
      case BODY, CHUNK_DATA, UNTIL_CLOSE, UNTIL_TURN, LOST, SWITCHED -> {}
    }
  }

  private void releaseLine() {
    memory.giveBack(line.length);
    line = NO_LINE;
  }

  private void start(byte[] bytes, int from, int to) {
    contentLength = -1;
    chunked = false;
    upgrade = false;
    state = State.HEADERS;
    if (!startLine(bytes, from, to)) {
      broken(false);
    }
  }

  private void header(byte[] bytes, int from, int to) {
    switch (bytes[from] | 0x20) {
      case 'c' -> {
        int value = Ascii.headerValue(bytes, from, to, CONTENT_LENGTH);
        if (value >= 0) {
          contentLength = Ascii.decimal(bytes, value, to, LENGTH_DIGITS_MAX);
          if (contentLength < 0) {
            broken(false);
          }
        }
      }
      case 't' -> {
        int value = Ascii.headerValue(bytes, from, to, TRANSFER_ENCODING);
        if (value >= 0) {
          chunked = Ascii.endsWithIgnoringCase(bytes, value, to, CHUNKED);
        }
      }
      case 'u' -> upgrade |= Ascii.headerValue(bytes, from, to, UPGRADE) >= 0;
      default -> {}
    }
  }

  private void chunkSize(byte[] bytes, int from, int to) {
    long size = 0;
    int at = from;
    while (at < to && Ascii.hexDigit(bytes[at]) >= 0 && at - from < CHUNK_DIGITS_MAX) {
      size = size << 4 | Ascii.hexDigit(bytes[at]);
      at++;
    }
    boolean ended = at == to || bytes[at] == ';' || bytes[at] == ' ' || bytes[at] == '\t';
    if (at == from || !ended) {
      broken(false);
    } else if (size == 0) {
      state = State.TRAILERS;
    } else {
      remaining = size;
      state = State.CHUNK_DATA;
    }
  }

  /** Begins the body that the headers announced; a message without one is complete. */
  void beginBody() {
    if (chunked) {
      state = State.CHUNK_SIZE;
    } else if (contentLength > 0) {
      remaining = contentLength;
      state = State.BODY;
    } else {
      complete();
    }
  }

  /** Completes the message. */
  void complete() {
    state = State.START_LINE;
    messageEnd();
  }

  /** The next bytes were not captured: passes over them where their meaning does not matter. */
  void missing(long byteCount, long timeNanos) {
    lastNanos = Math.max(lastNanos, timeNanos);
    switch (state) {
      case BODY -> {
        long within = Math.min(byteCount, remaining);
        takeBody(within);
        if (byteCount > within) {
          broken(true);
        }
      }
      case CHUNK_DATA -> {
        if (byteCount <= remaining) {
          takeBody(byteCount);
        } else {
          messageBytes += byteCount;
          broken(true);
        }
      }
      case UNTIL_CLOSE, UNTIL_TURN -> messageBytes += byteCount;
      case START_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS -> {
        messageBytes += byteCount;
        lineLength = 0;
        broken(true);
      }
      case LOST, SWITCHED -> {}
    }
  }

  /** Forgets a partial line and everything about the message. */
  void lose() {
    lineLength = 0;
    releaseLine();
    state = State.LOST;
  }
}
