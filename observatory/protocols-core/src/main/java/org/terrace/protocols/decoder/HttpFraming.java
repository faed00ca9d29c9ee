package org.terrace.protocols.decoder;

import org.terrace.protocols.text.Ascii;
import org.terrace.protocols.text.LineBuffer;
import org.terrace.protocols.text.MemoryBudget;
import org.terrace.protocols.values.CarriedBody;
import org.terrace.wire.tcp.Moment;

/**
 * The framing of one direction of an HTTP/1.1 connection: the one place that knows where a message
 * begins and ends (start line, headers, and a body delimited by length, by chunks or by the end of
 * the connection, RFC 9112).
 *
 * <p>A step machine that calls nobody: bytes go in by {@link #read}, bytes that were not captured
 * by {@link #pass}, and {@link #next} gives what they hold, part by part. Lines are read where they
 * lie; only one that is cut by the end of its segment is copied. Confined to one thread.
 */
final class HttpFraming {
  /** A finding in the bytes; findings come in the order of the bytes. */
  enum Part {
    /** A start line, to be read at once; a reader to whom it is none calls {@link #lose}. */
    START_LINE,
    /** The last byte of a message. */
    MESSAGE_END,
    /** Bytes that break the protocol; the rest of their segment is of no use. */
    DAMAGE,
    /** A loss behind a start line that hides where its message ends. */
    END_HIDDEN,
    /** A loss that hides where the next message begins. */
    START_HIDDEN,
    /** Nothing more in what was put in. */
    NONE
  }

  private enum State {
    START_LINE,
    HEADERS,
    BODY,
    CHUNK_SIZE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILERS,
    UNTIL_CLOSE,
    UNTIL_TURN,
    LOST,
    SWITCHED
  }

  private static final int HEAD_BYTES_MAX = 256 << 10;
  private static final int CHUNK_DIGITS_MAX = 15;
  private static final int LENGTH_DIGITS_MAX = 18;
  private static final byte[] CONTENT_LENGTH = Ascii.of("content-length");
  private static final byte[] TRANSFER_ENCODING = Ascii.of("transfer-encoding");
  private static final byte[] CHUNKED = Ascii.of("chunked");
  private static final byte[] NOTHING = {};

  private final LineBuffer line;
  private final CarriedBody carried;
  private State state = State.START_LINE;
  private long startNanos;
  private long startFrame;
  private long timeNanos;
  private long frame;
  private long lastNanos;
  private long lastFrame;
  private long messageBytes;
  private HttpBody body = HttpBody.BY_HEADERS;
  private long contentLength;
  private boolean chunked;
  private long identifier;
  private long remaining;

  /** The input that was not yet looked at: bytes of a segment, or a number of missing ones. */
  private byte[] input = NOTHING;

  private int at;
  private int to;
  private long missing;

  HttpFraming(MemoryBudget memory) {
    line = new LineBuffer(memory);
    carried = new CarriedBody(memory);
  }

  /** Puts in the next bytes, of which {@link #next} gives the parts before more may be put in. */
  void read(byte[] bytes, int from, int end, Moment moment) {
    input = bytes;
    at = from;
    to = end;
    timeNanos = moment.timeNanos();
    frame = moment.frame();
    if (timeNanos >= lastNanos) {
      lastNanos = timeNanos;
      lastFrame = frame;
    }
  }

  /** Puts in a number of bytes that were not captured, in place of {@link #read}. */
  void pass(long byteCount, Moment moment) {
    read(NOTHING, 0, 0, moment);
    missing = byteCount;
  }

  /** The next part; {@link Part#NONE} when there is none before more bytes are put in. */
  Part next() {
    while (missing > 0) {
      Part part = nextMissing();
      if (part != Part.NONE) {
        return part;
      }
    }
    while (at < to) {
      Part part = Part.NONE;
      switch (state) {
        case START_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS -> part = nextLine();
        case BODY, CHUNK_DATA -> {
          int count = (int) Math.min(remaining, to - at);
          carried.take(input, at, count);
          at += count;
          part = takeBody(count);
        }
        case UNTIL_CLOSE, UNTIL_TURN -> {
          messageBytes += to - at;
          at = to;
        }
        case LOST -> at = to;
        case SWITCHED -> {
          return Part.NONE;
        }
      }
      if (part != Part.NONE) {
        return part;
      }
    }
    return Part.NONE;
  }

  /** The place at which reading stopped: the segment's end unless the protocol was switched. */
  int position() {
    return at;
  }

  /** The time of the first byte of the message. */
  long startNanos() {
    return startNanos;
  }

  /** The frame of the first byte of the message. */
  long startFrame() {
    return startFrame;
  }

  /** The frame of the last byte that was put in. */
  long lastFrame() {
    return lastFrame;
  }

  /** The time of the last byte that was put in. */
  long lastNanos() {
    return lastNanos;
  }

  /** The bytes of the message so far, those that were not captured among them. */
  long messageBytes() {
    return messageBytes;
  }

  /** The number that the headers so far give the message's transaction; 0 if they give none. */
  long identifier() {
    return identifier;
  }

  /** A sketch with the values of the message's body added, which is then forgotten. */
  long takeCarried(long sketch) {
    return carried.takeTo(sketch);
  }

  /** The start line, until {@link #next} is called again. */
  LineBuffer line() {
    return line;
  }

  /**
   * Says, at a start line, which body to expect; {@link HttpBody#BY_HEADERS} if nothing is said.
   */
  void expect(HttpBody expected) {
    body = expected;
  }

  /** Whether nothing is known before a segment begins with a start line. */
  boolean isLost() {
    return state == State.LOST;
  }

  /** Forgets a partial line and everything about the message. */
  void lose() {
    line.release();
    carried.release();
    state = State.LOST;
  }

  /** Expects a start line after all. */
  void resume() {
    state = State.START_LINE;
  }

  /** Whether the message ends with the connection. */
  boolean endsWithConnection() {
    return state == State.UNTIL_CLOSE;
  }

  /** Whether the message, the end of which is hidden, ends when the other side speaks. */
  boolean endsWithTurn() {
    return state == State.UNTIL_TURN;
  }

  /** Lets the message, the end of which is hidden, go on until the other side speaks. */
  void awaitTurn() {
    state = State.UNTIL_TURN;
  }

  /** Leaves what follows to another protocol. */
  void leave() {
    lose();
    state = State.SWITCHED;
  }

  private Part takeBody(long count) {
    messageBytes += count;
    remaining -= count;
    if (remaining > 0) {
      return Part.NONE;
    }
    if (state == State.BODY) {
      return end();
    }
    state = State.CHUNK_END;
    return Part.NONE;
  }

  /** Passes over bytes that were not captured where their meaning does not matter. */
  private Part nextMissing() {
    long count = missing;
    carried.cut();
    switch (state) {
      case BODY -> {
        long within = Math.min(count, remaining);
        missing -= within;
        return takeBody(within);
      }
      case CHUNK_DATA -> {
        if (count <= remaining) {
          missing = 0;
          return takeBody(count);
        }
      }
      case LOST, SWITCHED -> {
        missing = 0;
        return Part.NONE;
      }
      case START_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS, UNTIL_CLOSE, UNTIL_TURN -> {}
    }
    missing = 0;
    messageBytes += count;
    if (state == State.UNTIL_CLOSE || state == State.UNTIL_TURN) {
      return Part.NONE;
    }
    line.clear();
    return state == State.START_LINE ? Part.START_HIDDEN : Part.END_HIDDEN;
  }

  private Part nextLine() {
    if (state == State.START_LINE && !line.isPartial()) {
      startNanos = timeNanos;
      startFrame = frame;
      messageBytes = 0;
    }
    if (state == State.HEADERS && messageBytes > HEAD_BYTES_MAX) {
      return damage();
    }
    int behind = line.take(input, at, to);
    if (behind == LineBuffer.TOO_LONG) {
      return damage();
    }
    int end = behind == LineBuffer.CUT ? to : behind;
    messageBytes += end - at;
    at = end;
    return behind == LineBuffer.CUT ? Part.NONE : wholeLine();
  }

  private Part wholeLine() {
    boolean empty = line.from() == line.to();
    return switch (state) {
      case START_LINE -> empty ? Part.NONE : start();
      case HEADERS -> empty ? headersEnd() : header();
      case CHUNK_SIZE -> chunkSize();
      case CHUNK_END -> {
        if (!empty) {
          yield damage();
        }
        state = State.CHUNK_SIZE;
        yield Part.NONE;
      }
      case TRAILERS -> {
        if (!empty) {
          yield Part.NONE;
        }
        line.release();
        yield end();
      }
      case BODY, CHUNK_DATA, UNTIL_CLOSE, UNTIL_TURN, LOST, SWITCHED -> Part.NONE;
    };
  }

  private Part start() {
    body = HttpBody.BY_HEADERS;
    contentLength = -1;
    chunked = false;
    identifier = 0;
    carried.begin();
    state = State.HEADERS;
    return Part.START_LINE;
  }

  private Part header() {
    byte[] bytes = line.bytes();
    int from = line.from();
    identifier = TransactionIdentifiers.afterHeader(identifier, bytes, from, line.to());
    switch (bytes[from] | 0x20) {
      case 'c' -> {
        int value = Ascii.headerValue(bytes, from, line.to(), CONTENT_LENGTH);
        if (value >= 0) {
          contentLength = Ascii.decimal(bytes, value, line.to(), LENGTH_DIGITS_MAX);
          if (contentLength < 0) {
            return damage();
          }
        } else if (body == HttpBody.BY_HEADERS) {
          carried.header(bytes, from, line.to());
        }
      }
      case 't' -> {
        int value = Ascii.headerValue(bytes, from, line.to(), TRANSFER_ENCODING);
        if (value >= 0) {
          chunked = Ascii.endsWithIgnoringCase(bytes, value, line.to(), CHUNKED);
          carried.packed(!Ascii.startsWithIgnoringCase(bytes, value, line.to(), CHUNKED));
        }
      }
      default -> {}
    }
    return Part.NONE;
  }

  private Part headersEnd() {
    line.release();
    if (body == HttpBody.NONE) {
      return end();
    }
    if (chunked) {
      state = State.CHUNK_SIZE;
    } else if (contentLength > 0) {
      remaining = contentLength;
      state = State.BODY;
    } else if (contentLength < 0 && body == HttpBody.BY_HEADERS_OR_CLOSE) {
      state = State.UNTIL_CLOSE;
    } else {
      return end();
    }
    return Part.NONE;
  }

  private Part chunkSize() {
    byte[] bytes = line.bytes();
    int end = Math.min(line.to(), line.from() + CHUNK_DIGITS_MAX);
    long size = 0;
    int digit = line.from();
    while (digit < end && Ascii.hexDigit(bytes[digit]) >= 0) {
      size = size << 4 | Ascii.hexDigit(bytes[digit]);
      digit++;
    }
    boolean ended =
        digit == line.to() || bytes[digit] == ';' || bytes[digit] == ' ' || bytes[digit] == '\t';
    if (digit == line.from() || !ended) {
      return damage();
    }
    remaining = size;
    state = size == 0 ? State.TRAILERS : State.CHUNK_DATA;
    return Part.NONE;
  }

  private Part end() {
    state = State.START_LINE;
    return Part.MESSAGE_END;
  }

  private Part damage() {
    lose();
    return Part.DAMAGE;
  }
}
