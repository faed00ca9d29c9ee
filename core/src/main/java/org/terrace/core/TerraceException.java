package org.terrace.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operating failure that a user can act on: the message names the file, line or flag at fault,
 * what was expected, and the next step, in sentences that need no stack trace beside them.
 *
 * <p>Programming errors are not of this kind: they are unchecked exceptions of the JDK.
 */
public class TerraceException extends RuntimeException {
  private final ErrorCode code;

  /** A failure of the given kind with a message for the user. */
  public TerraceException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /** A failure of the given kind with a message for the user and the exception that led to it. */
  public TerraceException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code);
  }

  /** The kind of the failure. */
  public ErrorCode code() {
    return code;
  }
}
