package org.terrace.collections.replication;

import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * An update that too few replicas confirmed in time. It stays in this replica and will reach the
 * others if this replica survives; it may be repeated.
 */
public final class UnacknowledgedWriteException extends TerraceException {
  /** An update of which the message says what was missing. */
  public UnacknowledgedWriteException(String message) {
    super(ErrorCode.MACHINE_LACKS, message);
  }
}
