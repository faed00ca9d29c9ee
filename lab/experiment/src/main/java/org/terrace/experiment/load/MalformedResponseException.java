package org.terrace.experiment.load;

import java.io.IOException;

/** An answer that is not HTTP/1.1, or exceeds a limit of the client. */
final class MalformedResponseException extends IOException {
  MalformedResponseException(String message) {
    super(message);
  }
}
