package org.terrace.metrics;

import java.util.List;
import org.terrace.invocation.server.ServiceServer;

/** The figures of a server of calls. */
final class ServiceFigures {
  private ServiceFigures() {}

  static List<RuntimeMetric> of(ServiceServer server) {
    return new Figures<>(() -> server)
        .flag(
            "healthy", "it accepts connections, and reaches its database", ServiceServer::isHealthy)
        .gauge("callsUnderWay", "calls under way", ServiceServer::callsUnderWay)
        .counter("answered", "calls that were given a reply", ServiceServer::answered)
        .counter(
            "rejected",
            "calls turned away: unknown, malformed, or too many",
            ServiceServer::rejected)
        .counter(
            "sessionsRestored",
            "sessions of clients created or restored",
            ServiceServer::sessionsRestored)
        .counter("warmUpCalls", "calls to itself, to be warm", ServiceServer::warmUpCalls)
        .counter(
            "warmUpCallsFailed", "calls to itself that failed", ServiceServer::warmUpCallsFailed)
        .list();
  }
}
