package org.terrace.dashboard.http;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request that has been taken apart: the segments of its path and its parameters, unescaped once.
 * Immutable.
 *
 * @param post whether it is a POST; all others are GET or HEAD
 * @param segments the segments of the path, without empty ones at its end
 * @param parameters the parameters of the query, in their order
 */
public record PageRequest(
    boolean post, List<String> segments, Map<String, List<String>> parameters) {
  /** The longest path and query together, in characters. */
  public static final int MOST_CHARACTERS = 16 << 10;

  private static final int MOST_PARTS = 2_000;
  private static final int HEX = 16;

  /** Copies the segments. */
  public PageRequest {
    segments = List.copyOf(segments);
  }

  /** A request that cannot be taken apart. */
  public static final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedRequestException(String message) {
      super(message);
    }
  }

  /**
   * Takes a request apart.
   *
   * @throws MalformedRequestException if it is too long, or escaped in a way that means nothing
   */
  public static PageRequest of(boolean post, URI address) throws MalformedRequestException {
    String path = Optional.ofNullable(address.getRawPath()).orElse("");
    String query = Optional.ofNullable(address.getRawQuery()).orElse("");
    if (path.length() + query.length() > MOST_CHARACTERS) {
      throw new MalformedRequestException("the address is too long");
    }
    if (!path.startsWith("/")) {
      throw new MalformedRequestException("the path does not begin with a slash");
    }
    return new PageRequest(post, unescapedSegments(path), parameters(query));
  }

  /** The segments of a path such as {@code /before/1}; empty if it is escaped badly. */
  public static Optional<List<String>> segments(String path) {
    try {
      return Optional.of(path.startsWith("/") ? unescapedSegments(path) : List.of());
    } catch (MalformedRequestException e) {
      return Optional.empty();
    }
  }

  private static List<String> unescapedSegments(String path) throws MalformedRequestException {
    List<String> segments = new ArrayList<>();
    for (String part : path.substring(1).split("/", MOST_PARTS)) {
      segments.add(unescaped(part, false));
    }
    while (!segments.isEmpty() && segments.getLast().isEmpty()) {
      segments.removeLast();
    }
    return segments;
  }

  /** Takes the parameters of a query, or of a form, apart. */
  static Map<String, List<String>> parameters(String query) throws MalformedRequestException {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String part : query.isEmpty() ? new String[0] : query.split("&", MOST_PARTS)) {
      int equals = part.indexOf('=');
      String name = unescaped(equals < 0 ? part : part.substring(0, equals), true);
      String value = equals < 0 ? "" : unescaped(part.substring(equals + 1), true);
      parameters.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }
    return parameters;
  }

  /** The first value of a parameter; empty if it is not there. */
  public Optional<String> parameter(String name) {
    return all(name).stream().findFirst();
  }

  /** All values of a parameter. */
  public List<String> all(String name) {
    return parameters.getOrDefault(name, List.of());
  }

  private static String unescaped(String text, boolean plusIsBlank)
      throws MalformedRequestException {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int high = i + 2 <= text.length() - 1 ? Character.digit(text.charAt(i + 1), HEX) : -1;
        int low = i + 2 <= text.length() - 1 ? Character.digit(text.charAt(i + 2), HEX) : -1;
        if (high < 0 || low < 0) {
          throw new MalformedRequestException("a % that escapes nothing");
        }
        bytes.put((byte) (high * HEX + low));
        i += 2;
      } else {
        bytes.put(
            String.valueOf(c == '+' && plusIsBlank ? ' ' : c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedRequestException("escaped bytes that are no UTF-8");
    }
  }
}
