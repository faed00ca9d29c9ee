package org.terrace.load;

import java.util.Objects;

/**
 * One condition under which the figures of a run of load can be trusted, and whether it held.
 * Immutable.
 *
 * @param name its name in kebab-case, for example {@code generator-lateness}
 * @param passed whether it held
 * @param detail the figures it was judged by, in a sentence
 */
public record LoadCheck(String name, boolean passed, String detail) {
  /** Checks that nothing is missing. */
  public LoadCheck {
    Objects.requireNonNull(name);
    Objects.requireNonNull(detail);
  }
}
