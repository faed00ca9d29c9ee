package org.terrace.core;

import java.util.Locale;

/** CountedNoun as people write them: {@code 1 trial}, {@code 1,200 trials}. Stateless. */
public final class CountedNoun {
  private CountedNoun() {}

  /**
   * A count with its noun.
   *
   * @param noun what is counted, in the singular, of a kind that takes an s for more
   */
  public static String of(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }
}
