package org.terrace.collections.tomcat;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Writes what a request has changed of the attributes of its session before its reply ends.
 * Thread-safe.
 */
final class EndOfRequestValve extends ValveBase {
  private final ReplicatedSessionManager sessions;

  EndOfRequestValve(ReplicatedSessionManager sessions) {
    super(true);
    this.sessions = sessions;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
    sessions.replyEnds(request.isAsync());
  }
}
