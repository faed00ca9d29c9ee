package org.terrace.middleware.terrace;

import java.io.IOException;

/** A replica that is there, and has no place for another connection. */
final class NoPlaceException extends IOException {
  private static final long serialVersionUID = 1L;

  NoPlaceException(String message) {
    super(message);
  }
}
