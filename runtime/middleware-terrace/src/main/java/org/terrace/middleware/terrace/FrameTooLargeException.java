package org.terrace.middleware.terrace;

import java.io.IOException;

/** A frame larger than may be; the connection cannot go on. */
final class FrameTooLargeException extends IOException {
  FrameTooLargeException(long size, int max) {
    super("a frame of " + size + " bytes; at most " + max + " are accepted");
  }
}
