package org.terrace.tracing.span;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;
import tools.jackson.core.JsonGenerator;

/**
 * Requests as the JSON that Jaeger's page opens: a trace for each transaction, its services behind
 * its spans; times are cut to whole microseconds.
 */
final class JaegerWriter implements SpanWriter {
  private static final long NANOS_A_MICRO = 1_000;

  @Override
  public void write(RequestTable requests, OutputStream output) {
    RequestSpans spans = new RequestSpans(requests);
    Map<Long, List<Integer>> transactions = new LinkedHashMap<>();
    List<List<Integer>> traces = new ArrayList<>();
    for (int row = 0; row < requests.size(); row++) {
      TraceContext trace = requests.trace(row);
      if (trace == null) {
        traces.add(List.of(row));
      } else {
        transactions.computeIfAbsent(trace.transaction(), each -> new ArrayList<>()).add(row);
      }
    }
    traces.addAll(transactions.values());
    try (JsonGenerator json = JsonOutput.to(output)) {
      json.writeStartObject().writeArrayPropertyStart("data");
      for (List<Integer> rows : traces) {
        trace(json, rows.stream().map(spans::span).toList());
      }
      json.writeEndArray().writeEndObject();
    }
  }

  private static void trace(JsonGenerator json, List<Span> spans) {
    Map<String, String> processes = new LinkedHashMap<>();
    json.writeStartObject();
    json.writeStringProperty("traceID", spans.getFirst().traceId());
    json.writeArrayPropertyStart("spans");
    for (Span span : spans) {
      String process = "p" + (processes.size() + 1);
      String known = processes.putIfAbsent(span.service(), process);
      span(json, span, known == null ? process : known);
    }
    json.writeEndArray().writeObjectPropertyStart("processes");
    processes.forEach((service, process) -> {
      json.writeObjectPropertyStart(process).writeStringProperty("serviceName", service);
      json.writeArrayPropertyStart("tags").writeEndArray().writeEndObject();
    });
    json.writeEndObject().writeEndObject();
  }

  private static void span(JsonGenerator json, Span span, String process) {
    long startMicros = span.startNanos() / NANOS_A_MICRO;
    json.writeStartObject();
    json.writeStringProperty("traceID", span.traceId());
    json.writeStringProperty("spanID", span.spanId());
    json.writeStringProperty("operationName", span.name());
    json.writeArrayPropertyStart("references");
    String parentId = span.parentId();
    if (parentId != null) {
      json.writeStartObject().writeStringProperty("refType", "CHILD_OF");
      json.writeStringProperty("traceID", span.traceId());
      json.writeStringProperty("spanID", parentId).writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberProperty("startTime", startMicros);
    json.writeNumberProperty("duration", span.endNanos() / NANOS_A_MICRO - startMicros);
    json.writeArrayPropertyStart("tags");
    tag(json, Attributes.KIND, "string", "server");
    span.attributes().forEach((key, value) -> tag(json, key, "string", value));
    if (span.failed()) {
      json.writeStartObject().writeStringProperty("key", Attributes.ERROR);
      json.writeStringProperty("type", "bool").writeName("value").writeBoolean(true);
      json.writeEndObject();
    }
    json.writeEndArray().writeArrayPropertyStart("logs").writeEndArray();
    json.writeStringProperty("processID", process);
    json.writeEndObject();
  }

  private static void tag(JsonGenerator json, String key, String type, String value) {
    json.writeStartObject().writeStringProperty("key", key);
    json.writeStringProperty("type", type).writeStringProperty("value", value).writeEndObject();
  }
}
