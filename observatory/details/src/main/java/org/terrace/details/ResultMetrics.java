package org.terrace.details;

import java.util.LinkedHashMap;
import java.util.Map;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;

/**
 * The figures of findings that are compared: what the users saw decides, what each server did is
 * told beside it. The users are the load generator's clients, or else the callers of the first
 * server. Stateless.
 */
public final class ResultMetrics {
  private static final String USERS = "users ";
  private static final double MICROS_PER_MILLI = 1_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double PER_CENT = 100;

  /** A change of the share of errors that does not matter, in percentage points. */
  private static final double ERROR_POINTS = 0.1;

  /** A change of the time stalled that does not matter. */
  private static final double STALLED_MILLIS = 10;

  private ResultMetrics() {}

  /** The figures by what they are, those that decide first. */
  public static Map<Metric, Double> of(Findings findings) {
    Map<Metric, Double> values = new LinkedHashMap<>();
    Findings.Clients clients = findings.clients();
    if (clients != null) {
      put(values, millis(USERS + "p50", true), clients.latencyMicros().p50() / MICROS_PER_MILLI);
      put(values, millis(USERS + "p99", true), clients.latencyMicros().p99() / MICROS_PER_MILLI);
      put(values, errors(USERS, true), share(clients.errors(), clients.requests()));
      Double answers = clients.answersPerSecond();
      if (answers != null) {
        put(values, rate(USERS + "throughput", true), answers);
      }
    }
    boolean first = clients == null;
    for (ServerFindings server : findings.servers()) {
      addServer(values, server, first);
      addErrors(values, findings, server.name(), first);
      first = false;
    }
    return values;
  }

  /**
   * The figures by their names, for thresholds. Where the users were not watched from their side,
   * {@code users} are the callers of the first server.
   */
  public static Map<String, Double> byName(Findings findings) {
    Map<String, Double> figures = new LinkedHashMap<>();
    Map<Metric, Double> metrics = of(findings);
    if (findings.clients() == null && !findings.servers().isEmpty()) {
      String first = findings.servers().getFirst().name() + " ";
      metrics.forEach((metric, value) -> {
        if (metric.name().startsWith(first)) {
          figures.put(USERS + metric.name().substring(first.length()), value);
        }
      });
    }
    metrics.forEach((metric, value) -> figures.put(metric.name(), value));
    return figures;
  }

  private static void addServer(
      Map<Metric, Double> values, ServerFindings server, boolean decides) {
    String name = server.name();
    double millis = server.residenceMicros().p50() / MICROS_PER_MILLI;
    put(values, millis(name + " p50", decides), millis);
    millis = server.residenceMicros().p99() / MICROS_PER_MILLI;
    put(values, millis(name + " p99", decides), millis);
    put(values, rate(name + " throughput", decides), server.requestsPerSecond());
    double stalledNanos = 0;
    for (Stall stall : server.stalls()) {
      stalledNanos += stall.endNanos() - stall.startNanos();
    }
    Metric stalled =
        new Metric(name + " stalled", "ms", Scale.DIFFERENCE, Better.LESS, STALLED_MILLIS, false);
    put(values, stalled, stalledNanos / NANOS_PER_MILLI);
  }

  /** Adds the share of a server's requests that failed, if its findings have their outcomes. */
  private static void addErrors(
      Map<Metric, Double> values, Findings findings, String server, boolean decides) {
    long ended = 0;
    long failed = 0;
    for (ClassResponses responses : findings.responses()) {
      if (responses.server().equals(server)) {
        ended += responses.count();
        failed += responses.errors();
      }
    }
    if (ended > 0) {
      put(values, errors(server + " ", decides), share(failed, ended));
    }
  }

  private static double share(long part, long whole) {
    return PER_CENT * part / Math.max(1, whole);
  }

  private static Metric errors(String of, boolean decides) {
    return new Metric(of + "errors", "%", Scale.DIFFERENCE, Better.LESS, ERROR_POINTS, decides);
  }

  private static Metric rate(String name, boolean decides) {
    return new Metric(name, "/s", Scale.RATIO, Better.MORE, 0, decides);
  }

  private static Metric millis(String name, boolean decides) {
    return new Metric(name, "ms", Scale.RATIO, Better.LESS, 0, decides);
  }

  /** Leaves out what was not measured: a time or a rate of nothing. */
  private static void put(Map<Metric, Double> values, Metric metric, double value) {
    boolean measured = Double.isFinite(value) && (metric.scale() == Scale.DIFFERENCE || value > 0);
    if (measured) {
      values.put(metric, value);
    }
  }
}
