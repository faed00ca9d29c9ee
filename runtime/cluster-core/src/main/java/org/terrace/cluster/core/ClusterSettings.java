package org.terrace.cluster.core;

/**
 * The choices that decide how a cluster answers.
 *
 * @param strategy how many replicas must have done a write before its client is told
 * @param minimumActive with fewer active replicas than this, at least 1, writes are refused
 * @param maxBehind how many transactions a replica may be at work on whose clients have their last
 *     answer, at least 1, before the ends of others wait for it as well
 */
public record ClusterSettings(WriteStrategy strategy, int minimumActive, int maxBehind) {
  /** Checks the range. */
  public ClusterSettings {
    if (minimumActive < 1) {
      throw new IllegalArgumentException("at least one replica is needed: " + minimumActive);
    }
    if (maxBehind < 1) {
      throw new IllegalArgumentException("replicas are behind by at least one: " + maxBehind);
    }
  }
}
