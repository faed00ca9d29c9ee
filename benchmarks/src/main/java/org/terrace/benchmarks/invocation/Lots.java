package org.terrace.benchmarks.invocation;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;

/** The service that meets faults. */
public interface Lots {
  /** Enters a lot, and gives its number back. */
  @Update
  long enter(long lot);

  /** Takes long in the process of that number, and no time in others. */
  @Read
  long look(long slow);

  /** The process that answers. */
  @Read
  long pid();
}
