package org.terrace.board.page;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.nio.charset.StandardCharsets;

/**
 * A writer of HTML in which markup can only be a literal of the source code and everything else is
 * escaped.
 *
 * <p>{@link #raw} takes a compile-time constant: the compiler (Error Prone's rule
 * CompileTimeConstant, an error in this build) refuses anything else. Whatever is computed, stored
 * or sent by a visitor goes through {@link #text}, {@link #number} or {@link #component}, so it
 * cannot become markup as long as attribute values are written in double quotes, which the pages
 * do, and no script or style element is ever opened, which the content security policy makes
 * harmless besides.
 *
 * <p>Confined to one thread. Writing costs about a nanosecond a character.
 */
public final class Html {
  private static final int USUAL_CHARACTERS = 16 * 1024;
  private static final String HEX = "0123456789ABCDEF";

  private final StringBuilder out = new StringBuilder(USUAL_CHARACTERS);

  /** Writes markup. */
  public Html raw(@CompileTimeConstant String markup) {
    out.append(markup);
    return this;
  }

  /** Writes text, for the content of an element or for an attribute's value in double quotes. */
  public Html text(String text) {
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      String escape =
          switch (text.charAt(i)) {
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '&' -> "&amp;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> "";
          };
      if (!escape.isEmpty()) {
        out.append(text, written, i).append(escape);
        written = i + 1;
      }
    }
    out.append(text, written, text.length());
    return this;
  }

  /** Writes a whole number. */
  public Html number(long number) {
    out.append(number);
    return this;
  }

  /** Writes a value of a URL's query: UTF-8, percent-encoded except letters and digits. */
  public Html component(String value) {
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (octet >= 'a' && octet <= 'z')
              || (octet >= 'A' && octet <= 'Z')
              || (octet >= '0' && octet <= '9')
              || octet == '-';
      if (plain) {
        out.append((char) octet);
      } else {
        out.append('%').append(HEX.charAt((octet >> 4) & 15)).append(HEX.charAt(octet & 15));
      }
    }
    return this;
  }

  /** The written page, in UTF-8. */
  public byte[] bytes() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
