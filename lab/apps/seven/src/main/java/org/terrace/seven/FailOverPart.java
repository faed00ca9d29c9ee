package org.terrace.seven;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.terrace.invocation.FailOverOptions;

/** A part of {@link FailOverOptions}, by the word that the flag {@code --fail-over} has for it. */
enum FailOverPart {
  PROMPT_NOTICE,
  OTHER_REPLICAS,
  WARM_CONNECTIONS,
  DATABASE_POOL,
  LOAD_BALANCING,
  TRUSTED_IDENTITY;

  /** The words that the flag knows, for a usage line. */
  static final String USAGE = "all|none|PART,...";

  /** The words that the flag knows, to complete the sentence "expected ...". */
  static final String EXPECTED =
      "all, none, or some of "
          + Arrays.stream(values()).map(FailOverPart::toString).collect(Collectors.joining(","));

  /**
   * The options that the flag's value tells.
   *
   * @throws IllegalArgumentException when a word is none of {@link #EXPECTED}
   */
  static FailOverOptions options(String text) {
    return switch (text) {
      case "all" -> FailOverOptions.all();
      case "none" -> FailOverOptions.none();
      default -> {
        Set<FailOverPart> on = EnumSet.noneOf(FailOverPart.class);
        for (String word : text.split(",", -1)) {
          on.add(named(word));
        }
        yield new FailOverOptions(
            on.contains(PROMPT_NOTICE),
            on.contains(OTHER_REPLICAS),
            on.contains(WARM_CONNECTIONS),
            on.contains(DATABASE_POOL),
            on.contains(LOAD_BALANCING),
            on.contains(TRUSTED_IDENTITY));
      }
    };
  }

  private static FailOverPart named(String word) {
    return Arrays.stream(values())
        .filter(part -> part.toString().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(word));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
