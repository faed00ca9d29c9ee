package org.terrace.scaling.economy;

import java.util.Locale;

/** A way to decide which trials of a mesh are run, as a specification names it. */
public enum SearchMethod {
  /** All trials of the mesh. */
  FULL,
  /** Guided by how busy each tier was in the trials so far. */
  GUIDED,
  /** Guided by the expected improvement of a Gaussian process. */
  IMPROVEMENT,
  /** Random choice, the control. */
  RANDOM,
  /** Bisection, to the most users under an agreement. */
  BISECTION;

  /** The word for it in specifications and results. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it looks for the configuration that earns most. */
  public boolean seeksProfit() {
    return this == GUIDED || this == IMPROVEMENT || this == RANDOM;
  }
}
