package org.terrace.specification;

/**
 * The parts of a trial's result that stay. Its row, findings, report, logs and specification always
 * do. Immutable.
 *
 * @param packets the trials whose captures stay
 * @param tables whether the tables of requests, samples and so on stay
 * @param budgetBytes the most bytes that all trials may take together; beyond it captures go, and
 *     then tables, those of the trial that ran first before others; {@link Long#MAX_VALUE} without
 *     such a bound
 */
public record Keep(Packets packets, boolean tables, long budgetBytes) {
  /** The result of a mesh that does not say what it keeps. */
  public static final Keep DEFAULT = new Keep(Packets.NONE, true, Long.MAX_VALUE);

  /** The trials whose captures stay. */
  public enum Packets {
    /** All trials. */
    ALL,
    /** The trials that failed. */
    FAILED,
    /** No trial: captures are deleted once they have been analysed. */
    NONE
  }
}
