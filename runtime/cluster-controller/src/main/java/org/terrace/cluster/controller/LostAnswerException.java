package org.terrace.cluster.controller;

import java.io.Serial;
import java.sql.SQLNonTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a statement that took effect, and was committed by itself, although its answer, or
 * a part of it, did not arrive: it is not to be tried again.
 */
public final class LostAnswerException extends SQLNonTransientConnectionException {
  @Serial private static final long serialVersionUID = 1;

  LostAnswerException(String message, @Nullable Throwable cause) {
    super(message, "08006", cause);
  }
}
