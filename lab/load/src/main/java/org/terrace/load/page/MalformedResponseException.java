package org.terrace.load.page;

import java.io.IOException;

/** An answer that is not HTTP/1.1, or exceeds a limit of the client. */
public final class MalformedResponseException extends IOException {
  MalformedResponseException(String message) {
    super(message);
  }
}
