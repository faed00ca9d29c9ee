package org.terrace.nodes;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import org.terrace.nodes.NodeSpecification.Readiness;

/** Asks nodes that answer by HTTP whether they are ready. Stateless and thread-safe. */
final class HttpReadiness {
  private static final int ANSWER_WITHIN_MILLIS = 1_000;
  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;

  private HttpReadiness() {}

  static URI uri(Readiness.Http http) {
    return URI.create("http://" + http.address() + ":" + http.port() + http.path());
  }

  static boolean answers(Readiness.Http http) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri(http).toURL().openConnection();
      try {
        connection.setConnectTimeout(ANSWER_WITHIN_MILLIS);
        connection.setReadTimeout(ANSWER_WITHIN_MILLIS);
        connection.setInstanceFollowRedirects(false);
        int status = connection.getResponseCode();
        return status >= OK && status < MULTIPLE_CHOICES;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }
}
