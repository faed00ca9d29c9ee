package org.terrace.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The flag {@code --only=NAME,...}, which picks some of what a benchmark could measure. */
public final class OnlyFlag {
  private static final String FLAG = "--only=";
  private static final int BAD_INPUT = 2;

  private OnlyFlag() {}

  /** The name of a constant as users write it: in small letters, with hyphens. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the flags ask for less than the whole: some of the names, or a rough answer. */
  public static boolean isPart(List<String> flags) {
    return flags.contains("--quick") || flags.stream().anyMatch(flag -> flag.startsWith(FLAG));
  }

  /**
   * The names that the flags pick, or the given ones if there is no such flag. Ends the process
   * with status 2 and a message if one is not among the known.
   */
  public static List<String> of(List<String> flags, List<String> known, List<String> byDefault) {
    List<String> chosen = new ArrayList<>();
    for (String flag : flags) {
      if (flag.startsWith(FLAG)) {
        chosen.addAll(List.of(flag.substring(FLAG.length()).split(",", -1)));
      }
    }
    for (String name : chosen) {
      if (!known.contains(name)) {
        System.err.println("--only: '" + name + "' is none of " + String.join(", ", known) + ".");
        System.exit(BAD_INPUT);
      }
    }
    return chosen.isEmpty() ? byDefault : chosen;
  }
}
