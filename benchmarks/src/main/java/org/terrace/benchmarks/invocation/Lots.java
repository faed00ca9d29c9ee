package org.terrace.benchmarks.invocation;

import org.terrace.invocation.Update;

/** The service that meets faults. */
public interface Lots {
  /** Enters a lot, and gives its number back. */
  @Update
  long enter(long lot);

  /**
   * Takes long in the process of that number, and no time in others. An update: reads are spread
   * over the replicas, and one that another replica answers meets no fault of the primary.
   */
  @Update
  long look(long slow);

  /** The primary's process; an update, since any replica answers a read. */
  @Update
  long pid();
}
