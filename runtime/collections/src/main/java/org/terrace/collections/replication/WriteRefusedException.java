package org.terrace.collections.replication;

import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * An update that was not made: nothing changed on any replica, and it may be tried again when the
 * reason that the message names is gone. An update that was made and is not acknowledged yet is an
 * {@link UnacknowledgedWriteException}.
 */
public final class WriteRefusedException extends TerraceException {
  /** An update that was not made, and why. */
  public WriteRefusedException(String message) {
    super(ErrorCode.BAD_INPUT, message);
  }
}
