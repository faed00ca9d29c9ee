package org.terrace.evidence.host;

/** The taker of what a source reads. */
interface Readings {
  /**
   * Takes a value of a resource, which stands for the time since the source was read before.
   *
   * @param resource what was read, with its unit
   */
  void take(String node, String resource, double value);
}
