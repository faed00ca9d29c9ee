package org.terrace.scaling.economy;

/**
 * A load under which a configuration was tried, and whether it keeps the agreement there.
 * Immutable.
 *
 * @param users the load
 * @param verdict what the interval says
 * @param trials the trials of this load that were done
 * @param failed those that failed
 * @param requests the requests of the trials that were done
 * @param share the share of them that kept the agreement; 0 where no trial was done
 * @param low the lower end of the share's 95 % interval; 0 where no trial was done
 * @param high the upper end; 1 where no trial was done
 */
public record FoundLoad(
    int users,
    Verdict verdict,
    int trials,
    int failed,
    long requests,
    double share,
    double low,
    double high) {
  /** A verdict on a load. */
  public enum Verdict {
    /** The interval lies at the share that was agreed on, or above, and no trial failed. */
    KEPT,
    /** The interval lies below. */
    BROKEN,
    /** The interval holds shares of both kinds, or some trials failed: it cannot be told. */
    UNCERTAIN,
    /** All trials failed: the load counts as broken. */
    UNMEASURED
  }

  /** A load of which all trials failed. */
  public static FoundLoad unmeasured(int users, int failed) {
    return new FoundLoad(users, Verdict.UNMEASURED, 0, failed, 0, 0, 0, 1);
  }
}
