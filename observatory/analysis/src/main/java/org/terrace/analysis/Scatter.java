package org.terrace.analysis;

/**
 * Load against throughput of one server, a point a window. When there are more than {@value #LIMIT}
 * windows, an evenly spaced part of them is kept, and all stalled ones up to that limit. The arrays
 * have one length and are shared, not copied: treat them as read-only.
 *
 * @param windows the number of windows that the points were taken from
 * @param load the load of each point
 * @param throughput the completed work units a second of each point
 * @param stalled whether the window overlaps a stall
 */
public record Scatter(int windows, double[] load, double[] throughput, boolean[] stalled) {
  /** The most points kept. */
  public static final int LIMIT = 5_000;
}
