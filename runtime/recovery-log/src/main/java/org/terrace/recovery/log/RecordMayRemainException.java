package org.terrace.recovery.log;

import java.io.IOException;

/**
 * A failure to write records of which some may be in the log nevertheless: neither could they be
 * forced to the disk nor taken back. Whoever opens the log next finds them, or does not.
 */
@SuppressWarnings("serial")
public final class RecordMayRemainException extends IOException {
  RecordMayRemainException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
