package org.terrace.dashboard.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.terrace.core.TerraceException;

/** The side that answers requests which may be asked. Called by several threads at once. */
@FunctionalInterface
public interface PageHandler {
  /**
   * Answers a request.
   *
   * @throws IOException if a file cannot be read
   * @throws TerraceException if a user should know why there is no answer
   */
  PageResponse answer(PageRequest request) throws IOException;

  /** The page that tells of an error. */
  default PageResponse error(int status, String message) {
    return PageResponse.of(
        status, "text/plain; charset=utf-8", (message + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** The page that asks for the token. */
  default PageResponse signIn(int status, String message) {
    return error(status, message);
  }
}
