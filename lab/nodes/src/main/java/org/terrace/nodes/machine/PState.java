package org.terrace.nodes.machine;

import java.util.List;

/**
 * A clock speed that a processor can run at. Immutable.
 *
 * @param name its name, for example {@code P0}, the fastest
 * @param megahertz its clock
 */
public record PState(String name, double megahertz) {
  /**
   * The states of an Intel Xeon as far as they are published, the fastest first.
   *
   * <p>Source: Wang et al., "Detecting transient bottlenecks in n-tier applications through
   * fine-grained analysis", ICDCS 2013, Table II.
   */
  public static final List<PState> XEON =
      List.of(
          new PState("P0", 2261),
          new PState("P1", 2128),
          new PState("P4", 1729),
          new PState("P5", 1596),
          new PState("P8", 1197));

  /** The part of the fastest one's clock. */
  public double share() {
    return megahertz / XEON.getFirst().megahertz();
  }
}
