package org.terrace.core.codec;

import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** Bytes that are not what they should be: damaged, or written by something else. */
public final class MalformedDataException extends TerraceException {
  /** Bytes of which the message says what is wrong with them. */
  public MalformedDataException(String message) {
    super(ErrorCode.BAD_INPUT, message);
  }
}
