package org.terrace.collections.replication;

import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * An update that too few replicas confirmed in time, or a removal of which it is known at once that
 * too few are there. It is made: it stays in this replica and will reach the others if this replica
 * survives. A put or removal may be repeated, and is confirmed then no sooner; what is added to a
 * counter, list or queue would count twice. What was not made is a {@link WriteRefusedException}.
 */
public final class UnacknowledgedWriteException extends TerraceException {
  /** An update of which the message says what was missing. */
  public UnacknowledgedWriteException(String message) {
    super(ErrorCode.MACHINE_LACKS, message);
  }
}
