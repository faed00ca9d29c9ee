package org.terrace.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * An answer. Immutable.
 *
 * @param status its status
 * @param headers its headers beside those that every answer has
 * @param length the bytes of its body; {@value #UNKNOWN} if they are not known before
 * @param heldBytes the bytes that are in memory for the body until it is written
 * @param body writes the body
 */
public record PageResponse(
    int status, Map<String, String> headers, long length, long heldBytes, Body body) {
  /** The length of a body that is written as it comes. */
  public static final long UNKNOWN = -1;

  static final int FOUND_NOTHING = 404;

  private static final int GOOD = 200;
  private static final String TYPE = "Content-Type";

  /** The writer of a body. */
  @FunctionalInterface
  public interface Body {
    /**
     * Writes the body.
     *
     * @param stopping whether the server is about to stop, so that an endless body ends
     */
    void write(OutputStream output, BooleanSupplier stopping) throws IOException;
  }

  /** Copies the headers. */
  public PageResponse {
    headers = Map.copyOf(headers);
  }

  /** A page. */
  public static PageResponse html(int status, String page) {
    return of(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
  }

  /** A page that was found. */
  public static PageResponse html(String page) {
    return html(GOOD, page);
  }

  /** A body that is at hand. */
  public static PageResponse of(int status, String type, byte[] content) {
    return new PageResponse(
        status,
        Map.of(TYPE, type),
        content.length,
        content.length,
        (output, stopping) -> output.write(content));
  }

  /**
   * A stream of events that lasts until whoever listens goes, or the server stops.
   *
   * @param heldBytes the bytes that are kept in memory meanwhile
   */
  public static PageResponse events(long heldBytes, Body body) {
    return new PageResponse(GOOD, Map.of(TYPE, EVENTS), UNKNOWN, heldBytes, body);
  }

  /**
   * A body that is written piece by piece, of which no more is in memory.
   *
   * @param length its bytes
   */
  public static PageResponse streamed(String type, long length, Body body) {
    return new PageResponse(GOOD, Map.of(TYPE, type), length, 0, body);
  }

  /** A file for whoever takes it away. */
  public static PageResponse attachment(String type, String name, long length, Body body) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
    return new PageResponse(
        GOOD,
        Map.of(TYPE, type, "Content-Disposition", "attachment; filename=\"" + plain + '"'),
        length,
        0,
        body);
  }

  static final String EVENTS = "text/event-stream";

  /** Whether it may last as long as whoever listens does. */
  boolean isEvents() {
    return EVENTS.equals(headers.get(TYPE));
  }

  /** The same answer with one more header, or another value of one. */
  public PageResponse with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new PageResponse(status, more, length, heldBytes, body);
  }
}
