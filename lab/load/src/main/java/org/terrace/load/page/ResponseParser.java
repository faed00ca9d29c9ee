package org.terrace.load.page;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses one HTTP/1.1 response as its bytes arrive (RFC 9112): interim responses, content length,
 * chunks, and bodies that end with the connection. Body bytes go to a {@link PageScanner}. Confined
 * to one thread; used again for response after response.
 */
public final class ResponseParser {
  /** A header or chunk line longer than this is refused. */
  static final int LINE_LIMIT = 8192;

  /** More header lines than this are refused. */
  static final int HEADER_LIMIT = 128;

  /** A longer body is refused. */
  static final long BODY_LIMIT = 64L << 20;

  private static final int HEXADECIMAL = 16;
  private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
  private static final int STATUS_LINE_LEAST = 12;
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final PageScanner scanner;
  private final byte[] line = new byte[LINE_LIMIT];
  private int lineLength;
  private Part part = Part.STATUS;
  private int headers;
  private int status;
  private boolean keepAlive;
  private boolean chunked;
  private long contentLength;
  private long left;
  private long bodyBytes;
  private @Nullable String location;
  private Cookies cookies = new Cookies();

  ResponseParser(PageScanner scanner) {
    this.scanner = scanner;
  }

  private enum Part {
    STATUS,
    HEADER,
    FIXED,
    TO_CLOSE,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILER,
    DONE
  }

  /** Begins a response; its cookies will go to the given ones. */
  public void begin(Cookies jar) {
    cookies = jar;
    part = Part.STATUS;
    lineLength = 0;
    bodyBytes = 0;
    beginHead();
  }

  private void beginHead() {
    headers = 0;
    keepAlive = true;
    chunked = false;
    contentLength = -1;
    location = null;
  }

  public boolean done() {
    return part == Part.DONE;
  }

  public int status() {
    return status;
  }

  /** Whether the connection may be used for another request. */
  public boolean keepAlive() {
    return keepAlive;
  }

  public @Nullable String location() {
    return location;
  }

  /** The connection ended; tells whether the response ends with it. */
  public boolean connectionEnded() {
    if (part == Part.TO_CLOSE) {
      part = Part.DONE;
    }
    return done();
  }

  /**
   * Takes bytes of the response.
   *
   * @return how many were used: fewer than given only when the response is done
   * @throws MalformedResponseException if they are not such a response
   */
  public int feed(byte[] bytes, int offset, int length) throws MalformedResponseException {
    int at = offset;
    int end = offset + length;
    while (at < end && part != Part.DONE) {
      switch (part) {
        case FIXED, CHUNK, TO_CLOSE -> at += body(bytes, at, end - at);
        case STATUS, HEADER, CHUNK_SIZE, CHUNK_END, TRAILER -> {
          byte value = bytes[at++];
          if (value == '\n') {
            endLine();
          } else if (lineLength == LINE_LIMIT) {
            throw new MalformedResponseException("a line of more than " + LINE_LIMIT + " bytes");
          } else {
            line[lineLength++] = value;
          }
        }
        case DONE -> throw new AssertionError("the loop ends with the response");
      }
    }
    return at - offset;
  }

  private int body(byte[] bytes, int offset, int length) throws MalformedResponseException {
    int taken = part == Part.TO_CLOSE ? length : (int) Math.min(length, left);
    bodyBytes += taken;
    if (bodyBytes > BODY_LIMIT) {
      throw new MalformedResponseException("a body of more than " + BODY_LIMIT + " bytes");
    }
    scanner.feed(bytes, offset, taken);
    if (part != Part.TO_CLOSE) {
      left -= taken;
      if (left == 0) {
        part = part == Part.CHUNK ? Part.CHUNK_END : Part.DONE;
      }
    }
    return taken;
  }

  private void endLine() throws MalformedResponseException {
    if (lineLength > 0 && line[lineLength - 1] == '\r') {
      lineLength--;
    }
    switch (part) {
      case STATUS -> statusLine();
      case HEADER -> headerLine();
      case CHUNK_SIZE -> chunkSize();
      case CHUNK_END -> {
        if (lineLength > 0) {
          throw new MalformedResponseException("a chunk longer than its size");
        }
        part = Part.CHUNK_SIZE;
      }
      case TRAILER -> {
        countHeader();
        part = lineLength == 0 ? Part.DONE : Part.TRAILER;
      }
      case FIXED, TO_CLOSE, CHUNK, DONE -> throw new AssertionError("bodies have no lines");
    }
    lineLength = 0;
  }

  private void countHeader() throws MalformedResponseException {
    headers++;
    if (headers > HEADER_LIMIT) {
      throw new MalformedResponseException("more than " + HEADER_LIMIT + " header lines");
    }
  }

  private void statusLine() throws MalformedResponseException {
    if (!isStatusLine()) {
      String text = new String(line, 0, lineLength, StandardCharsets.ISO_8859_1);
      throw new MalformedResponseException("'" + text + "' is not a status line of HTTP/1.1");
    }
    status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + line[11] - '0';
    keepAlive = line[7] == '1';
    part = Part.HEADER;
  }

  /** {@code HTTP/1.x DDD}, and nothing or a space and a reason. */
  private boolean isStatusLine() {
    if (lineLength < STATUS_LINE_LEAST || (lineLength > STATUS_LINE_LEAST && line[12] != ' ')) {
      return false;
    }
    for (int i = 0; i < VERSION.length; i++) {
      if (line[i] != VERSION[i]) {
        return false;
      }
    }
    return (line[7] == '0' || line[7] == '1')
        && line[8] == ' '
        && line[9] >= '1'
        && line[9] <= '5'
        && Character.isDigit(line[10])
        && Character.isDigit(line[11]);
  }

  private void headerLine() throws MalformedResponseException {
    if (lineLength == 0) {
      endHead();
      return;
    }
    countHeader();
    int colon = 0;
    while (colon < lineLength && line[colon] != ':') {
      colon++;
    }
    switch (colon) { // by length first: most headers need no text of their own
      case 10, 14, 17, 8 -> {
        if (colon < lineLength) {
          header(
              new String(line, 0, colon, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT),
              new String(line, colon + 1, lineLength - colon - 1, StandardCharsets.ISO_8859_1)
                  .strip());
        }
      }
      default -> {}
    }
  }

  private void header(String name, String value) throws MalformedResponseException {
    switch (name) {
      case "content-length" -> {
        contentLength = contentLength(value);
      }
      case "transfer-encoding" -> {
        if (!value.equalsIgnoreCase("chunked")) {
          throw new MalformedResponseException("transfer encoding '" + value + "'");
        }
        chunked = true;
      }
      case "connection" -> {
        String options = value.toLowerCase(Locale.ROOT);
        keepAlive = options.contains("close") ? false : keepAlive || options.contains("keep-alive");
      }
      case "set-cookie" -> cookies.set(value);
      case "location" -> location = value;
      default -> {}
    }
  }

  private static long contentLength(String value) throws MalformedResponseException {
    try {
      long length = Long.parseLong(value);
      if (length >= 0 && Character.isDigit(value.charAt(0))) {
        return length;
      }
    } catch (NumberFormatException e) {
      throw new MalformedResponseException("content length '" + value + "'");
    }
    throw new MalformedResponseException("content length '" + value + "'");
  }

  private void endHead() {
    if (status < OK) {
      part = Part.STATUS;
      beginHead();
    } else if (status == NO_CONTENT || status == NOT_MODIFIED) {
      part = Part.DONE;
    } else if (chunked) {
      part = Part.CHUNK_SIZE;
    } else if (contentLength >= 0) {
      left = contentLength;
      part = left == 0 ? Part.DONE : Part.FIXED;
    } else {
      keepAlive = false;
      part = Part.TO_CLOSE;
    }
  }

  private void chunkSize() throws MalformedResponseException {
    int digits = 0;
    long size = 0;
    while (digits < lineLength && Character.digit(line[digits], HEXADECIMAL) >= 0 && digits < 16) {
      size = size * HEXADECIMAL + Character.digit(line[digits], HEXADECIMAL);
      digits++;
    }
    boolean ended = digits == lineLength || line[digits] == ';' || line[digits] == ' ';
    if (digits == 0 || !ended || size < 0) {
      throw new MalformedResponseException("a chunk without a size");
    }
    left = size;
    part = size == 0 ? Part.TRAILER : Part.CHUNK;
  }
}
