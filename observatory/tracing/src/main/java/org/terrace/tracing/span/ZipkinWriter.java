package org.terrace.tracing.span;

import java.io.OutputStream;
import org.terrace.observation.RequestTable;
import tools.jackson.core.JsonGenerator;

/** Requests as spans of Zipkin's second format; times are cut to whole microseconds. */
final class ZipkinWriter implements SpanWriter {
  private static final long NANOS_A_MICRO = 1_000;

  @Override
  public void write(RequestTable requests, OutputStream output) {
    RequestSpans spans = new RequestSpans(requests);
    try (JsonGenerator json = JsonOutput.to(output)) {
      json.writeStartArray();
      for (int row = 0; row < requests.size(); row++) {
        span(json, spans.span(row));
      }
      json.writeEndArray();
    }
  }

  private static void span(JsonGenerator json, Span span) {
    long startMicros = span.startNanos() / NANOS_A_MICRO;
    json.writeStartObject();
    json.writeStringProperty("traceId", span.traceId());
    json.writeStringProperty("id", span.spanId());
    String parentId = span.parentId();
    if (parentId != null) {
      json.writeStringProperty("parentId", parentId);
    }
    json.writeStringProperty("name", span.name());
    json.writeStringProperty("kind", span.side().name());
    json.writeNumberProperty("timestamp", startMicros);
    // The format has no span of less than a microsecond.
    json.writeNumberProperty(
        "duration", Math.max(1, span.endNanos() / NANOS_A_MICRO - startMicros));
    json.writeObjectPropertyStart("localEndpoint");
    json.writeStringProperty("serviceName", span.service()).writeEndObject();
    json.writeObjectPropertyStart("tags");
    span.attributes().forEach(json::writeStringProperty);
    if (span.failed()) {
      json.writeStringProperty(Attributes.ERROR, "true");
    }
    json.writeEndObject().writeEndObject();
  }
}
