package org.terrace.scaling.search;

import java.util.Locale;

/** A way to decide which trials of a mesh are run, as a specification names it. */
public enum SearchMethod {
  /** All trials of the mesh. */
  FULL,
  /** By how busy each tier was: {@link GuidedSearch}. */
  GUIDED,
  /** By the expected improvement of a Gaussian process: {@link ImprovementSearch}. */
  IMPROVEMENT,
  /** At random, the control: {@link RandomSearch}. */
  RANDOM,
  /** By halves, to the most users under an agreement: {@link BisectionSearch}. */
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
