package org.terrace.testing.simulation;

import java.util.HashSet;
import java.util.Set;

/** The directed links that are cut. */
final class SimulatedLinks {
  private record Link(String from, String to) {}

  private final Set<Link> cut = new HashSet<>();

  void cut(String from, String to) {
    cut.add(new Link(from, to));
  }

  void mendAll() {
    cut.clear();
  }

  boolean isOpen(String from, String to) {
    return cut.isEmpty() || !cut.contains(new Link(from, to));
  }
}
