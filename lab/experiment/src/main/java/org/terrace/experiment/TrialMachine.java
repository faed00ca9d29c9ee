package org.terrace.experiment;

import java.util.Map;

/**
 * A machine of a trial, as it is judged whether it had room. Immutable.
 *
 * @param name the words for it, such as {@code this machine} or {@code the host left}
 * @param node the node of its readings among the samples
 * @param cores its processors
 * @param nodes the cores that each of the trial's own nodes on it may use, and that the node's
 *     utilisation is a part of
 */
public record TrialMachine(String name, String node, int cores, Map<String, Double> nodes) {
  /** Copies the nodes. */
  public TrialMachine {
    nodes = Map.copyOf(nodes);
  }
}
