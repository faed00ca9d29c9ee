package org.terrace.tracing.span;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;

/** The rows of a requests table as spans of their servers. Confined to one thread. */
final class RequestSpans {
  /** Half of a 128-bit identifier, so that two observations do not share traces. */
  private final long observation;

  private final RequestTable table;
  private final Map<Long, Integer> rows = new HashMap<>();
  private long unused = 1L << 62;

  RequestSpans(RequestTable table) {
    this.table = table;
    long mixed = table.size();
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = table.trace(row);
      if (trace != null) {
        rows.putIfAbsent(trace.span(), row);
      }
      mixed = 31 * mixed + table.arrivalNanos(row) + 7 * table.departureNanos(row);
    }
    // An odd number is never the identifier of zeros, which is not allowed.
    observation = mixed * 0x9E3779B97F4A7C15L | 1;
  }

  /** The number of the row of a span's parent; -1 if it has none that is there. */
  int parentRow(int row) {
    TraceContext trace = table.trace(row);
    return trace == null || trace.parent() == TraceContext.NO_PARENT
        ? -1
        : rows.getOrDefault(trace.parent(), -1);
  }

  /** A row as a span; a request whose transaction nothing tells is a trace of its own. */
  Span span(int row) {
    Request request = table.request(row);
    TraceContext trace = request.trace();
    boolean parented = parentRow(row) >= 0;
    return new Span(
        Identifiers.hex(observation)
            + Identifiers.hex(trace == null ? unused++ : trace.transaction()),
        Identifiers.hex(trace == null ? unused++ : notZero(trace.span())),
        parented && trace != null ? Identifiers.hex(notZero(trace.parent())) : null,
        Span.Side.SERVER,
        request.server(),
        request.requestClass(),
        request.arrivalNanos(),
        request.departureNanos(),
        request.outcome() == Outcome.ERROR || request.outcome() == Outcome.ABORTED,
        attributes(request, trace));
  }

  /** A span must not be called zero; the largest number is hardly ever used. */
  private static long notZero(long span) {
    return span == 0 ? Long.MAX_VALUE : span;
  }

  private static Map<String, String> attributes(Request request, @Nullable TraceContext trace) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put(Attributes.CLIENT, request.client());
    put(attributes, Attributes.INTENDED, request.intendedNanos(), request.arrivalNanos());
    put(attributes, Attributes.BYTES_IN, request.bytesIn(), 0);
    put(attributes, Attributes.BYTES_OUT, request.bytesOut(), 0);
    if (request.outcome() != Outcome.OK) {
      attributes.put(Attributes.OUTCOME, request.outcome().name());
    }
    put(attributes, Attributes.CONNECTION, request.connection(), 0);
    Exchange exchange = request.exchange();
    put(attributes, Attributes.REQUEST_END, exchange.requestEndNanos(), Exchange.UNKNOWN);
    put(attributes, Attributes.RESPONSE_START, exchange.responseStartNanos(), Exchange.UNKNOWN);
    put(attributes, Attributes.FIRST_FRAME, exchange.firstFrame(), Exchange.UNKNOWN);
    put(attributes, Attributes.LAST_FRAME, exchange.lastFrame(), Exchange.UNKNOWN);
    if (trace == null) {
      attributes.put(Attributes.SOURCE, Attributes.NO_SOURCE);
    } else {
      attributes.put(Attributes.SOURCE, trace.source());
      attributes.put(Attributes.CONFIDENCE, String.valueOf(trace.confidence()));
    }
    return attributes;
  }

  private static void put(Map<String, String> attributes, String key, long value, long usual) {
    if (value != usual) {
      attributes.put(key, String.valueOf(value));
    }
  }
}
