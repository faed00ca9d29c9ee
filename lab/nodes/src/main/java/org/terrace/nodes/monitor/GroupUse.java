package org.terrace.nodes.monitor;

import java.util.List;
import java.util.OptionalLong;

/** The use of a processor by all that is in one control group. */
public interface GroupUse {
  /**
   * The processor time in nanoseconds of all processes that were ever in it, ended ones too; empty
   * where the kernel does not count it there.
   */
  OptionalLong usedNanos();

  /** The processes that are in it now. */
  List<Long> processes();
}
