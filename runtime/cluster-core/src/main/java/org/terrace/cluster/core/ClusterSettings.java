package org.terrace.cluster.core;

/**
 * The choices that decide how a cluster answers.
 *
 * @param strategy how many replicas must have done a write before its client is told
 * @param minimumActive with fewer active replicas than this, at least 1, writes are refused
 */
public record ClusterSettings(WriteStrategy strategy, int minimumActive) {
  /** Checks the range. */
  public ClusterSettings {
    if (minimumActive < 1) {
      throw new IllegalArgumentException("at least one replica is needed: " + minimumActive);
    }
  }
}
