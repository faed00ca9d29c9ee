package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import org.terrace.protocols.text.TextBuffer;

/**
 * Makes the class of an HTTP request of its method and target: {@code GET /view-story?story={n}}.
 * What varies from request to request is replaced: in path segments and parameter values numbers by
 * {@code {n}}, UUIDs by {@code {uuid}}, hexadecimal strings of eight digits and more by {@code
 * {hex}}, long strings with digits by {@code {token}}; other parameter values by {@code {s}}. Names
 * of parameters and their order stay. Confined to one thread; takes time linear in the target and
 * makes no text for a class that is known.
 */
public final class UrlTemplates {
  private static final int METHOD_BYTES_MAX = 20;
  private static final int TEMPLATE_BYTES_MAX = 256;
  private static final int HEX_DIGITS_MIN = 8;
  private static final int TOKEN_CHARACTERS_MIN = 20;
  private static final int UUID_CHARACTERS = 36;

  private static final byte[] NUMBER = ascii("{n}");
  private static final byte[] UUID = ascii("{uuid}");
  private static final byte[] HEX = ascii("{hex}");
  private static final byte[] TOKEN = ascii("{token}");
  private static final byte[] STRING = ascii("{s}");
  private static final byte[] NOTHING = {};

  private final RequestClasses classes;
  private final TextBuffer template = new TextBuffer(TEMPLATE_BYTES_MAX);

  UrlTemplates(RequestClasses classes) {
    this.classes = classes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The class of a request.
   *
   * @param bytes the request line's array
   * @param methodEnd the index after the method, which begins at {@code from}
   * @param to the index after the target, which begins one after the method
   */
  public int classOf(byte[] bytes, int from, int methodEnd, int to) {
    template.clear();
    template.add(bytes, from, methodEnd);
    template.add(' ');
    int at = pathStart(bytes, methodEnd + 1, to);
    if (at < to && bytes[at] != '/') {
      addOpaque(bytes, at, to);
      return classes.of(template.bytes(), template.length());
    }
    int query = path(bytes, at, to);
    if (query < to) {
      query(bytes, query, to);
    }
    return classes.of(template.bytes(), template.length());
  }

  /** A target that is no path: {@code *}, or the host of a CONNECT. */
  private void addOpaque(byte[] bytes, int at, int to) {
    if (to - at == 1 && bytes[at] == '*') {
      template.add('*');
    } else {
      template.add(STRING, 0, STRING.length);
    }
  }

  /** Passes over the scheme and host of an absolute target. */
  private static int pathStart(byte[] bytes, int from, int to) {
    if (from < to && bytes[from] == '/') {
      return from;
    }
    for (int at = from; at + 2 < to && bytes[at] != '/'; at++) {
      if (bytes[at] == ':' && bytes[at + 1] == '/' && bytes[at + 2] == '/') {
        int slash = at + 3;
        while (slash < to && bytes[slash] != '/') {
          slash++;
        }
        return slash;
      }
    }
    return from;
  }

  /** Adds the path and returns the index of the query's question mark, or the end. */
  private int path(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '?' && bytes[at] != '#') {
      int segment = at + 1;
      int end = segment;
      int parameters = -1;
      while (end < to && bytes[end] != '/' && bytes[end] != '?' && bytes[end] != '#') {
        if (bytes[end] == ';' && parameters < 0) {
          parameters = end;
        }
        end++;
      }
      int valueEnd = parameters < 0 ? end : parameters;
      template.add('/');
      byte[] placeholder = placeholder(bytes, segment, valueEnd);
      if (placeholder.length > 0) {
        template.add(placeholder, 0, placeholder.length);
      } else {
        template.add(bytes, segment, valueEnd);
      }
      at = end;
    }
    return at;
  }

  private void query(byte[] bytes, int from, int to) {
    if (bytes[from] == '#') {
      return;
    }
    template.add('?');
    int at = from + 1;
    while (at < to && bytes[at] != '#') {
      int end = at;
      int equals = -1;
      while (end < to && bytes[end] != '&' && bytes[end] != '#') {
        if (bytes[end] == '=' && equals < 0) {
          equals = end;
        }
        end++;
      }
      parameter(bytes, at, equals, end);
      if (end < to && bytes[end] == '&') {
        template.add('&');
        end++;
      }
      at = end;
    }
  }

  private void parameter(byte[] bytes, int at, int equals, int end) {
    int nameEnd = equals < 0 ? end : equals;
    byte[] placeholder = placeholder(bytes, at, nameEnd);
    if (placeholder.length > 0) {
      template.add(placeholder, 0, placeholder.length);
    } else {
      template.add(bytes, at, nameEnd);
    }
    if (equals >= 0) {
      template.add('=');
      if (equals + 1 < end) {
        byte[] value = placeholder(bytes, equals + 1, end);
        byte[] shown = value.length > 0 ? value : STRING;
        template.add(shown, 0, shown.length);
      }
    }
  }

  /** The placeholder of a varying string, or nothing for one that stays. */
  private static byte[] placeholder(byte[] bytes, int from, int to) {
    int length = to - from;
    int digits = 0;
    int hexLetters = 0;
    int dashes = 0;
    int others = 0;
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      int lower = c | 0x20;
      if (c >= '0' && c <= '9') {
        digits++;
      } else if (lower >= 'a' && lower <= 'f') {
        hexLetters++;
      } else if (c == '-') {
        dashes++;
      } else {
        others++;
      }
    }
    if (digits == 0) {
      return NOTHING;
    }
    if (digits == length || (digits == length - 1 && bytes[from] == '-')) {
      return NUMBER;
    }
    if (others == 0 && dashes == 4 && length == UUID_CHARACTERS) {
      return UUID;
    }
    if (others == 0 && dashes == 0 && digits + hexLetters >= HEX_DIGITS_MIN) {
      return HEX;
    }
    return length >= TOKEN_CHARACTERS_MIN ? TOKEN : NOTHING;
  }

  /** The index behind the method with which a line begins; -1 if it begins with none. */
  static int methodEnd(byte[] bytes, int from, int to) {
    int end = Math.min(to, from + METHOD_BYTES_MAX + 1);
    int at = from;
    while (at < end && ((bytes[at] >= 'A' && bytes[at] <= 'Z') || bytes[at] == '-')) {
      at++;
    }
    return at > from && at < end && bytes[at] == ' ' ? at : -1;
  }
}
