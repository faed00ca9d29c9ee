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

  /**
   * Changes the row of a place, keeps it locked for a millisecond, and enters that. Of a service
   * with a database only.
   */
  @Update
  void hold(long place);

  /** The primary's name and process, as two words; an update, since any replica answers a read. */
  @Update
  String who();

  /** The primary's process; an update, since any replica answers a read. */
  @Update
  long pid();
}
