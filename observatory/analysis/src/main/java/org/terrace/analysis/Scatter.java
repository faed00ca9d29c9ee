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

  /**
   * The windows of a server, thinned evenly but for the stalled ones; those of which nothing is
   * known are left out.
   */
  static Scatter of(double[] load, double[] throughput, boolean[] stalled, boolean[] lost) {
    int keepOneOf = Math.max(1, Math.ceilDiv(load.length, LIMIT));
    int[] kept = new int[Math.min(load.length, LIMIT)];
    int size = 0;
    for (int i = 0; i < load.length && size < kept.length; i += keepOneOf) {
      if (!lost[i]) {
        kept[size++] = i;
      }
    }
    for (int i = 0; i < load.length && size < kept.length; i++) {
      if (stalled[i] && !lost[i] && i % keepOneOf != 0) {
        kept[size++] = i;
      }
    }
    double[] keptLoad = new double[size];
    double[] keptThroughput = new double[size];
    boolean[] keptStalled = new boolean[size];
    for (int i = 0; i < size; i++) {
      keptLoad[i] = load[kept[i]];
      keptThroughput[i] = throughput[kept[i]];
      keptStalled[i] = stalled[kept[i]];
    }
    return new Scatter(load.length, keptLoad, keptThroughput, keptStalled);
  }
}
