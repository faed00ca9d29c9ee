package org.terrace.load;

/** A listener to the progress of a run of load, called on the thread that runs it. */
public interface LoadListener {
  /**
   * A phase has begun.
   *
   * @param phase {@code ramp-up}, {@code run} or {@code ramp-down}
   * @param startNanos when it began, in nanoseconds since the Unix epoch
   * @param endNanos when it is planned to end
   */
  void phase(String phase, long startNanos, long endNanos);

  /** A second has passed. */
  void progress(LoadProgress progress);
}
