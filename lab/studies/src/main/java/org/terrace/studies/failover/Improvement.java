package org.terrace.studies.failover;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** An improvement of fail-over: the source has six and adds one after the other, in this order. */
enum Improvement {
  PROMPT_NOTICE("notice", "prompt notice of a crash and of a new primary"),
  OTHER_REPLICAS("others", "the client's own turn to another replica"),
  WARM_CONNECTIONS("warm", "connections opened and warmed beforehand"),
  DATABASE_POOL("pool", "a pool of database connections at the server"),
  LOAD_BALANCING("balance", "clients and reads spread over the replicas"),
  TRUSTED_IDENTITY("trust", "a restored client believed without asking the database");

  /** A word for it, short enough for an axis. */
  final String word;

  private final String effect;

  Improvement(String word, String effect) {
    this.word = word;
    this.effect = effect;
  }

  /** The number of all. */
  static int count() {
    return values().length;
  }

  /** The name of the configuration that has the first so many of them. */
  static String label(int on) {
    return on == 0 ? "none" : "+ " + values()[on - 1].word;
  }

  /** The first so many of them, as the applications' flag {@code --fail-over} has them. */
  static String flag(int on) {
    return on == 0
        ? "none"
        : Arrays.stream(values())
            .limit(on)
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(","));
  }

  /** The words with their effects and the source's numbers, for a reader of tables. */
  static String legend() {
    return Arrays.stream(values())
        .map(each -> "%s: %s (%d)".formatted(each.word, each.effect, each.ordinal() + 1))
        .collect(Collectors.joining("; "));
  }
}
