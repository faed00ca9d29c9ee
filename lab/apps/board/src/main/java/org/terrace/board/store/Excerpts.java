package org.terrace.board.store;

/** The beginning of a story's text that lists show, kept beside the text. */
public final class Excerpts {
  /** The greatest length of an excerpt in characters. */
  public static final int CHARACTERS = 120;

  private Excerpts() {}

  /** The beginning of a text. */
  public static String of(String body) {
    return body.length() <= CHARACTERS
        ? body
        : body.substring(0, body.offsetByCodePoints(0, codePoints(body)));
  }

  private static int codePoints(String body) {
    return Math.min(CHARACTERS, body.codePointCount(0, body.length()));
  }
}
