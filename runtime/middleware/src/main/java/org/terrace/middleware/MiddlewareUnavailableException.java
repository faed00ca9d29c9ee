package org.terrace.middleware;

import java.io.IOException;

/** A middleware of which a part is not on the class path, or does not start on this machine. */
public final class MiddlewareUnavailableException extends IOException {
  /** Names the middleware, what is missing, and what to do. */
  public MiddlewareUnavailableException(String message) {
    super(message);
  }

  /** Names the middleware, what is missing, and what to do. */
  public MiddlewareUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
